/**
 * Runs that DBOS has given to this worker, and that do not run here: the answer to taking them from the queue was lost
 * with its connection, or whoever ran them gave up. As long as this worker lives nobody else would take them.
 */
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import type { OpenRuns } from '../runs/open-runs.ts'

/** Looks anew: a run that was just taken from the queue is about to begin. */
export class Stranded {
  readonly #times: number
  #seen: ReadonlyMap<string, number> = new Map()

  /** `times`: how often a run is seen without anybody running it before it goes back to the queue. */
  constructor(times: number) {
    this.#times = times
  }

  async requeue({ pool, schema, executorId }: OpenRuns): Promise<void> {
    const { rows } = await pool.query<{ readonly id: string; readonly token: string }>({
      name: 'toolwright-given',
      text: `select workflow_uuid as id, owner_xid as token from "${schema}".workflow_status
        where status = 'PENDING' and executor_id = $1 and application_name = 'toolwright' and owner_xid is not null`,
      values: [executorId],
    })
    const here = DBOSExecutor.globalInstance?.systemDatabase
    const seen = new Map<string, number>()
    for (const { id, token } of rows) {
      if (!here || here.checkForRunningWorkflow(id)) continue
      const key = `${token} ${id}`
      const times = (this.#seen.get(key) ?? 0) + 1
      seen.set(key, times)
      if (times <= this.#times) continue
      // The token is checked: should it begin after all, it has no say any more.
      await pool.query(
        `update "${schema}".workflow_status set status = 'ENQUEUED', owner_xid = null, started_at_epoch_ms = null
         where workflow_uuid = $1 and owner_xid = $2 and status = 'PENDING'`,
        [id, token],
      )
    }
    this.#seen = seen
  }
}
