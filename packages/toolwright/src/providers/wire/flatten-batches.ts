/**
 * Batches of events as single events. An async generator would do it in three lines, at three
 * promises per event; this needs one, and a stream has thousands.
 */
import { REST, type BatchedIterator } from '../../internal/each-of.ts'

export function flattenBatches<T>(
  batches: AsyncGenerator<readonly T[], void>,
): AsyncIterableIterator<T> {
  return new FlatBatches(batches)
}

class FlatBatches<T> implements AsyncIterableIterator<T>, BatchedIterator<T> {
  readonly #batches: AsyncGenerator<readonly T[], void>
  #batch: readonly T[] = []
  #taken = 0
  #advancing: Promise<IteratorResult<T>> | undefined

  constructor(batches: AsyncGenerator<readonly T[], void>) {
    this.#batches = batches
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<T>> {
    // Asked again before the answer to the last question: answers keep the order of the questions.
    if (this.#advancing !== undefined) return this.#after(this.#advancing)
    if (this.#taken < this.#batch.length) {
      return Promise.resolve({ done: false, value: this.#batch[this.#taken++]! })
    }
    this.#advancing = this.#advance()
    return this.#advancing
  }

  [REST](): readonly T[] {
    const rest = this.#batch.slice(this.#taken)
    this.#taken = this.#batch.length
    return rest
  }

  async return(): Promise<IteratorResult<T>> {
    this.#batch = []
    await this.#batches.return()
    return { done: true, value: undefined }
  }

  async #advance(): Promise<IteratorResult<T>> {
    try {
      for (;;) {
        const { done, value } = await this.#batches.next()
        if (done) return { done: true, value: undefined }
        if (value.length === 0) continue
        this.#batch = value
        this.#taken = 1
        return { done: false, value: value[0]! }
      }
    } finally {
      this.#advancing = undefined
    }
  }

  async #after(earlier: Promise<unknown>): Promise<IteratorResult<T>> {
    await earlier.catch(() => {})
    return this.next()
  }
}
