/** What of a run is under way, and what its parts read of the clock. */
import type { Clock } from '../ports/clock.ts'
import type { Ending } from './told.ts'

/** A part of a run from its start on. */
export interface Part {
  readonly isOver: boolean
  isIn(outer: Part): boolean
  /** Ends with what is around it. */
  endIn(around: Ending): void
}

export class Underway {
  readonly #clock: Clock
  /** In the order in which they started. What is over stays until all that started later is, too. */
  readonly #parts: Part[] = []
  /** How many parts end, or turn to their next round, at present. */
  #turns = 0
  #turnedAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** One reading for all that ends and starts at one turn. */
  now(): number {
    if (this.#turns === 0) return this.#clock.monotonic()
    return (this.#turnedAt ??= this.#clock.monotonic())
  }

  turn(): void {
    this.#turns++
  }

  turned(): void {
    if (--this.#turns === 0) this.#turnedAt = undefined
  }

  started(part: Part): void {
    this.#parts.push(part)
  }

  ended(): void {
    const parts = this.#parts
    while (parts.length > 0 && parts[parts.length - 1]!.isOver) parts.pop()
  }

  /** Ends what is still open inside, in the order in which it started. */
  endInside(outer: Part, around: Ending): void {
    const parts = this.#parts
    for (let at = parts.lastIndexOf(outer) + 1; at < parts.length; at++) {
      const part = parts[at]!
      if (!part.isOver && part.isIn(outer)) part.endIn(around)
    }
  }
}
