/**
 * Runs inside others that write lines of their own: the run around them gets their events too, and does not write
 * them again. Those that started long ago are forgotten; a reader knows what was written twice.
 */
const MOST = 10_000

export class InnerRuns {
  readonly #ids = new Set<string>()

  add(runId: string | undefined): void {
    if (runId === undefined) return
    this.#ids.add(runId)
    if (this.#ids.size > MOST) for (const oldest of this.#ids) return void this.#ids.delete(oldest)
  }

  has(runId: string): boolean {
    return this.#ids.has(runId)
  }
}
