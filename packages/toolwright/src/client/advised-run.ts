/**
 * A run: started by the first who asks, executed once, read by as many as like. It is pulled: events
 * are made only when somebody wants the next one, and kept for later readers.
 */
import type { Advice, AdvisedResponse } from '../advisors/advisor.ts'
import type { StructuredOutput } from '../advisors/structured-output.ts'
import { RunAbandonedError, RunLimitError, RunSuspendedError } from '../errors/errors.ts'
import { limitText } from '../advisors/loop-end.ts'
import { Aborter, follow } from '../internal/on-abort.ts'
import type { Emit } from '../internal/while-running.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import { textOf, toolCallsOf } from '../messages/reading.ts'
import type { PendingCall, RunState } from '../messages/run-state.ts'
import type { Watched } from '../observation/watcher.ts'
import type { ManagerSettings } from '../tool-calling/manager-settings.ts'
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

export interface RunStart {
  readonly advice: Advice
  readonly context: { readonly [key: string]: Json }
  readonly runId: string
  readonly watched: Watched | undefined
}

/** Nothing, when its schema turned out to be none. */
type Shape = Promise<StructuredOutput | undefined>

export interface AdvisedRunOptions {
  /** `sink` takes events directly, past the generators. */
  readonly start: (signal: AbortSignal, sink: Emit, shape: Shape | undefined) => Promise<RunStart>
  readonly streamToolCallResponses: boolean
  /** What a resumed run had said before; asked only once it has started. */
  readonly earlierText: () => string
  readonly settings: ManagerSettings
  readonly signal?: AbortSignal
}

export class AdvisedRun implements EventSource {
  readonly events: ChatEvent[] = []
  readonly #options: AdvisedRunOptions
  readonly #aborter = new Aborter()
  readonly #readers = new Set<object>()
  #shape: Shape | undefined
  #started: RunStart | undefined
  #pulling: Promise<void> | undefined
  #rejectPull: ((reason: unknown) => void) | undefined
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
    while (!this.settled) await this.#pull()
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
    void this.#pull()
    return news.promise
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error
  }

  /** When the only reader leaves, nobody wants the run. */
  leave(reader: EventReader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0 || this.settled) return
    const error = new RunAbandonedError()
    this.#fail(error)
    this.#abort(error)
  }

  readonly #sink: Emit = (event) => {
    this.#push(event)
    this.#announce()
  }

  // Once per chunk of a stream: nothing here that a chunk does not need.
  #push(event: ChatEvent): void {
    if (!this.#result && !this.#failure) this.events.push(event)
    const watched = this.#started?.watched
    if (watched && event.type === 'notice') watched.event(event)
  }

  #announce(): void {
    this.#news?.resolve()
    this.#news = undefined
  }

  #pull(): Promise<void> {
    return (this.#pulling ??= this.#next())
  }

  async #next(): Promise<void> {
    try {
      const { advice, watched } = (this.#started ??= await this.#begin())
      this.#aborter.signal.throwIfAborted()
      const work = watched ? watched.run(() => advice.next()) : advice.next()
      const step = await this.#orAbort(work)
      if (step.done) this.#finish(step.value)
      else this.#push(step.value)
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#pulling = undefined
      this.#announce()
    }
  }

  async #begin(): Promise<RunStart> {
    const started = await this.#start()
    for (const event of this.events) if (event.type === 'notice') started.watched?.event(event)
    return started
  }

  #start(): Promise<RunStart> {
    const { signal, start } = this.#options
    if (signal) this.#unfollow = follow(signal, (reason) => this.#abort(reason))
    this.#aborter.signal.throwIfAborted()
    return this.#orAbort(start(this.#aborter.signal, this.#sink, this.#shape))
  }

  /** An abort settles at once, whoever does not listen. */
  #orAbort<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#rejectPull = reject
      work.then(resolve, reject)
    })
  }

  #abort(reason: unknown): void {
    this.#aborter.abort(reason)
    this.#rejectPull?.(reason)
    // Abort first, then leave: a generator that waits for a silent model would never return.
    this.#started?.advice.return(undefined as never).catch(() => {})
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#started?.watched?.failed(error)
    this.#unfollow?.()
  }

  #finish(answer: AdvisedResponse): void {
    const { runId, context, watched } = this.#started!
    const { response, rounds, pending, state } = answer
    if (isEmpty(response)) this.#push(emptyNotice(response, runId))
    watched?.answered(answer)
    this.events.push({ type: 'response', response, runId, round: rounds.length })
    const reason = response.results[0]?.finishReason
    const status = reason === 'suspended' || reason === 'limit' ? reason : 'done'
    const { messages } = answer
    const result: RunResult = { status, response, messages, rounds, context }
    this.#result = pending ? { ...result, pending, state: state! } : result
    this.#unfollow?.()
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
  return {
    type: 'notice',
    code: 'empty-answer',
    message: `The model ended with "${finishReason}" and said nothing.`,
    data: { finishReason },
    runId,
  }
}
