/**
 * The ways a loop ends before the model has answered: direct results, `stopWhen`, a limit, a suspension. Loaded
 * with the first of them.
 */
import { RunLimitError } from '../errors/errors.ts'
import type { ChatResponse, Generation } from '../messages/chat-response.ts'
import type { PendingCall, RunProgress } from '../messages/run-state.ts'
import type { Prompt } from '../model/chat-model.ts'
import { sealState } from '../tool-calling/suspension.ts'
import type { ToolExecutionResult } from '../tool-calling/tool-calling-manager.ts'
import { resolveTools } from '../tools/resolve-tools.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { AdvisedRequest, AdvisedResponse } from './advisor.ts'
import { withOpenBatch } from './live-run.ts'
import { endedWith, finishLoop, withEarlierText } from './loop-endings.ts'
import type { Loop } from './loop-steps.ts'
import { saveRun } from './save-run.ts'

/** Each result is a generation of its own. */
export async function endWithDirectResults(
  loop: Loop,
  progress: RunProgress,
  { responses }: ToolExecutionResult,
): Promise<AdvisedResponse> {
  const results = responses.map((response): Generation => ({
    message: {
      role: 'assistant',
      content: response.content,
      ...(response.label && { label: response.label }),
    },
    finishReason: 'return-direct',
    metadata: { callId: response.id, toolName: response.name },
  }))
  const messages = [...progress.messages, ...results.map((generation) => generation.message)]
  const response = { ...lastOf(progress), results }
  const whole = loop.options.streamToolCallResponses
    ? withEarlierText(response, progress.rounds)
    : response
  return finishLoop(loop, endedWith({ ...progress, messages }, whole))
}

/** The end that `stopWhen` asked for: the last answer, whose calls have run. */
export async function endWithStop(loop: Loop, progress: RunProgress): Promise<AdvisedResponse> {
  const ended = endedBy('stop-condition', progress)
  if (!loop.options.streamToolCallResponses) return finishLoop(loop, ended)
  const response = withEarlierText(ended.response, progress.rounds.slice(0, -1))
  return finishLoop(loop, { ...ended, response })
}

export async function endWithLimit(
  loop: Loop,
  progress: RunProgress,
  limit: string,
): Promise<AdvisedResponse> {
  const text = limitText(loop, limit)
  const answer = endedBy('limit', progress, { limit })
  // Before the model has said anything there is no answer to end with.
  const isSilent = progress.rounds.length === 0
  if (loop.settings.onLimit !== 'throw' && !isSilent) return finishLoop(loop, answer)
  throw new RunLimitError(limit, text, { result: { status: 'limit', ...answer } })
}

/** The run's time is up. What its last batch gave before is kept; its other calls were broken off. */
export function endWithTimeout(loop: Loop): Promise<AdvisedResponse> {
  const { live } = loop
  const why =
    'No result: the time of the run was up before this call had ended. It may have had an effect.'
  live.progress = withOpenBatch(live.progress!, live.batch, why)
  live.batch = undefined
  return endWithLimit(loop, live.progress, 'runTimeoutMs')
}

/** How a limit reads in an error. */
export function limitText({ settings }: Pick<Loop, 'settings'>, limit: string): string {
  const value = settings.limits[limit as keyof typeof settings.limits]
  const which = value === undefined ? limit : `its limit ${limit} = ${value}`
  return `The run was ended by ${which} before there was an answer.`
}

interface SuspendedBatch {
  readonly progress: RunProgress
  readonly batch: ToolExecutionResult
}

export async function suspend(
  loop: Loop,
  request: AdvisedRequest,
  { progress, batch }: SuspendedBatch,
): Promise<AdvisedResponse> {
  const { runId, round, params, context, prompt, emit, resume } = request
  const { given, settings } = loop
  const after = resume?.state.id ?? 'start'
  const state = await sealState(settings, {
    // A step, so that a run that is replayed is suspended in the same state, not in one more.
    id: await request.step(`suspend/${after}`, async () => settings.ids.next('state')),
    progress: { ...progress, context },
    runId,
    conversation: params.conversation,
    offered: await offeredIn(loop, prompt),
    nested: batch.nestedTools,
    observed: given.inside?.watched?.kept(),
    // A resuming client shows its own tools at once; advisors and hooks add theirs again later.
    own: given.inside?.tools ?? (await offeredIn(loop, given.prompt)),
  })
  const pending = progress.pending.map(forDeciding)
  await saveRun(settings, request, { pending, state })
  emit({ type: 'suspended', pending, state, runId, round })
  return { ...endedBy('suspended', progress), pending, state }
}

/** Who decides does not need what a tool keeps for itself, and may be a stranger: it stays in the signed state. */
const forDeciding = ({ kept: _kept, made: _made, ...pending }: PendingCall): PendingCall => pending

/** As the manager finds them: a hook may have added names, or whatever else is a source of tools. */
export const offeredIn = (
  { manager }: Loop,
  { options = {} }: Prompt,
): Promise<readonly ToolCallback[]> => resolveTools(options, manager.settings?.resolver)

/** What a run has before its model has ever answered. */
const NO_ANSWER: ChatResponse = {
  results: [{ message: { role: 'assistant', content: '' }, finishReason: 'other', metadata: {} }],
  usage: {},
  metadata: {},
}

const lastOf = (progress: RunProgress): ChatResponse => progress.rounds.at(-1) ?? NO_ANSWER

/** The last answer, with why the run stopped there. */
function endedBy(
  finishReason: Generation['finishReason'],
  progress: RunProgress,
  why: Generation['metadata'] = {},
): AdvisedResponse {
  const last = lastOf(progress)
  const results = last.results.map((generation) => ({
    ...generation,
    finishReason,
    metadata: { ...generation.metadata, ...why },
  }))
  return endedWith(progress, { ...last, results })
}
