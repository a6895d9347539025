/**
 * How many further tries all runs of one model may make together. When a provider is down, retries would
 * multiply the load that keeps it down; so of the questions of the last minute at most a tenth are asked again.
 */
import type { Clock } from '../../ports/clock.ts'

const SHARE = 0.1
/** So that a program with few questions can still retry each of them. */
const AT_LEAST = 10
const WINDOW_MS = 60_000

interface Counts {
  asked: number
  retried: number
}

export class RetryBudget {
  readonly #clock: Clock
  #since = -Infinity
  #before: Counts = { asked: 0, retried: 0 }
  #now: Counts = { asked: 0, retried: 0 }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A question is asked for the first time. */
  asked(): void {
    this.#turn()
    this.#now.asked++
  }

  /** Whether one more try is within the budget; it is then counted. */
  take(): boolean {
    this.#turn()
    const asked = this.#before.asked + this.#now.asked
    const retried = this.#before.retried + this.#now.retried
    if (retried >= Math.max(AT_LEAST, Math.floor(asked * SHARE))) return false
    this.#now.retried++
    return true
  }

  /** Two halves of the window take turns, so that nothing has to be remembered for each question. */
  #turn(): void {
    const now = this.#clock.monotonic()
    const age = now - this.#since
    if (age >= 0 && age < WINDOW_MS / 2) return
    this.#before = age >= 0 && age < WINDOW_MS ? this.#now : { asked: 0, retried: 0 }
    this.#now = { asked: 0, retried: 0 }
    this.#since = now
  }
}
