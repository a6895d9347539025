/**
 * One streamed answer as chat events: asks, reads, converts, and decides what a failure means. Events that
 * arrive together are handed on together. Written out instead of as a generator: a generator needs three
 * promises per event, and cannot be left while it waits.
 */
import { ModelResponseError, ProviderError } from '../../errors/errors.ts'
import type { Notice } from '../../errors/notices.ts'
import { requestIdOf } from '../../errors/refusal-facts.ts'
import { REST, type BatchedIterator } from '../../internal/each-of.ts'
import { Aborter, follow } from '../../internal/on-abort.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { TransportResponse } from '../../ports/transport.ts'
import { shorten } from '../../schema/describe-value.ts'
import { AnswerEvents } from './answer-events.ts'
import type { ChatDialect, StreamConverter, WireQuestion } from './chat-dialect.ts'
import { EventBatches } from './event-batches.ts'
import { isJsonAnswer } from './exchange.ts'
import { RaisedAnswer } from './raised-answer.ts'
import { RecordReader } from './record-reader.ts'
import type { SseEvent } from './sse.ts'
import { unreadable, wholeAnswer } from './whole-answer.ts'
import { wholeAnswerEvents } from './whole-answer-events.ts'
import type { WireSettings } from './wire-settings.ts'

/** What is heard while a question is put. */
export interface Heard {
  /** Something worth knowing. */
  tell(notice: Notice): void
  /** Which question it is. */
  onQuestion(question: WireQuestion): void
}

export interface StreamedQuestion {
  readonly settings: WireSettings
  readonly dialect: ChatDialect
  /** Puts the question; called when the first event is asked for. */
  ask(signal: AbortSignal, heard: Heard): Promise<TransportResponse>
  /** The name of a tool by its name on the wire; both are asked for after `ask`. */
  ownName(wireName: string): string
  /** The response with the tools' own names. */
  ownNames(response: ChatResponse): ChatResponse
  readonly signal: AbortSignal | undefined
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }
const NONE: readonly ChatEvent[] = []

export class StreamedAnswer
  implements AsyncIterableIterator<ChatEvent>, BatchedIterator<ChatEvent>
{
  readonly #question: StreamedQuestion
  readonly #events: AnswerEvents
  readonly #reader: RecordReader
  readonly #converter: StreamConverter
  readonly #aborter = new Aborter()
  #raised: RaisedAnswer | undefined
  #unfollow: (() => void) | undefined
  #records: EventBatches | undefined
  #batch: readonly ChatEvent[] = NONE
  #taken = 0
  #advancing: Promise<IteratorResult<ChatEvent>> | undefined
  #failure: { readonly thrown: unknown } | undefined
  #isOver = false

  constructor(question: StreamedQuestion) {
    const { settings, dialect } = question
    this.#question = question
    this.#events = new AnswerEvents(false, (wireName) => question.ownName(wireName))
    this.#reader = new RecordReader(settings, this.#events, dialect)
    this.#converter = dialect.streamConverter(this.#events)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<ChatEvent>> {
    // Asked again before the last answer came: answers keep the order of the questions.
    if (this.#advancing !== undefined) return this.#after(this.#advancing)
    if (this.#taken < this.#batch.length)
      return Promise.resolve({ done: false, value: this.#batch[this.#taken++]! })
    this.#advancing = this.#advance()
    return this.#advancing
  }

  [REST](): readonly ChatEvent[] {
    const rest = this.#batch.slice(this.#taken)
    this.#taken = this.#batch.length
    return rest
  }

  /** The reader leaves: the connection is closed at once, also while it is waited for. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#batch = NONE
    this.#taken = 0
    if (this.#isOver) return DONE
    this.#end()
    const closing = this.#records?.return()
    if (this.#advancing === undefined) {
      await closing
    } else {
      // The transport waits for the answer or for the next piece of it, and its end need not be awaited.
      closing?.catch(() => {})
      this.#aborter.abort('The reader left.')
    }
    return DONE
  }

  async #after(earlier: Promise<unknown>): Promise<IteratorResult<ChatEvent>> {
    await earlier.catch(() => {})
    return this.next()
  }

  async #advance(): Promise<IteratorResult<ChatEvent>> {
    try {
      while (!this.#isOver) {
        let batch: readonly ChatEvent[]
        try {
          if (this.#failure !== undefined) throw this.#failure.thrown
          batch = this.#records ? this.#read(await this.#records.next()) : await this.#begin()
        } catch (thrown) {
          batch = await this.#failed(thrown)
        }
        if (batch.length === 0) continue
        this.#batch = batch
        this.#taken = 1
        return { done: false, value: batch[0]! }
      }
      return DONE
    } finally {
      this.#advancing = undefined
    }
  }

  async #begin(): Promise<readonly ChatEvent[]> {
    let response: TransportResponse
    try {
      response = await this.#ask()
    } catch (thrown) {
      // What was told on the way is shown first.
      this.#failure = { thrown }
      return this.#events.take()
    }
    if (this.#isOver) await response.body[Symbol.asyncIterator]().return?.()
    else if (isJsonAnswer(response)) return this.#readWhole(response)
    else this.#records = this.#open(response)
    return NONE
  }

  #read({ done, value }: IteratorResult<readonly SseEvent[], undefined>): readonly ChatEvent[] {
    if (this.#isOver) return NONE
    return done ? this.#finish() : this.#convert(value)
  }

  #ask(): Promise<TransportResponse> {
    const { ask, signal, dialect } = this.#question
    if (signal) this.#unfollow = follow(signal, (reason) => this.#aborter.abort(reason))
    return ask(this.#aborter.signal, {
      tell: ({ code, message }) => this.#events.notice(code, message),
      onQuestion: (asked) => {
        this.#raised = new RaisedAnswer(dialect, asked)
      },
    })
  }

  async #readWhole(response: TransportResponse): Promise<readonly ChatEvent[]> {
    const { settings, dialect } = this.#question
    const answer = await wholeAnswer(response, settings, dialect)
    this.#end()
    const own = this.#question.ownNames(answer)
    return [...this.#events.take(), ...wholeAnswerEvents(this.#raised?.response(own) ?? own)]
  }

  #open(response: TransportResponse): EventBatches {
    const { settings, dialect } = this.#question
    const { framing = 'sse' } = dialect
    this.#reader.requestId = requestIdOf(response)
    return new EventBatches(response, settings, {
      framing,
      hasEnded: () => this.#hasEnded,
      isComplete: () => this.#converter.isComplete,
    })
  }

  get #hasEnded(): boolean {
    return this.#reader.hasEnded || this.#converter.hasEnded
  }

  /** Events before a failure still count; it is thrown when they have been read. */
  #convert(records: readonly SseEvent[]): readonly ChatEvent[] {
    try {
      for (const record of records) {
        if (this.#hasEnded) break
        const value = this.#reader.read(record)
        if (value !== undefined) this.#converter.take(value, record.event)
      }
    } catch (thrown) {
      this.#failure = { thrown: unreadable(thrown, this.#events.partial) }
    }
    return this.#shown(this.#events.take())
  }

  #shown(events: readonly ChatEvent[]): readonly ChatEvent[] {
    return this.#raised?.events(events) ?? events
  }

  #finish(): readonly ChatEvent[] {
    if (!this.#converter.isComplete)
      throw this.#incomplete(this.#hasEnded ? 'without a finish reason' : 'before its end')
    const response = this.#question.ownNames(this.#converter.finish())
    this.#end()
    return this.#shown([...this.#events.take(), { type: 'response', response }])
  }

  /** Whatever breaks after the provider said how the answer ended costs nothing of it. */
  async #failed(thrown: unknown): Promise<readonly ChatEvent[]> {
    if (this.#isOver) return NONE
    await this.#records?.return()
    if (this.#converter.isComplete && !this.#question.signal?.aborted) return this.#finish()
    this.#end()
    const isBroken = thrown instanceof ProviderError && thrown.code === 'provider-unreachable'
    throw isBroken && this.#records !== undefined
      ? this.#incomplete('because the connection broke', thrown)
      : thrown
  }

  #incomplete(how: string, cause?: unknown): ModelResponseError {
    const { openCall, partial } = this.#events
    const where = openCall === undefined ? '' : ` inside the call of tool "${shorten(openCall)}"`
    const message = `The stream of ${this.#question.settings.provider} ended ${how}${where}, after ${this.#reader.count} events.`
    return new ModelResponseError('incomplete-stream', message, {
      partial: this.#raised?.partial ?? partial,
      retryable: true,
      ...(cause !== undefined && { cause }),
    })
  }

  #end(): void {
    this.#isOver = true
    this.#unfollow?.()
  }
}
