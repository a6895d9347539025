/** Ends a run that is not wanted any more, and undoes what it did where its tools can. */
import { checkOptions, ConfigurationError } from 'toolwright'
import { patiently } from '../database/patiently.ts'
import type { CancelOptions, CancelReport } from '../durable-run.ts'
import { askForUndo, awaitUndo } from './await-undo.ts'
import { unknownRun } from './decide-run.ts'
import type { OpenRuns } from './open-runs.ts'
import { readStanding } from './run-rows.ts'
import { CALLER_PATIENCE } from './start-run.ts'

export async function cancelRun(
  open: OpenRuns,
  runId: string,
  options: CancelOptions = {},
): Promise<CancelReport> {
  checkCancel(options)
  options.signal?.throwIfAborted()
  const { pool } = open
  const before = await patiently(() => readStanding(pool, runId), CALLER_PATIENCE)
  if (!before) throw unknownRun(runId)
  const { rowCount } = await patiently(
    () =>
      pool.query(
        `update toolwright.runs set status = 'cancelled', pending = null, error = null, updated_at = now()
         where run_id = $1 and status in ('running', 'suspended', 'blocked')`,
        [runId],
      ),
    CALLER_PATIENCE,
  )
  // From here on no step begins. DBOS hears of it next, and tells the worker; the sweep makes up for a crash between.
  const after = await patiently(() => readStanding(pool, runId), CALLER_PATIENCE)
  const isCancelled = after?.status === 'cancelled'
  if (isCancelled)
    await patiently(() => open.dbos.cancelWorkflow(after.workflow_id), CALLER_PATIENCE)
  open.watch.poke()
  const cancelled = rowCount === 1
  const mayUndo = options.undo === true && UNDOABLE.includes(after?.status ?? '')
  if (!mayUndo || !(await hasBegunCalls(open, runId)))
    return { cancelled, undone: [], notUndone: [] }
  await askForUndo(open, runId)
  return { cancelled, ...(await awaitUndo(open, runId, options.signal)) }
}

function checkCancel(options: CancelOptions): void {
  checkOptions('cancel()', options, ['undo', 'signal'])
  const { undo = false, signal } = options
  if (typeof undo !== 'boolean')
    throw new ConfigurationError('invalid-option', 'undo is true or false.')
  if (signal !== undefined && typeof signal?.aborted !== 'boolean')
    throw new ConfigurationError('invalid-option', 'signal is an AbortSignal.')
}

/** A run that failed may have left as much behind as one that was cancelled. What is done shall stay. */
const UNDOABLE: readonly string[] = ['cancelled', 'failed', 'limit']

async function hasBegunCalls({ pool }: OpenRuns, runId: string): Promise<boolean> {
  const { rows } = await patiently(
    () => pool.query('select 1 from toolwright.effects where run_id = $1 limit 1', [runId]),
    CALLER_PATIENCE,
  )
  return rows.length > 0
}
