/**
 * One reader of a run's events. Written out instead of as a generator: a stream has thousands of events,
 * and what has already arrived should cost its reader one promise each.
 */
import type { ChatEvent } from '../messages/chat-event.ts'

/** What a reader needs of its run. */
export interface EventSource {
  readonly events: readonly ChatEvent[]
  readonly settled: boolean
  /** Resolves when there is something new: an event, or the end. */
  more(): Promise<void>
  /** Throws what the run failed with. */
  throwFailure(): void
  /** One reader fewer. */
  leave(): void
}

/** Something to iterate over once, and to leave at any time. */
export interface RunIterator<T> extends AsyncIterableIterator<T, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

export class EventReader implements RunIterator<ChatEvent> {
  readonly #source: EventSource
  #index = 0
  #left = false

  constructor(source: EventSource) {
    this.#source = source
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<ChatEvent, undefined>> {
    const value = this.#left ? undefined : this.#source.events[this.#index]
    if (!value) return this.#later()
    this.#index++
    return Promise.resolve({ done: false, value })
  }

  /** The next event, if it has already arrived. */
  take(): ChatEvent | undefined {
    const event = this.#left ? undefined : this.#source.events[this.#index]
    if (!event) return undefined
    this.#index++
    return event
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    if (!this.#left) this.#source.leave()
    this.#left = true
    return DONE
  }

  async #later(): Promise<IteratorResult<ChatEvent, undefined>> {
    const { events } = this.#source
    while (!this.#left) {
      const value = events[this.#index]
      if (value) {
        this.#index++
        return { done: false, value }
      }
      if (this.#source.settled) {
        this.#left = true
        this.#source.throwFailure()
      } else {
        await this.#source.more()
      }
    }
    return DONE
  }
}
