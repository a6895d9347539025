/**
 * A run. The first reader starts it, it is executed once, and any number may read it. Events are kept, so that
 * later readers get all of them.
 */
import type { AdvisedResponse, NextAdvisor } from '../loop/advisor.ts'
import type { StructuredOutput } from '../advisors/structured-output.ts'
import { RunAbandonedError, RunLimitError, RunSuspendedError } from '../errors/errors.ts'
import { notice } from '../errors/notices.ts'
import type { InsideRequest } from '../loop/inside.ts'
import { withOpenBatch, type LiveRun } from '../loop/live-run.ts'
import { NONE, NOTHING } from '../internal/nothing.ts'
import { heldAround, holdAround } from '../internal/held-locks.ts'
import { Aborter, follow } from '../internal/on-abort.ts'
import type { ChatEvent, EmitEvent } from '../messages/chat-event.ts'
import type { ChatResponse, Usage } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Label, Message } from '../messages/message.ts'
import { textOf, toolCallsOf } from '../messages/reading.ts'
import { labelMet } from '../messages/run-label.ts'
import type { PendingCall, RunState } from '../messages/run-state.ts'
import type { Watched } from '../observation/watcher.ts'
import { loadEarlyEndings, loadRefusedError } from '../on-demand.ts'
import type { RunSettings } from '../run/run-settings.ts'
import { RunReader, type EventSource, type Pieces } from './run-reader.ts'
import { forgetRun, unread, type ReadableRun, type UnreadNote } from './unread-runs.ts'

/** What a run has obtained so far, also one that was aborted or failed. */
export interface PartialRun {
  /** The conversation so far. Calls that have not ended have a response that says so. */
  readonly messages: readonly Message[]
  /** Every model answer, each with its own usage. */
  readonly rounds: readonly ChatResponse[]
  /** The sum over all rounds. */
  readonly usage: Usage
  /** The high-water mark of what the run has read. Absent if there is nothing to know: all was trusted, and public. */
  readonly label?: Label
}

export interface RunResult {
  /** Follows from the finish reason. */
  readonly status: 'done' | 'suspended' | 'limit'
  /** Its usage is the sum over all rounds. */
  readonly response: ChatResponse
  /** The whole conversation, the final answer included. */
  readonly messages: readonly Message[]
  /** Every model answer, each with its own usage. */
  readonly rounds: readonly ChatResponse[]
  readonly context: { readonly [key: string]: Json }
  readonly pending?: readonly PendingCall[]
  readonly state?: RunState
}

/** A request that is formed, and the chain that answers it. */
export interface StartedRun {
  readonly request: InsideRequest
  readonly ask: NextAdvisor
}

/** Nothing, when its schema turned out to be none. */
type Shape = Promise<StructuredOutput | undefined>

/** What a run gives to the plan that forms its request. */
export interface RunEnds {
  readonly signal: AbortSignal
  readonly emit: EmitEvent
  /** What the answer shall be, if an entity was asked for. */
  readonly shape: Shape | undefined
}

/** What a run is made of. */
export interface RunPlan {
  readonly settings: RunSettings
  readonly streamToolCallResponses: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Forms the request. Called once, when the first result is asked for. */
  start(ends: RunEnds): Promise<StartedRun>
  /** Those of a resumed run before it was suspended; asked only once it has started. */
  earlierRounds(): readonly ChatResponse[]
}

export class AdvisedRun implements EventSource, ReadableRun {
  readonly events: ChatEvent[] = []
  settled = false
  aside: UnreadNote | undefined
  readonly #plan: RunPlan
  readonly #aborter = new Aborter()
  /** How many still read. */
  #readers = 0
  #shape: Shape | undefined
  #running: Promise<void> | undefined
  #runId = ''
  #context: RunResult['context'] = {}
  #live: LiveRun | undefined
  #watched: Watched | undefined
  /** Resolves at the next event or the end; made when somebody waits for it. */
  #news: Promise<void> | undefined
  #wake = noop
  /** Made when somebody asks for the result. */
  #outcome: Promise<RunResult> | undefined
  #resolve: (result: RunResult) => void = noop
  #reject: (error: unknown) => void = noop
  #result: RunResult | undefined
  #failure: { readonly error: unknown } | undefined
  #unfollow = noop

  constructor(plan: RunPlan) {
    this.#plan = plan
  }

  get settings(): RunSettings {
    return this.#plan.settings
  }

  get streamToolCallResponses(): boolean | undefined {
    return this.#plan.streamToolCallResponses
  }

  earlierRounds(): readonly ChatResponse[] {
    return this.#plan.earlierRounds()
  }

  /** What the answer shall be: the first that is a schema. Read when the run starts: later it changes nothing. */
  shape(shape: Shape): void {
    const first = this.#shape
    this.#shape = first ? first.then((known) => known ?? shape) : shape
  }

  /** All events from the first, or pieces made of them; the last event is the final `response`. */
  read(): RunReader<ChatEvent>
  read<T>(pieces: Pieces<T>): RunReader<T>
  read(pieces?: Pieces<unknown>): RunReader<unknown> {
    this.#readers++
    return new RunReader(this, pieces)
  }

  /** Asking for the result counts as a reader who stays to the end. */
  result(): Promise<RunResult> {
    this.#readers++
    this.#outcome ??= new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (this.settled) this.#tellOutcome()
    })
    this.#running ??= this.#execute()
    return this.#outcome
  }

  /** The result, if there is an answer; otherwise the error that says why not. */
  answer(): Promise<RunResult> {
    return this.result().then(async (result) => {
      if (result.status === 'suspended') throw new RunSuspendedError(result)
      if (result.status === 'done') {
        const { response } = result
        if (!response.results.some(({ finishReason }) => finishReason === 'content-filter'))
          return result
        throw (await loadRefusedError()).refusedError(response, result)
      }
      const { limitText } = await loadEarlyEndings()
      const limit = String(result.response.results[0]?.metadata['limit'] ?? 'limit')
      throw new RunLimitError(limit, limitText(this.#plan, limit), { result })
    })
  }

  /** Read from where the loop keeps it: nothing is kept for it. */
  get partial(): PartialRun {
    const { progress, batch, label: met } = this.#live ?? {}
    const marked = ({ messages, rounds, usage }: PartialRun): PartialRun => {
      const label = labelMet(messages, met)
      return { messages, rounds, usage, ...(label && { label }) }
    }
    if (this.#result) return marked({ ...this.#result, usage: this.#result.response.usage })
    if (!progress) return { messages: NONE, rounds: NONE, usage: NOTHING }
    return marked(withOpenBatch(progress, batch, 'This call has not ended.'))
  }

  /** Whether the run failed with this because the request's signal was aborted. */
  isAbort(thrown: unknown): boolean {
    const { signal } = this.#plan
    return signal?.aborted === true && signal.reason === thrown
  }

  more(): Promise<void> {
    const news = (this.#news ??= new Promise((resolve) => (this.#wake = resolve)))
    this.#running ??= this.#execute()
    return news
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error
  }

  /** When the only reader leaves, the run is aborted. */
  leave(): void {
    this.#readers--
    if (this.#readers > 0) return
    forgetRun(this)
    this.#fail(new RunAbandonedError())
  }

  // Once per chunk of a stream: nothing here that a chunk does not need.
  readonly #emit: EmitEvent = (event) => {
    // An observer hears of what comes too late for the readers, too.
    if (this.#watched !== undefined) this.#watched.emitted(event)
    if (this.settled) return
    this.events.push(event)
    if (this.#news === undefined) return
    this.#news = undefined
    this.#wake()
  }

  /** Never rejects, because the outcome is kept. An abort ends the run at once, even if the work inside does not listen. */
  #execute(): Promise<void> {
    if (unread.run === this) unread.run = undefined
    else if (this.aside) this.aside.isRead = true
    return this.#start()
      .then(({ request, ask }) =>
        this.#watched ? this.#watched.run(() => ask(request)) : ask(request),
      )
      .then(
        (answer) => this.#finish(answer),
        (error: unknown) => this.#fail(error),
      )
  }

  async #start(): Promise<StartedRun> {
    const { signal: outer } = this.#plan
    const { signal } = this.#aborter
    outer?.throwIfAborted()
    if (outer) {
      this.#unfollow = follow(outer, (reason) => this.#fail(reason))
      holdAround(signal, heldAround(outer))
    }
    const started = await this.#plan.start({ signal, emit: this.#emit, shape: this.#shape })
    const { runId, context, inside } = started.request
    this.#runId = runId
    this.#context = context
    this.#watched = inside?.watched
    this.#live = inside?.live
    if (this.#watched) this.#tellSoFar(this.#watched, signal)
    signal.throwIfAborted()
    return started
  }

  #tellSoFar(watched: Watched, signal: AbortSignal): void {
    // It was aborted before it was watched, so nothing else ends it. Asked of the run: a new signal takes long to say it.
    if (this.settled) watched.failed(signal.reason)
    for (const event of this.events) watched.emitted(event)
  }

  /** Aborts whatever is still under way. */
  #fail(error: unknown): void {
    if (this.settled) return
    this.#failure = { error }
    this.#aborter.abort(error)
    this.#watched?.failed(error)
    this.#settle()
  }

  #finish(answer: AdvisedResponse): void {
    if (this.settled) return
    const runId = this.#runId
    const context = this.#context
    const { response, rounds, messages, pending, state } = answer
    if (isEmpty(response)) this.#emit(emptyNotice(response, runId))
    this.#watched?.answered(answer)
    this.events.push({ type: 'response', response, runId, round: rounds.length })
    const reason = response.results[0]?.finishReason
    const status = reason === 'suspended' || reason === 'limit' ? reason : 'done'
    const result: RunResult = { status, response, messages, rounds, context }
    this.#result = pending ? { ...result, pending, state: state! } : result
    this.#settle()
  }

  #settle(): void {
    this.settled = true
    this.#unfollow()
    this.#wake()
    this.#tellOutcome()
  }

  #tellOutcome(): void {
    if (this.#failure) this.#reject(this.#failure.error)
    else this.#resolve(this.#result!)
  }
}

const noop = (): void => {}

/** Whether there is nothing to show: no text, no call, no media. */
const isEmpty = (response: ChatResponse): boolean =>
  textOf(response) === '' &&
  toolCallsOf(response).length === 0 &&
  !response.results.some(
    ({ message }) => typeof message.content !== 'string' && message.content.some(isShown),
  )

const isShown = (part: { readonly type: string }): boolean =>
  part.type !== 'text' && part.type !== 'reasoning'

function emptyNotice(response: ChatResponse, runId: string): ChatEvent {
  const finishReason = response.results[0]?.finishReason ?? 'other'
  const message = `The model ended with "${finishReason}" and said nothing.`
  return { ...notice('empty-answer', message, { finishReason }), runId }
}
