/**
 * A resumed run begins in the middle of its round: the round is formed again, hooks included, so that tools
 * which they add can be approved. Nothing has run yet; a tool that is another than the one that was sealed
 * refuses the resume, and the state stays usable. Loaded with the first resume.
 */
import { NONE, NOTHING } from '../internal/nothing.ts'
import { addUsage, type Usage } from '../messages/chat-response.ts'
import type { RunProgress } from '../messages/run-state.ts'
import { scopedStep } from '../ports/durability.ts'
import { checkRoundTools } from '../tool-calling/suspension.ts'
import type { AdvisedRequest } from './advisor.ts'
import { offeredIn } from './early-endings.ts'
import { requestForHook, stateForHook } from './hook-views.ts'
import type { InsideRequest } from './inside.ts'
import { laterOptions, newestOf, type Loop } from './loop-steps.ts'

export async function reopenRound(
  loop: Loop,
  base: InsideRequest,
  progress: RunProgress,
): Promise<AdvisedRequest> {
  const { options, settings } = loop
  const { round, resume } = base
  const before = beforeRound(progress)
  const request: InsideRequest = {
    ...base,
    prompt: {
      messages: options.conversationHistory === false ? newestOf(before) : before.messages,
      options: round === 1 ? base.prompt.options : laterOptions(loop, base, round),
    },
    step: scopedStep(base.step, `round-${round}`),
  }
  const shown = requestForHook(request)
  const hooked = (await options.beforeRound?.(shown, stateForHook(before))) ?? request
  await checkRoundTools(settings, resume!.state, {
    offered: await offeredIn(loop, hooked.prompt),
    own: base.inside?.tools ?? NONE,
  })
  return { ...hooked, resume }
}

/** The run as it stood before the model was asked in its last round. */
function beforeRound(progress: RunProgress): RunProgress {
  const rounds = progress.rounds.slice(0, -1)
  const { journals: _journals, ...earlier } = progress
  return {
    ...earlier,
    messages: progress.messages.slice(0, -1),
    rounds,
    usage: rounds.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), NOTHING),
    answered: NONE,
    pending: NONE,
    answers: NOTHING,
  }
}
