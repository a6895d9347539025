/** Asks a worker to undo what a run did, and waits for its report. */
import { DurabilityError } from 'toolwright'
import { inTransaction } from '../database/in-transaction.ts'
import { patiently } from '../database/patiently.ts'
import { errorOf } from '../steps/failure.ts'
import { retryUndo } from './block-undo.ts'
import type { UndoBlock } from './undo-block.ts'
import { UNDO_WORKFLOW, type OpenRuns } from './open-runs.ts'
import { CALLER_PATIENCE, workflowOf } from './start-run.ts'
import { undoIdOf } from './undo-plan.ts'
import type { UndoReport } from './undo-run.ts'

const LOOK_MS = 100

/** A workflow of its own: what it has undone is recorded, and another worker goes on with it. */
export async function askForUndo(open: OpenRuns, runId: string): Promise<void> {
  await patiently(
    () =>
      inTransaction(open.pool, (connection) =>
        open.dbos.enqueueInTransaction(
          connection,
          workflowOf(undoIdOf(runId), UNDO_WORKFLOW),
          runId,
        ),
      ),
    CALLER_PATIENCE,
  )
  await patiently(() => retryUndo(open, runId), CALLER_PATIENCE)
}

/** Rejects when the waiting is given up: the undoing stays asked for, and its report can be asked for again. */
export async function awaitUndo(
  open: OpenRuns,
  runId: string,
  signal: AbortSignal | undefined,
): Promise<UndoReport> {
  const { leaving, lookMs } = open
  const given = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal
  let blockedAt: number | undefined
  try {
    for (;;) {
      given.throwIfAborted()
      const { status, block } = await patiently(() => standingOf(open, runId), { signal: given })
      if (status === 'SUCCESS')
        return JSON.parse(
          (await open.dbos.retrieveWorkflow<string>(undoIdOf(runId)).getResult())!,
        ) as UndoReport
      if (!block && GIVEN_UP.has(status)) throw givenUp(runId)
      blockedAt = block ? (blockedAt ?? performance.now()) : undefined
      // Every worker has had the time to see whether it can.
      if (block && performance.now() - blockedAt! > 2 * lookMs) throw blockedUndo(runId, block)
      await pause(LOOK_MS)
    }
  } catch (thrown) {
    if (!given.aborted) throw thrown
    signal?.throwIfAborted()
    const message = `The undoing of run ${runId} was not waited for to its end; ask for it again.`
    throw new DurabilityError('durable-closed', message, { runId, cause: thrown })
  }
}

interface UndoStanding {
  readonly status: string
  readonly block: UndoBlock | undefined
}

async function standingOf({ pool, schema }: OpenRuns, runId: string): Promise<UndoStanding> {
  const { rows } = await pool.query<{ status: string; undo_block: string | null }>({
    name: 'toolwright-undoing',
    text: `select s.status, r.undo_block from "${schema}".workflow_status s left join toolwright.runs r on r.run_id = $1
      where s.workflow_uuid = $2`,
    values: [runId, undoIdOf(runId)],
  })
  const { status = 'ERROR', undo_block: block } = rows[0] ?? {}
  return { status, block: block ? (JSON.parse(block) as UndoBlock) : undefined }
}

const GIVEN_UP: ReadonlySet<string> = new Set([
  'MAX_RECOVERY_ATTEMPTS_EXCEEDED', 'ERROR', 'CANCELLED',
]) // prettier-ignore

function blockedUndo(runId: string, { failure }: UndoBlock): Error {
  return Object.assign(errorOf(failure), { runId })
}

const givenUp = (runId: string): DurabilityError =>
  new DurabilityError(
    'durable-given-up',
    `The undoing of run ${runId} ended its workers again and again, or was stopped.`,
    { runId },
  )

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
