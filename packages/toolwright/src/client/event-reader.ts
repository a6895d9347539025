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
  leave(reader: EventReader): void
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
    const event = this.take()
    return event ? Promise.resolve({ done: false, value: event }) : this.#later()
  }

  /** The next event, if it has already arrived. */
  take(): ChatEvent | undefined {
    const event = this.#left ? undefined : this.#source.events[this.#index]
    if (!event) return undefined
    this.#index++
    return event
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#left = true
    this.#source.leave(this)
    return DONE
  }

  async #later(): Promise<IteratorResult<ChatEvent, undefined>> {
    for (;;) {
      if (this.#left) return DONE
      const event = this.take()
      if (event) return { done: false, value: event }
      if (this.#source.settled) break
      await this.#source.more()
    }
    this.#left = true
    this.#source.throwFailure()
    return DONE
  }
}
