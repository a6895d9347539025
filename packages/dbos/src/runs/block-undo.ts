/**
 * Takes an undoing that its worker cannot do out of DBOS until one can, and puts it back: in one statement each, as for
 * the run itself.
 */
import type { Pool } from 'pg'
import type { Owner } from '../steps/owner.ts'
import { requeued, released } from './block-run.ts'
import { QUEUE, type OpenRuns } from './open-runs.ts'
import { undoIdOf } from './undo-plan.ts'
import type { UndoBlock } from './undo-block.ts'

/** Does nothing for a worker that owns the undoing no more. `runId` is that of the run, not that of the owner. */
export async function blockUndo(
  pool: Pool,
  { schema, workflowId, ownerXid }: Owner,
  { runId, block }: { readonly runId: string; readonly block: UndoBlock },
): Promise<void> {
  await pool.query(
    `with released as (${released(schema)})
     update toolwright.runs set undo_block = $4 where run_id = $3 and exists (select 1 from released)`,
    [workflowId, ownerXid, runId, JSON.stringify(block)],
  )
}

export async function unblockUndo({ pool, schema }: OpenRuns, runId: string): Promise<void> {
  await pool.query(
    `with freed as (
       update toolwright.runs set undo_block = null where run_id = $1 and undo_block is not null returning run_id)
     ${requeued(schema, '$2')} where workflow_uuid = $3 and exists (select 1 from freed)`,
    [runId, QUEUE, undoIdOf(runId)],
  )
}

/** DBOS has given it up, or somebody has stopped it with the tools of DBOS: asked for again, it is tried again. */
export async function retryUndo({ pool, schema }: OpenRuns, runId: string): Promise<void> {
  await pool.query(
    `${requeued(schema, '$2')} where workflow_uuid = $3 and status in ('MAX_RECOVERY_ATTEMPTS_EXCEEDED', 'ERROR', 'CANCELLED')
       and exists (select 1 from toolwright.runs where run_id = $1 and undo_block is null)`,
    [runId, QUEUE, undoIdOf(runId)],
  )
}
