/** Waits for runs to rest, for any number of readers with one query. */
import type { Pool } from 'pg'
import { passes, toDatabaseError } from '../database/fault.ts'

const POLL_MS = 100

/** How a run stands that is not there any more: whoever waits for it has nothing to wait for. */
const FORGOTTEN = { status: 'forgotten', segment: Infinity }

/** How a run stood when it was looked at: something else means that something has happened. */
interface Waiting {
  readonly isOver: (status: string, segment: number) => boolean
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export class RunWatch {
  readonly #pool: Pool
  readonly #waiting = new Map<string, Set<Waiting>>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #closed: Error | undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Resolves when the run stands as asked for; rejects when the watch is closed. */
  until(runId: string, isOver: Waiting['isOver']): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closed)
    return new Promise((resolve, reject) => {
      const all = this.#waiting.get(runId) ?? new Set()
      this.#waiting.set(runId, all.add({ isOver, resolve, reject }))
      this.#schedule(0)
    })
  }

  /** Something has happened here: no need to wait for the next look. */
  poke(): void {
    if (this.#waiting.size === 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#schedule(0)
  }

  close(error: Error): void {
    this.#closed = error
    clearTimeout(this.#timer)
    this.#rejectAll(error)
  }

  #rejectAll(error: Error): void {
    for (const all of this.#waiting.values()) for (const each of all) each.reject(error)
    this.#waiting.clear()
  }

  #schedule(ms: number): void {
    if (this.#isLooking || this.#waiting.size === 0) return
    this.#timer ??= setTimeout(() => void this.#look(), ms)
  }

  async #look(): Promise<void> {
    this.#timer = undefined
    this.#isLooking = true
    const asked = [...this.#waiting.keys()]
    try {
      const { rows } = await this.#pool.query<{ run_id: string; status: string; segment: number }>({
        name: 'toolwright-watch',
        text: 'select run_id, status, segment from toolwright.runs where run_id = any($1)',
        values: [asked],
      })
      const standing = new Map(rows.map((row) => [row.run_id, row]))
      for (const runId of asked) {
        const { status, segment } = standing.get(runId) ?? FORGOTTEN
        this.#tell(runId, status, segment)
      }
    } catch (error) {
      // A database that is away comes back; readers wait like their runs do.
      if (!passes(error)) this.#rejectAll(toDatabaseError(error))
    } finally {
      this.#isLooking = false
      this.#schedule(POLL_MS)
    }
  }

  #tell(runId: string, status: string, segment: number): void {
    const all = this.#waiting.get(runId)
    for (const each of all ?? [])
      if (each.isOver(status, segment)) {
        all!.delete(each)
        each.resolve()
      }
    if (all?.size === 0) this.#waiting.delete(runId)
  }
}
