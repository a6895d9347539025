/** The steps of the loop, one function each: start, next round, record, run tools, limits. */
import { appended } from '../internal/appended.ts'
import { NONE, NOTHING } from '../internal/nothing.ts'
import { addUsage, type ChatResponse } from '../messages/chat-response.ts'
import type { Label, Message, ToolResponse } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import { labelMet } from '../messages/run-label.ts'
import type { RunProgress } from '../messages/run-state.ts'
import type { ChatOptions } from '../model/chat-model.ts'
import { NO_CALLS } from '../tool-calling/call-counter.ts'
import { scopedStep } from '../ports/durability.ts'
import type { LimitName } from '../run/limits.ts'
import type { RunSettings } from '../run/run-settings.ts'
import type { BatchRun } from '../tool-calling/call.ts'
import type {
  ToolCallingManager,
  ToolExecutionResult,
} from '../tool-calling/tool-calling-manager.ts'
import type { AdvisedRequest, AdvisedResponse, NextAdvisor } from './advisor.ts'
import { CallIds } from './call-ids.ts'
import { insideAs, type InsideRequest } from './inside.ts'
import type { LiveRun } from './live-run.ts'
import { TakenIds } from './taken-ids.ts'
import type { ToolCallingAdvisorOptions } from './tool-calling-options.ts'

/** What a loop works with. */
export interface Loop {
  readonly options: ToolCallingAdvisorOptions
  readonly manager: ToolCallingManager
  readonly settings: RunSettings
  readonly next: NextAdvisor
  /** The request as it came: without what hooks add. */
  readonly given: InsideRequest
  /** Written here, read by whoever asks how far the run has got. */
  readonly live: LiveRun
  /** What hooks get to see; there if there are hooks. */
  readonly views?: typeof import('./hook-views.ts')
}

export interface LoopStart {
  readonly request: AdvisedRequest
  readonly progress: RunProgress
  /** The response whose calls are to be run first: a resumed run begins in the middle. */
  readonly open: ChatResponse | undefined
}

export async function startLoop({ options, given, live }: Loop): Promise<LoopStart> {
  const started = options.onLoopStart ? ((await options.onLoopStart(given)) ?? given) : given
  const { prompt, resume } = started
  const request = {
    ...started,
    // Tools are run here, whatever the model could do by itself.
    prompt: { ...prompt, options: { ...prompt.options, internalToolExecution: false } },
  }
  const { context } = request
  const { progress: earlier } = live
  if (!resume) {
    // Written out: copies of a constant each get a shape of their own.
    const fresh: RunProgress = {
      messages: request.prompt.messages,
      rounds: NONE,
      usage: NOTHING,
      counters: NO_CALLS,
      answered: NONE,
      pending: NONE,
      answers: NOTHING,
      context,
    }
    // An advisor outside asks again: what ran before is part of the same run.
    live.progress = earlier
      ? { usedCallIds: callIdsOf(earlier), ...fresh, ...marked(live.label) }
      : fresh
    return { request, progress: live.progress, open: undefined }
  }
  const { messages, rounds, usage, counters, answered, pending, answers } = resume.state
  const { journals, usedCallIds, label } = resume.state
  const sealed = { messages, rounds, usage, counters, answered, pending, answers, context }
  live.progress = {
    ...(usedCallIds && { usedCallIds }),
    ...(journals && { journals }),
    ...marked(label),
    ...sealed,
  }
  return { request, progress: live.progress, open: rounds.at(-1) }
}

const marked = (label: Label | undefined): Pick<RunProgress, 'label'> =>
  label ? { label } : NOTHING

const callIdsOf = ({ usedCallIds = NONE, rounds }: RunProgress): readonly string[] => [
  ...usedCallIds,
  ...rounds.flatMap((round) => toolCallsOf(round).map(({ id }) => id)),
]

/** What the model is asked in this round. */
export async function nextRound(
  loop: Loop,
  base: InsideRequest,
  progress: RunProgress,
): Promise<AdvisedRequest> {
  const { options, views } = loop
  const round = progress.rounds.length + 1
  const { inside } = base
  const watched = inside?.watched?.round(round)
  const request: InsideRequest = {
    ...(base.resume ? { ...base, resume: undefined } : base),
    prompt: {
      messages: options.conversationHistory === false ? newestOf(progress) : progress.messages,
      options: round === 1 ? base.prompt.options : laterOptions(loop, base, round),
    },
    phase: 'start',
    round,
    // An advisor outside may have asked before the run was suspended: rounds of that number have their own keys.
    step: scopedStep(
      base.step,
      base.resume ? `round-${round}/${base.resume.state.id}` : `round-${round}`,
    ),
    inside: watched ? insideAs(inside!, watched) : inside,
  }
  if (!views || !options.beforeRound) return request
  const shown = views.requestForHook(request)
  return (await options.beforeRound(shown, views.stateForHook(progress))) ?? request
}

/** What a memory inside the loop does not hold yet: the newest message, after the system's. */
export function newestOf({ messages, rounds }: RunProgress): readonly Message[] {
  if (rounds.length === 0) return messages
  return [...messages.filter(({ role }) => role === 'system'), messages.at(-1)!]
}

export function laterOptions(
  { settings }: Loop,
  { prompt }: AdvisedRequest,
  round: number,
): ChatOptions {
  const options = prompt.options ?? {}
  return round > settings.limits.rounds ? { ...options, toolChoice: 'none' } : unforced(options)
}

/** A forced choice holds for the first model call only. */
export function unforced(options: ChatOptions): ChatOptions {
  const { toolChoice = 'auto' } = options
  const forced = toolChoice !== 'auto' && toolChoice !== 'none'
  return forced ? { ...options, toolChoice: 'auto' } : options
}

export async function recordRound(
  { options, settings, live, views }: Loop,
  progress: RunProgress,
  answer: AdvisedResponse,
): Promise<RunProgress> {
  // An advisor inside the loop may have answered by itself, or given an earlier answer again.
  const response =
    answer.response === live.named
      ? answer.response
      : new CallIds(settings.ids, () => new TakenIds().among(NONE, progress)).response(
          answer.response,
        )
  live.named = undefined
  // The generation that counts: the first that asks for tools, else the first.
  const { message } =
    response.results.find((generation) => toolCallsOf(generation).length > 0) ??
    response.results[0]!
  const recorded = {
    ...progress,
    messages: appended(progress.messages, message),
    rounds:
      answer.rounds.length > 1
        ? progress.rounds.concat(allRounds({ ...answer, response }))
        : appended(progress.rounds, response),
    usage: addUsage(progress.usage, response.usage),
    ...(live.met && marked(labelMet(NONE, live.met, progress.label))),
  }
  live.progress = recorded
  if (views) await options.afterRound?.(response, views.stateForHook(recorded))
  return recorded
}

/** An advisor inside the loop asked more than once: all its answers, each with its own usage. */
const allRounds = ({ response, rounds }: AdvisedResponse): readonly ChatResponse[] =>
  rounds.with(-1, { ...response, usage: rounds.at(-1)!.usage })

export interface OpenBatch {
  readonly progress: RunProgress
  readonly response: ChatResponse
}

export function runTools(
  { manager, settings, live }: Loop,
  request: InsideRequest,
  { progress, response }: OpenBatch,
): Promise<ToolExecutionResult> {
  const { runId, round, signal, step, resume, emit, mode, params } = request
  const batch: ToolResponse[] = [...progress.answered]
  live.batch = batch
  const watched = request.inside?.watched
  const run: BatchRun = {
    signal,
    runId,
    step,
    mode,
    settings,
    conversation: params.conversation,
    emit(event) {
      // Noted as they come: a batch that is broken off gives no result.
      if (event.type === 'tool-result' && event.parentCallId === undefined && !signal.aborted)
        batch.push(event.response)
      emit({ runId, round, ...event })
    },
    // A resumed run begins in the middle of its round.
    watcher: (resume && watched?.round(round)) ?? watched,
    counters: progress.counters,
    label: progress.label,
    state: resume?.state,
    decisions: resume?.decisions,
    answered: resume && progress.answered,
  }
  const prompt = { ...request.prompt, messages: progress.messages.slice(0, -1) }
  return manager.executeToolCalls(prompt, response, run)
}

export async function recordBatch(
  { options, live, views }: Loop,
  progress: RunProgress,
  batch: ToolExecutionResult,
): Promise<RunProgress> {
  live.batch = undefined
  const recorded: RunProgress = {
    ...progress,
    messages: batch.conversationHistory,
    counters: batch.counters ?? progress.counters,
    answered: batch.pending ? batch.responses : NONE,
    pending: batch.pending ?? NONE,
    answers: batch.answers ?? NOTHING,
    ...((batch.journals ?? progress.journals) && { journals: batch.journals }),
  }
  live.progress = recorded
  if (batch.pending || !views || !options.nextMessages) return recorded
  const shown = views.stateForHook(recorded)
  const messages = await options.nextMessages([...recorded.messages], shown)
  // What the hook takes out has been read.
  return (live.progress = { ...recorded, ...marked(live.label), messages })
}

/** What ends the loop before the model is asked again. */
export async function limitMet(
  { options, settings, views }: Loop,
  progress: RunProgress,
  batch: ToolExecutionResult,
): Promise<LimitName | 'stopWhen' | undefined> {
  // The program's own wish comes first: a run that ends as wanted has met no limit.
  if (views && (await options.stopWhen?.(views.stateForHook(progress)))) return 'stopWhen'
  const told = settings.onLimit === 'tell-model'
  const { rounds } = settings.limits
  // With 'tell-model' the model gets one more round, without tools, to answer with what it has.
  if (progress.rounds.length >= rounds + (told ? 1 : 0)) return 'rounds'
  return told ? undefined : batch.limit
}
