/**
 * Takes a run that its worker cannot go on with out of DBOS until one can, and puts it back. The row of the run and
 * that of its workflow change in one statement each: a crash or a slow worker between the two would leave a run that
 * counts as running and that nobody runs.
 */
import type { Pool } from 'pg'
import type { Owner } from '../steps/owner.ts'
import type { Failure } from '../steps/failure.ts'
import { QUEUE, type OpenRuns } from './open-runs.ts'
import type { RunRow } from './run-rows.ts'

const NOW = '(extract(epoch from now()) * 1000)::bigint'

/**
 * Takes the workflow $1 of the owner $2 out of DBOS. Cancelled is the one state of DBOS that is left by resuming. Has no
 * row for a worker that owns it no more.
 */
export const released = (
  schema: string,
): string => `update "${schema}".workflow_status set status = 'CANCELLED', owner_xid = null, queue_name = null,
    started_at_epoch_ms = null, updated_at = ${NOW}, completed_at = ${NOW}
  where workflow_uuid = $1 and owner_xid = $2 and status = 'PENDING' returning workflow_uuid`

/** Puts workflows back into the queue; what follows says which. */
export const requeued = (
  schema: string,
  queue: string,
): string => `update "${schema}".workflow_status set status = 'ENQUEUED', owner_xid = null, queue_name = ${queue},
    recovery_attempts = 0, started_at_epoch_ms = null, updated_at = ${NOW}, completed_at = null`

/** Does nothing for a worker that owns the run no more. */
export async function blockRun(pool: Pool, owner: Owner, why: Failure): Promise<void> {
  await pool.query(
    `with released as (${released(owner.schema)})
     update toolwright.runs set status = 'blocked', error = $4, updated_at = now()
     where run_id = $3 and workflow_id = $1 and status = 'running' and exists (select 1 from released)`,
    [owner.workflowId, owner.ownerXid, owner.runId, JSON.stringify(why)],
  )
}

/** One of the workers that could go on with it puts it back into the queue. */
export async function unblockRun(
  { pool, schema }: OpenRuns,
  { run_id: runId, workflow_id: workflowId }: Pick<RunRow, 'run_id' | 'workflow_id'>,
): Promise<void> {
  await pool.query(
    `with freed as (
       update toolwright.runs set status = 'running', error = null, updated_at = now()
       where run_id = $1 and workflow_id = $2 and status = 'blocked' returning workflow_id)
     ${requeued(schema, '$3')} where workflow_uuid in (select workflow_id from freed)`,
    [runId, workflowId, QUEUE],
  )
}
