/**
 * One reader of a run: of its events, or of pieces made of them. Written out instead of as a generator: a
 * stream has thousands of events, and what has already arrived should cost its reader one promise each. Like a
 * generator it answers in the order in which it was asked, however many calls of `next()` wait at once.
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

/** What a reader gets instead of the events. */
export interface Pieces<T> {
  /** The piece that comes with an event, if any. */
  of(event: ChatEvent): T | undefined
  /** What is left when the run has ended and did not fail. */
  last(): Promise<T | undefined>
}

/** Something to iterate over once, and to leave at any time. */
export interface RunIterator<T> extends AsyncIterableIterator<T, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

export class RunReader<T> implements RunIterator<T> {
  readonly #source: EventSource
  /** Without them the events themselves are read. */
  readonly #pieces: Pieces<T> | undefined
  #index = 0
  #left = false
  /** Calls of `next()` that have no answer yet. All but the oldest stand in the queue. */
  #waiting = 0
  #queue: (() => void)[] | undefined

  constructor(source: EventSource, pieces?: Pieces<T>) {
    this.#source = source
    this.#pieces = pieces
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const { events } = this.#source
    // An event that has arrived belongs to the reader who asked first.
    while (this.#waiting === 0 && !this.#left && this.#index < events.length) {
      const event = events[this.#index++]!
      const value = this.#pieces ? this.#pieces.of(event) : (event as T)
      if (value !== undefined) return Promise.resolve({ done: false, value })
    }
    return this.#later()
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    if (!this.#left) this.#source.leave()
    this.#left = true
    return DONE
  }

  async #later(): Promise<IteratorResult<T, undefined>> {
    if (this.#waiting++ > 0) await new Promise<void>((turn) => (this.#queue ??= []).push(turn))
    try {
      const { events } = this.#source
      while (!this.#left) {
        const event = events[this.#index]
        if (event) {
          this.#index++
          const value = this.#pieces ? this.#pieces.of(event) : (event as T)
          if (value !== undefined) return { done: false, value }
        } else if (this.#source.settled) {
          this.#left = true
          this.#source.throwFailure()
          const value = await this.#pieces?.last()
          if (value !== undefined) return { done: false, value }
        } else {
          await this.#source.more()
        }
      }
      return DONE
    } finally {
      this.#waiting--
      this.#queue?.shift()?.()
    }
  }
}
