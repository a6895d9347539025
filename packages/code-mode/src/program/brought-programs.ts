/**
 * Programs that were brought back to where they waited, to see whether they can go on. Whoever goes on within a moment takes
 * them as they are; the others are dropped, because a resume may be refused for other reasons.
 */
import type { Json } from 'toolwright'
import type { BroughtBack } from './bring-back.ts'

const MOMENT_MS = 5_000

export class BroughtPrograms {
  /** By the journal, which is an object of its own in every resume. */
  readonly #kept = new Map<Json, { readonly brought: BroughtBack; readonly timer: Timer }>()

  keep(journal: Json, brought: BroughtBack): void {
    this.take(journal)?.open.dispose()
    const timer = setTimeout(() => this.take(journal)?.open.dispose(), MOMENT_MS)
    timer.unref()
    this.#kept.set(journal, { brought, timer })
  }

  take(journal: Json | undefined): BroughtBack | undefined {
    const kept = journal === undefined ? undefined : this.#kept.get(journal)
    if (!kept) return undefined
    clearTimeout(kept.timer)
    this.#kept.delete(journal!)
    return kept.brought
  }
}

type Timer = ReturnType<typeof setTimeout>
