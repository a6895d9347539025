/**
 * The chunks of a body as batches of events. Written out instead of as a generator: a stream has as
 * many batches as chunks, and each hop of a generator costs three turns of the microtask queue.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import type { Framing } from './chat-dialect.ts'
import { NdjsonParser } from './ndjson.ts'
import { describeText } from './provider-failure.ts'
import { settlesWithin } from './settles-within.ts'
import { type SseEvent, SseParser } from './sse.ts'
import type { WireSettings } from './wire-settings.ts'

/** How long after the last event the end of the body is awaited, so that the connection can be used again. */
const LINGER_MS = 100
/** How long after the finish reason the rest is awaited: token counts and the end marker, which some servers never send. */
const FINISHED_MS = 2000
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

const PARSERS = { sse: SseParser, ndjson: NdjsonParser }

export interface EventBatchesOptions {
  readonly framing: Framing
  /** Once this says so, the rest of the body is not read, except to see it end. */
  hasEnded(): boolean
  /** Once this says so, nothing of the answer is missing, and what may still follow is not awaited for long. */
  isComplete(): boolean
}

export class EventBatches implements AsyncIterableIterator<readonly SseEvent[]> {
  readonly #settings: WireSettings
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #parser: SseParser | NdjsonParser
  readonly #options: EventBatchesOptions
  #started = false
  #over = false

  constructor(response: TransportResponse, settings: WireSettings, options: EventBatchesOptions) {
    this.#settings = settings
    this.#chunks = response.body[Symbol.asyncIterator]()
    this.#parser = new PARSERS[options.framing]({ provider: settings.provider })
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<readonly SseEvent[], undefined>> {
    try {
      while (!this.#over) {
        if (this.#options.hasEnded()) return await this.#leave()
        const next = this.#chunks.next()
        const isLast = this.#options.isComplete()
        if (isLast && !(await settlesWithin(this.#settings.clock, FINISHED_MS, next)))
          return this.#close()
        const events = this.#read(await next)
        if (events.length > 0) return { done: false, value: events }
      }
      return DONE
    } catch (thrown) {
      await this.return()
      throw thrown
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#over = true
    await this.#chunks.return?.()
    return DONE
  }

  #read({ done, value }: IteratorResult<Uint8Array>): readonly SseEvent[] {
    if (done) {
      this.#over = true
      return this.#parser.end()
    }
    // A stream never starts with a tag; a login or error page does.
    if (!this.#started && value[0] === 60) throw this.#notEvents(value)
    this.#started = true
    return this.#parser.push(value)
  }

  #notEvents(chunk: Uint8Array): ModelResponseError {
    const what = describeText(this.#settings, new TextDecoder().decode(chunk))
    return new ModelResponseError(
      'invalid-response',
      `${this.#settings.provider} sent ${what} instead of events.`,
    )
  }

  async #leave(): Promise<IteratorReturnResult<undefined>> {
    await settlesWithin(this.#settings.clock, LINGER_MS, this.#readToEnd())
    return this.#close()
  }

  /** The answer is complete. Closing is not awaited: a body that waits for its server would close only after it. */
  #close(): IteratorReturnResult<undefined> {
    this.return().catch(() => {})
    return DONE
  }

  async #readToEnd(): Promise<void> {
    // The answer was complete; how its connection ends changes nothing.
    while (!(await this.#chunks.next()).done);
  }
}
