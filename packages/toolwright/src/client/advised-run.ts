/**
 * A run: started by the first who asks, executed once, read by as many as like. Events are kept, so that
 * later readers get all of them.
 */
import type { AdvisedRequest, AdvisedResponse, NextAdvisor } from '../loop/advisor.ts'
import type { StructuredOutput } from '../advisors/structured-output.ts'
import { RunAbandonedError, RunLimitError, RunSuspendedError } from '../errors/errors.ts'
import { notice } from '../errors/notices.ts'
import { limitText } from '../loop/loop-endings.ts'
import { insideOf } from '../loop/inside.ts'
import { Aborter, follow } from '../internal/on-abort.ts'
import type { ChatEvent, EmitEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import { textOf, toolCallsOf } from '../messages/reading.ts'
import type { PendingCall, RunState } from '../messages/run-state.ts'
import type { Watched } from '../observation/watcher.ts'
import type { RunSettings } from '../run/run-settings.ts'
import { EventReader, type EventSource } from './event-reader.ts'

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
  readonly request: AdvisedRequest
  readonly ask: NextAdvisor
}

/** Nothing, when its schema turned out to be none. */
type Shape = Promise<StructuredOutput | undefined>

/** What a run gives to whoever forms its request. */
export interface RunEnds {
  readonly signal: AbortSignal
  readonly emit: EmitEvent
  /** What the answer shall be, if an entity was asked for. */
  readonly shape: Shape | undefined
}

export interface AdvisedRunOptions {
  /** Forms the request. Called once, when the first result is asked for. */
  readonly start: (ends: RunEnds) => Promise<StartedRun>
  readonly streamToolCallResponses: boolean
  /** What a resumed run had said before; asked only once it has started. */
  readonly earlierText: () => string
  readonly settings: RunSettings
  readonly signal?: AbortSignal | undefined
}

export class AdvisedRun implements EventSource {
  readonly events: ChatEvent[] = []
  readonly #options: AdvisedRunOptions
  readonly #aborter = new Aborter()
  readonly #readers = new Set<object>()
  #shape: Shape | undefined
  #running: Promise<void> | undefined
  #request: AdvisedRequest | undefined
  #watched: Watched | undefined
  #rejectRun: ((reason: unknown) => void) | undefined
  #news: PromiseWithResolvers | undefined
  #result: RunResult | undefined
  #failure: { readonly error: unknown } | undefined
  #unfollow: (() => void) | undefined

  constructor(options: AdvisedRunOptions) {
    this.#options = options
  }

  get streamToolCallResponses(): boolean {
    return this.#options.streamToolCallResponses
  }

  earlierText(): string {
    return this.#options.earlierText()
  }

  get settled(): boolean {
    return this.#result !== undefined || this.#failure !== undefined
  }

  /** What the answer shall be: the first that is a schema. Read when the run starts: later it changes nothing. */
  shape(shape: Shape): void {
    const first = this.#shape
    this.#shape = first ? first.then((known) => known ?? shape) : shape
  }

  /** All events from the first; the last is the final `response`. */
  read(): EventReader {
    const reader = new EventReader(this)
    this.#readers.add(reader)
    return reader
  }

  async result(): Promise<RunResult> {
    const reader = {}
    this.#readers.add(reader)
    await this.#run()
    this.#readers.delete(reader)
    this.throwFailure()
    return this.#result!
  }

  /** The result, if there is an answer; otherwise the error that says why not. */
  async answer(): Promise<RunResult> {
    const result = await this.result()
    if (result.status === 'suspended') throw new RunSuspendedError(result)
    if (result.status === 'limit') {
      const limit = String(result.response.results[0]?.metadata['limit'] ?? 'limit')
      throw new RunLimitError(limit, limitText(this.#options, limit), { result })
    }
    return result
  }

  more(): Promise<void> {
    const news = (this.#news ??= withResolvers())
    void this.#run()
    return news.promise
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error
  }

  /** When the only reader leaves, nobody wants the run. */
  leave(reader: EventReader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0 || this.settled) return
    this.#abort(new RunAbandonedError())
  }

  // Once per chunk of a stream: nothing here that a chunk does not need.
  readonly #emit: EmitEvent = (event) => {
    // An observer hears of what comes too late for the readers, too.
    if (event.type === 'notice') this.#watched?.event(event)
    if (this.#result || this.#failure) return
    this.events.push(event)
    this.#news?.resolve()
    this.#news = undefined
  }

  #run(): Promise<void> {
    return (this.#running ??= new Promise<AdvisedResponse>((resolve, reject) => {
      // An abort settles at once, whoever does not listen.
      this.#rejectRun = reject
      this.#execute().then(resolve, reject)
    }).then(
      (answer) => this.#finish(answer),
      (error: unknown) => this.#fail(error),
    ))
  }

  async #execute(): Promise<AdvisedResponse> {
    const { signal: outer, start } = this.#options
    const { signal } = this.#aborter
    outer?.throwIfAborted()
    if (outer) this.#unfollow = follow(outer, (reason) => this.#abort(reason))
    const { request, ask } = await start({ signal, emit: this.#emit, shape: this.#shape })
    this.#request = request
    const watched = (this.#watched = insideOf(request)?.watched)
    if (!watched) {
      signal.throwIfAborted()
      return ask(request)
    }
    for (const event of this.events) if (event.type === 'notice') watched.event(event)
    signal.throwIfAborted()
    return watched.run(() => ask(request))
  }

  #abort(reason: unknown): void {
    this.#fail(reason)
    this.#rejectRun?.(reason)
  }

  /** Whatever is still under way is told to stop. */
  #fail(error: unknown): void {
    if (this.settled) return
    this.#failure = { error }
    this.#watched?.failed(error)
    this.#unfollow?.()
    this.#aborter.abort(error)
    this.#settle()
  }

  #finish(answer: AdvisedResponse): void {
    if (this.settled) return
    const { runId, context } = this.#request!
    const { response, rounds, messages, pending, state } = answer
    if (isEmpty(response)) this.#emit(emptyNotice(response, runId))
    this.#watched?.answered(answer)
    this.events.push({ type: 'response', response, runId, round: rounds.length })
    const reason = response.results[0]?.finishReason
    const status = reason === 'suspended' || reason === 'limit' ? reason : 'done'
    const result: RunResult = { status, response, messages, rounds, context }
    this.#result = pending ? { ...result, pending, state: state! } : result
    this.#unfollow?.()
    this.#settle()
  }

  #settle(): void {
    this.#news?.resolve()
    this.#news = undefined
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function withResolvers(): PromiseWithResolvers {
  let resolve!: () => void
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}

/** Neither words nor wishes nor pictures: never silently. */
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
