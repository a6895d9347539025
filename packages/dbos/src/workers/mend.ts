/** What a crash can leave half done, and what only time brings: looked for now and then by every worker. */
import { DurabilityError } from 'toolwright'
import { failureOf } from '../steps/failure.ts'
import { unblockRun } from '../runs/block-run.ts'
import { unblockUndo } from '../runs/block-undo.ts'
import type { UndoBlock } from '../runs/undo-block.ts'
import type { OpenRuns } from '../runs/open-runs.ts'
import { inputOf, USED, type SegmentRow } from '../runs/run-rows.ts'
import { fitnessOf } from '../runs/fitness-of.ts'
import { undoFitness } from '../runs/undo-fitness.ts'

export async function mend(open: OpenRuns): Promise<void> {
  await cancelForgotten(open)
  await takeCancelled(open)
  await giveUp(open)
  // Who runs nothing would put back for ever what the workers cannot go on with.
  if (open.isWorker) await unblock(open)
  if (open.isWorker) await unblockUndos(open)
  await forgetOld(open)
}

/** The row says cancelled, and the worker that wrote it died before DBOS heard of it. */
async function cancelForgotten({ pool, schema, dbos }: OpenRuns): Promise<void> {
  const { rows } = await pool.query<{ workflow_id: string }>(
    `select r.workflow_id from toolwright.runs r join "${schema}".workflow_status s on s.workflow_uuid = r.workflow_id
     where s.status in ('PENDING', 'ENQUEUED') and s.application_name = 'toolwright' and r.status = 'cancelled' limit 100`,
  )
  for (const { workflow_id } of rows) await dbos.cancelWorkflow(workflow_id)
}

/** Somebody has cancelled the workflow with the tools of DBOS. */
async function takeCancelled({ pool, schema }: OpenRuns): Promise<void> {
  await pool.query(
    `update toolwright.runs r set status = 'cancelled', pending = null, updated_at = now()
     from "${schema}".workflow_status s
     where s.workflow_uuid = r.workflow_id and s.status = 'CANCELLED' and r.status = 'running'`,
  )
}

/** DBOS gives up a workflow that was begun again and again, or that it could not even begin; so its run has ended. */
async function giveUp({ pool, schema }: OpenRuns): Promise<void> {
  const why = new DurabilityError(
    'durable-given-up',
    'Its workers died again and again while they ran it, or could not begin it.',
  )
  await pool.query(
    `update toolwright.runs r set status = 'failed', error = $1, updated_at = now()
     from "${schema}".workflow_status s
     where s.workflow_uuid = r.workflow_id and s.status in ('MAX_RECOVERY_ATTEMPTS_EXCEEDED', 'ERROR') and r.status = 'running'`,
    [JSON.stringify(failureOf(why))],
  )
}

type BlockedRun = Pick<SegmentRow, 'run_id' | 'client' | 'used' | 'workflow_id' | 'input'> & {
  readonly number: string
}

const BLOCKED_AT_ONCE = 100

/** Runs that another worker could not go on with, and this one can. All are looked at: any may be the one. */
async function unblock(open: OpenRuns): Promise<void> {
  const { pool, clients } = open
  for (let after = '0'; ;) {
    const { rows } = await pool.query<BlockedRun>(
      `select number, run_id, client, workflow_id, input, ${USED} as used from toolwright.runs r
       where status = 'blocked' and client = any($1) and number > $2 order by number limit ${BLOCKED_AT_ONCE}`,
      [[...clients.keys()], after],
    )
    for (const row of rows) {
      if (open.misfits.has(row.workflow_id)) continue
      if (!('misfit' in (await fitnessOf(open, row)))) await unblockRun(open, row)
    }
    if (rows.length < BLOCKED_AT_ONCE) return
    after = rows.at(-1)!.number
  }
}

interface BlockedUndo {
  readonly number: string
  readonly run_id: string
  readonly client: string
  readonly undo_block: string
  readonly input: string
}

/** What another worker could not undo, and this one can. */
async function unblockUndos(open: OpenRuns): Promise<void> {
  const { pool, clients } = open
  for (let after = '0'; ;) {
    const { rows } = await pool.query<BlockedUndo>(
      `select number, run_id, client, undo_block, input from toolwright.runs
       where undo_block is not null and client = any($1) and number > $2 order by number limit ${BLOCKED_AT_ONCE}`,
      [[...clients.keys()], after],
    )
    for (const row of rows) {
      const { run_id: runId, client } = row
      const { needs } = JSON.parse(row.undo_block) as UndoBlock
      const { options, toolContext } = inputOf(row)
      const run = { runId, client, toolNames: options?.toolNames, toolContext }
      if (!('misfit' in (await undoFitness(open, run, needs)))) await unblockUndo(open, runId)
    }
    if (rows.length < BLOCKED_AT_ONCE) return
    after = rows.at(-1)!.number
  }
}

/**
 * Runs that ended long ago, with everything that belongs to them: a run that is started under the same id later must
 * find no record of theirs. DBOS keeps inputs, outputs and steps without a reference to their workflow. An undoing
 * that is not through keeps its run.
 */
async function forgetOld({ pool, schema, retentionMs }: OpenRuns): Promise<void> {
  if (retentionMs === undefined) return
  const ofDbos = (table: string): string =>
    `delete from "${schema}".${table} where workflow_uuid in (select id from workflows)`
  await pool.query(
    `with old as (
       delete from toolwright.runs where run_id in (
         select run_id from toolwright.runs r
         where status in ('done', 'limit', 'failed', 'cancelled')
           and updated_at < now() - make_interval(secs => $1)
           and undo_block is null
           and not exists (select 1 from "${schema}".workflow_status
             where workflow_uuid = r.run_id || '/undo' and status in ('ENQUEUED', 'PENDING'))
         order by updated_at limit 500 for update skip locked)
       returning run_id, segment),
     workflows as (
       select run_id as id from old
       union all select run_id || '/undo' from old
       union all select run_id || '/' || number from old, generate_series(1, segment) number),
     begun as (delete from toolwright.effects where run_id in (select id from workflows)),
     told as (delete from toolwright.events where run_id in (select run_id from old)),
     asked as (${ofDbos('workflow_input')}),
     given as (${ofDbos('workflow_output')}),
     done as (${ofDbos('operation_outputs')})
     ${ofDbos('workflow_status')}`,
    [retentionMs / 1000],
  )
}
