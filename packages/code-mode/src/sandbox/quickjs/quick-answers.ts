/**
 * Whether the other thread answers within a moment. To wake a thread that sleeps costs more than most turns and most calls
 * of tools take, so each side stays awake for a moment after it asked. Where that was in vain, because a tool took longer
 * or the machine is busy, it is not tried again for a while, which grows with each time. How long an answer took to a side
 * that slept says nothing: most of that is waking.
 */
import { availableParallelism } from 'node:os'

/** Long beside a turn, because a core may be taken away meanwhile; what slow tools cost so is bounded by the rests. */
const MOMENT_MS = 2
/** On one core the other side could not answer meanwhile. */
const CAN_WAIT = availableParallelism() > 1
/** Answers that are let pass after a vain wait, at first and at most, and how many good waits begin that anew. Measured: `npm run bench -- code`. */
const FIRST_REST = 2
const LONGEST_REST = 64
const GOOD = 4

export class QuickAnswers {
  #askedAt: number | undefined
  #isNear = CAN_WAIT
  /** Answers that are still let pass. */
  #rest = 0
  #nextRest = FIRST_REST
  #good = 0

  asked(): void {
    this.#askedAt = performance.now()
  }

  answered(): void {
    if (this.#askedAt === undefined) return
    this.#askedAt = undefined
    if (this.#isNear) this.#hit()
    else if (this.#rest > 0) this.#rest--
    else this.#isNear = CAN_WAIT
  }

  /** Whether to stay awake. To be asked again and again: the moment passes. */
  areNear(): boolean {
    if (this.#askedAt === undefined) return false
    if (this.#isNear && performance.now() - this.#askedAt >= MOMENT_MS) this.#miss()
    return this.#isNear
  }

  #hit(): void {
    if (++this.#good % GOOD === 0) this.#nextRest = FIRST_REST
  }

  #miss(): void {
    this.#isNear = false
    this.#good = 0
    this.#rest = this.#nextRest
    this.#nextRest = Math.min(2 * this.#nextRest, LONGEST_REST)
  }
}
