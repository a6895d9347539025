/** The steps of the loop, one function each: start, next round, record, run tools, limits. */
import { RunLimitError } from '../errors/errors.ts'
import { Aborter, follow } from '../internal/on-abort.ts'
import { addUsage, type ChatResponse } from '../messages/chat-response.ts'
import type { Message } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
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
import { insideOf, watchedAs } from './inside.ts'
import type { ToolCallingAdvisorOptions } from './tool-calling-options.ts'

/** What a loop works with. */
export interface Loop {
  readonly options: ToolCallingAdvisorOptions
  readonly manager: ToolCallingManager
  readonly settings: RunSettings
  readonly next: NextAdvisor
  /** The request as it came: what a client offers, without what hooks add. */
  readonly given: AdvisedRequest
}

export interface LoopStart {
  readonly request: AdvisedRequest
  readonly progress: RunProgress
  /** The response whose calls are to be run first: a resumed run begins in the middle. */
  readonly open: ChatResponse | undefined
}

export async function startLoop({ options, given }: Loop): Promise<LoopStart> {
  const started = options.onLoopStart ? ((await options.onLoopStart(given)) ?? given) : given
  const { prompt, resume } = started
  // Tools are run here, whatever the model could do by itself.
  const request = {
    ...started,
    prompt: { ...prompt, options: { ...prompt.options, internalToolExecution: false } },
  }
  if (!resume) return { request, progress: freshProgress(request), open: undefined }
  const { messages, rounds, usage, counters, answered, pending, answers } = resume.state
  const progress = {
    messages,
    rounds,
    usage,
    counters,
    answered,
    pending,
    answers,
    context: request.context,
  }
  return { request, progress, open: rounds.at(-1) }
}

const freshProgress = (request: AdvisedRequest): RunProgress => ({
  messages: request.prompt.messages,
  rounds: [],
  usage: {},
  counters: NO_CALLS,
  answered: [],
  pending: [],
  answers: {},
  context: request.context,
})

/** What the model is asked in this round. */
export async function nextRound(
  loop: Loop,
  base: AdvisedRequest,
  progress: RunProgress,
): Promise<AdvisedRequest> {
  const { options } = loop
  const round = progress.rounds.length + 1
  const request: AdvisedRequest = {
    ...base,
    prompt: {
      messages: messagesToSend(options, progress),
      options: optionsForRound(loop, base.prompt.options ?? {}, round),
    },
    phase: 'start',
    resume: undefined,
    round,
    step: scopedStep(base.step, `round-${round}`),
  }
  const watched = insideOf(base)?.watched
  const observed = watched ? watchedAs(request, watched.round(round)) : request
  return options.beforeRound
    ? ((await options.beforeRound(observed, progress)) ?? observed)
    : observed
}

function messagesToSend(
  options: ToolCallingAdvisorOptions,
  progress: RunProgress,
): readonly Message[] {
  if (options.conversationHistory !== false || progress.rounds.length === 0)
    return progress.messages
  const system = progress.messages.filter((message) => message.role === 'system')
  return [...system, progress.messages.at(-1)!]
}

function optionsForRound({ settings }: Loop, options: ChatOptions, round: number): ChatOptions {
  if (round > settings.limits.rounds) return { ...options, toolChoice: 'none' }
  return round > 1 ? unforced(options) : options
}

/** A forced choice holds for the first model call only. */
export function unforced(options: ChatOptions): ChatOptions {
  const { toolChoice = 'auto' } = options
  const forced = toolChoice !== 'auto' && toolChoice !== 'none'
  return forced ? { ...options, toolChoice: 'auto' } : options
}

export async function recordRound(
  { options }: Loop,
  progress: RunProgress,
  answer: AdvisedResponse,
): Promise<RunProgress> {
  const { response } = answer
  const recorded = {
    ...progress,
    messages: [...progress.messages, messageOf(response)],
    rounds: [...progress.rounds, ...roundsOf(answer)],
    usage: addUsage(progress.usage, response.usage),
  }
  if (options.afterRound) await options.afterRound(response, recorded)
  return recorded
}

/** An advisor inside the loop may have asked more than once: all its answers, each with its own usage. */
const roundsOf = ({ response, rounds }: AdvisedResponse): readonly ChatResponse[] =>
  rounds.length > 1 ? rounds.with(-1, { ...response, usage: rounds.at(-1)!.usage }) : [response]

/** The generation that counts: the first that asks for tools, else the first. */
const messageOf = (response: ChatResponse): Message =>
  (
    response.results.find((generation) => toolCallsOf(generation).length > 0) ??
    response.results[0]!
  ).message

export interface OpenBatch {
  readonly progress: RunProgress
  readonly response: ChatResponse
}

export function runTools(
  { manager, settings }: Loop,
  request: AdvisedRequest,
  { progress, response }: OpenBatch,
): Promise<ToolExecutionResult> {
  const { runId, round, signal, step, resume, emit, mode } = request
  const watched = insideOf(request)?.watched
  const run: BatchRun = {
    signal,
    runId,
    step,
    mode,
    settings,
    emit: (event) => emit({ runId, round, ...event }),
    // A resumed run begins in the middle of its round.
    watcher: resume ? watched?.round(round) : watched,
    counters: progress.counters,
    state: resume?.state,
    decisions: resume?.decisions,
    answered: resume && progress.answered,
  }
  const prompt = { ...request.prompt, messages: progress.messages.slice(0, -1) }
  return manager.executeToolCalls(prompt, response, run)
}

export async function recordBatch(
  { options }: Loop,
  progress: RunProgress,
  batch: ToolExecutionResult,
): Promise<RunProgress> {
  const recorded: RunProgress = {
    ...progress,
    messages: batch.conversationHistory,
    counters: batch.counters ?? progress.counters,
    answered: batch.pending ? batch.responses : [],
    pending: batch.pending ?? [],
    answers: batch.answers ?? {},
  }
  if (batch.pending || !options.nextMessages) return recorded
  return { ...recorded, messages: await options.nextMessages(recorded.messages, recorded) }
}

/** What ends the loop before the model is asked again. */
export async function limitMet(
  { options, settings }: Loop,
  progress: RunProgress,
  batch: ToolExecutionResult,
): Promise<LimitName | 'stopWhen' | undefined> {
  const told = settings.onLimit === 'tell-model'
  const { rounds } = settings.limits
  // Told of the limit, the model has one more round, without tools, to say what it has.
  if (progress.rounds.length >= rounds + (told ? 1 : 0)) return 'rounds'
  if (batch.limit && !told) return batch.limit
  return options.stopWhen && (await options.stopWhen(progress)) ? 'stopWhen' : undefined
}

export interface Deadline {
  readonly signal: AbortSignal
  /** Whether this error is the deadline's doing. */
  passed(error: unknown): boolean
  cancel(): void
}

/** The run's own time limit, as a signal for everything inside the loop. */
export function deadlineOf({ settings, given: { signal } }: Loop): Deadline {
  const { runTimeoutMs } = settings.limits
  if (runTimeoutMs === Infinity) return { signal, passed: () => false, cancel: () => {} }
  const aborter = new Aborter()
  const reason = new RunLimitError(
    'runTimeoutMs',
    `The run took longer than runTimeoutMs = ${runTimeoutMs} ms.`,
  )
  const unfollow = follow(signal, (reason) => aborter.abort(reason))
  const cancelTimer = settings.clock.timer(runTimeoutMs, () => aborter.abort(reason))
  return {
    signal: aborter.signal,
    passed: (error) => error === reason,
    cancel() {
      cancelTimer()
      unfollow()
    },
  }
}
