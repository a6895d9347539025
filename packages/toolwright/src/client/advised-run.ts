/**
 * A run: started by the first who asks, executed once, read by as many as like. It is pulled: events
 * are made only when somebody wants the next one, and kept for later readers.
 */
import type { Advice, AdvisedResponse } from '../advisors/advisor.ts'
import { RunAbandonedError, RunLimitError, RunSuspendedError } from '../errors/errors.ts'
import { limitText } from '../advisors/loop-end.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import { textOf, toolCallsOf } from '../messages/reading.ts'
import type { PendingCall, RunState } from '../messages/run-state.ts'
import type { ManagerSettings } from '../tool-calling/manager-settings.ts'
import { leavingAtOnce } from './leaving-at-once.ts'

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
}

export interface AdvisedRunOptions {
  readonly start: (signal: AbortSignal) => Promise<RunStart>
  readonly streamToolCallResponses: boolean
  readonly settings: ManagerSettings
  readonly signal?: AbortSignal
}

export class AdvisedRun {
  readonly #options: AdvisedRunOptions
  readonly #controller = new AbortController()
  readonly #events: ChatEvent[] = []
  #started: RunStart | undefined
  #pulling: Promise<void> | undefined
  #rejectPull: ((reason: unknown) => void) | undefined
  readonly #readers = new Set<object>()
  #result: RunResult | undefined
  #failure: { readonly error: unknown } | undefined
  #unfollow: () => void = () => {}

  constructor(options: AdvisedRunOptions) {
    this.#options = options
  }

  get streamToolCallResponses(): boolean {
    return this.#options.streamToolCallResponses
  }

  /** All events from the first; the last is the final `response`. */
  events(): AsyncGenerator<ChatEvent, void> {
    const reader = {}
    return leavingAtOnce(this.#read(reader), () => this.#leave(reader))
  }

  async *#read(reader: object): AsyncGenerator<ChatEvent, void> {
    this.#readers.add(reader)
    try {
      for (let index = 0; ; index++) {
        while (index >= this.#events.length && !this.#settled) await this.#pull()
        const event = this.#events[index]
        if (!event) break
        yield event
      }
    } finally {
      this.#leave(reader)
    }
    if (this.#failure) throw this.#failure.error
  }

  async result(): Promise<RunResult> {
    const reader = {}
    this.#readers.add(reader)
    while (!this.#settled) await this.#pull()
    this.#readers.delete(reader)
    if (this.#failure) throw this.#failure.error
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

  get #settled(): boolean {
    return this.#result !== undefined || this.#failure !== undefined
  }

  #pull(): Promise<void> {
    return (this.#pulling ??= this.#next())
  }

  async #next(): Promise<void> {
    try {
      const { advice } = (this.#started ??= await this.#start())
      this.#controller.signal.throwIfAborted()
      const step = await this.#orAbort(advice.next())
      if (step.done) this.#finish(step.value)
      else this.#events.push(step.value)
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#pulling = undefined
    }
  }

  #start(): Promise<RunStart> {
    const { signal, start } = this.#options
    this.#follow(signal)
    this.#controller.signal.throwIfAborted()
    return this.#orAbort(start(this.#controller.signal))
  }

  #follow(signal: AbortSignal | undefined): void {
    const onAbort = (): void => this.#abort(signal!.reason)
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#unfollow = () => signal?.removeEventListener('abort', onAbort)
  }

  /** An abort settles at once, whoever does not listen. */
  #orAbort<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#rejectPull = reject
      work.then(resolve, reject)
    })
  }

  #abort(reason: unknown): void {
    this.#controller.abort(reason)
    this.#rejectPull?.(reason)
    // Abort first, then leave: a generator that waits for a silent model would never return.
    this.#started?.advice.return(undefined as never).catch(() => {})
  }

  /** When the only reader leaves, nobody wants the run. */
  #leave(reader: object): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0 || this.#settled) return
    const error = new RunAbandonedError()
    this.#fail(error)
    this.#abort(error)
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#unfollow()
  }

  #finish(answer: AdvisedResponse): void {
    const { runId, context } = this.#started!
    const { response, messages, rounds, pending, state } = answer
    if (isEmpty(response)) this.#events.push(emptyNotice(response, runId))
    this.#events.push({ type: 'response', response, runId, round: rounds.length })
    const reason = response.results[0]?.finishReason
    const status = reason === 'suspended' || reason === 'limit' ? reason : 'done'
    this.#result = {
      status,
      response,
      messages,
      rounds,
      context,
      ...(pending && { pending }),
      ...(state && { state }),
    }
    this.#unfollow()
  }
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
