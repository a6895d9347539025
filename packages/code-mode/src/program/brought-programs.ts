/**
 * Programs that were brought back to where they waited, to see whether they can go on. Whoever goes on within a moment takes
 * them as they are; the others are dropped, because a resume may be refused for other reasons.
 */
import type { Json } from 'toolwright'
import type { BroughtBack } from './bring-back.ts'

const MOMENT_MS = 5_000

/** What says where a program waits. Two of which all this is the same have come to the same point. */
export interface WaitingPlace {
  readonly code: string
  readonly toolNames: readonly string[]
  readonly journal: Json
}

export class BroughtPrograms {
  /** By all that says where they wait, because each resume has a copy of the state. Whole, because short hashes can be met. */
  readonly #kept = new Map<string, { readonly brought: BroughtBack; timer: Timer }>()

  keep(waiting: WaitingPlace, brought: BroughtBack): void {
    const key = keyOf(waiting)
    this.#take(key)?.open.dispose()
    this.#kept.set(key, { brought, timer: this.#drop(key) })
  }

  /** Whether one is here; then it is kept for another moment. */
  keepOn(waiting: WaitingPlace): boolean {
    const key = keyOf(waiting)
    const kept = this.#kept.get(key)
    if (!kept) return false
    clearTimeout(kept.timer)
    kept.timer = this.#drop(key)
    return true
  }

  take(waiting: WaitingPlace): BroughtBack | undefined {
    return this.#take(keyOf(waiting))
  }

  #take(key: string): BroughtBack | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    clearTimeout(kept.timer)
    this.#kept.delete(key)
    return kept.brought
  }

  #drop(key: string): Timer {
    const timer = setTimeout(() => this.#take(key)?.open.dispose(), MOMENT_MS)
    // Nobody has to be kept alive for it; browsers have numbers for timers.
    if (typeof timer === 'object') timer.unref()
    return timer
  }
}

const keyOf = ({ code, toolNames, journal }: WaitingPlace): string =>
  JSON.stringify([code, toolNames, journal])

type Timer = ReturnType<typeof setTimeout>
