/** Times that can be compared within a file and never go back while something is observed. */
import type { Clock } from '../../ports/clock.ts'

/** The monotonic clock may stand still while a machine sleeps. */
const MOST_DRIFT_MS = 1000

export class TracedTime {
  readonly #clock: Clock
  #offset: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offset = clock.now() - clock.monotonic()
  }

  /** Milliseconds since 1970, to the microsecond. */
  now(): number {
    return Math.round((this.#offset + this.#clock.monotonic()) * 1000) / 1000
  }

  /** To be called when a run starts and none is under way: follows the wall clock where that has moved away. */
  adjust(): void {
    const offset = this.#clock.now() - this.#clock.monotonic()
    if (Math.abs(offset - this.#offset) > MOST_DRIFT_MS) this.#offset = offset
  }
}
