/**
 * Finds workers that are dead and hands their runs over. Dead is a worker whose counter did not move while this
 * worker looked several times in a row; whatever keeps this worker from looking starts the count anew.
 */
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import type { Pool } from 'pg'

export interface SweepParts {
  readonly pool: Pool
  readonly schema: string
  readonly executorId: string
  readonly heartbeatMs: number
  readonly missedHeartbeats: number
}

interface SeenWorker {
  readonly beats: string
  /** How often it was seen with as many beats. */
  readonly times: number
}

interface WorkerRow {
  readonly executor_id: string
  readonly beats: string
  readonly stopped: boolean
}

export class Sweep {
  readonly #parts: SweepParts
  #seen: ReadonlyMap<string, SeenWorker> = new Map()
  #lastMs = performance.now()

  constructor(parts: SweepParts) {
    this.#parts = parts
  }

  /** Something went wrong: what was seen before says nothing about who lives. */
  forget(): void {
    this.#seen = new Map()
  }

  async look(): Promise<void> {
    const { heartbeatMs, missedHeartbeats } = this.#parts
    const now = performance.now()
    // This process itself was held up, so the others may have been, too.
    if (now - this.#lastMs > 3 * heartbeatMs) this.forget()
    this.#lastMs = now
    const workers = await this.#others()
    const seen = new Map<string, SeenWorker>()
    for (const { executor_id: id, beats, stopped } of workers) {
      const before = this.#seen.get(id)
      const times = before?.beats === beats ? before.times + 1 : 0
      if (stopped || times >= missedHeartbeats) await this.#takeOver(id, beats)
      else seen.set(id, { beats, times })
    }
    this.#seen = seen
  }

  /** The other workers, and names that have runs but no worker. */
  async #others(): Promise<readonly WorkerRow[]> {
    const { pool, schema, executorId } = this.#parts
    const { rows } = await pool.query<WorkerRow>({
      name: 'toolwright-workers',
      text: `select executor_id, beats::text, stopped from toolwright.workers where executor_id <> $1
        union all
        select distinct executor_id, '', false from "${schema}".workflow_status s
        where status = 'PENDING' and application_name = 'toolwright' and executor_id <> $1
          and not exists (select 1 from toolwright.workers w where w.executor_id = s.executor_id)`,
      values: [executorId],
    })
    return rows
  }

  /** DBOS puts its runs back into their queue, where exactly one worker gets each. */
  async #takeOver(id: string, beats: string): Promise<void> {
    await DBOSExecutor.globalInstance?.recoverPendingWorkflows([id])
    await this.#parts.pool.query(
      'delete from toolwright.workers where executor_id = $1 and beats::text = $2',
      [id, beats],
    )
  }
}
