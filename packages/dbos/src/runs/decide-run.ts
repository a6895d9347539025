/** Decides what a run waits for. The row of the run is the judge: who takes it out of `suspended` has decided. */
import { randomUUID } from 'node:crypto'
import { DurabilityError, type Decisions } from 'toolwright'
import { inTransaction } from '../database/in-transaction.ts'
import { patiently } from '../database/patiently.ts'
import type { OpenRuns } from './open-runs.ts'
import { keptDecisions } from './kept-decisions.ts'
import { readRun, resultOf, type RunRow } from './run-rows.ts'
import { CALLER_PATIENCE, workflowOf } from './start-run.ts'

/** The number of the segment that goes on with the run. */
export async function decideRun(
  open: OpenRuns,
  runId: string,
  decisions: Decisions,
): Promise<number> {
  const row = await patiently(() => readRun(open.pool, runId), CALLER_PATIENCE)
  if (!row) throw unknownRun(runId)
  if (row.status !== 'suspended') throw notWaiting(row)
  const client = open.clients.get(row.client)
  if (!client)
    throw new DurabilityError('durable-client', `This worker has no client "${row.client}".`)
  await client.resume(resultOf(row).state!, decisions).check()
  const text = keptDecisions(decisions)
  const segment = row.segment + 1
  const token = randomUUID()
  const workflowId = `${runId}/${segment}`
  const isOurs = await patiently(
    () =>
      inTransaction(open.pool, async (connection) => {
        const { rowCount } = await connection.query(
          `update toolwright.runs set status = 'running', segment = $2, workflow_id = $3, decisions = $4,
             decided_by = $5, refusal = null, updated_at = now()
           where run_id = $1 and status = 'suspended' and segment = $2 - 1`,
          [runId, segment, workflowId, text, token],
        )
        if (rowCount === 1) {
          await open.dbos.enqueueInTransaction(connection, workflowOf(workflowId), runId)
          return true
        }
        // The answer to an earlier try may have been lost with the connection.
        const { rows } = await connection.query<{ decided_by: string | null }>(
          'select decided_by from toolwright.runs where run_id = $1 and segment = $2',
          [runId, segment],
        )
        return rows[0]?.decided_by === token
      }),
    CALLER_PATIENCE,
  )
  if (!isOurs)
    throw notWaiting((await patiently(() => readRun(open.pool, runId), CALLER_PATIENCE)) ?? row)
  open.watch.poke()
  return segment
}

export const unknownRun = (runId: string): DurabilityError =>
  new DurabilityError('durable-unknown-run', `There is no run ${runId}.`, { runId })

const notWaiting = ({ run_id: runId, status }: RunRow): DurabilityError =>
  new DurabilityError(
    'durable-not-waiting',
    status === 'suspended'
      ? `Run ${runId} was decided by somebody else, and waits again.`
      : `Run ${runId} does not wait for a decision: it is ${status}.`,
    { runId },
  )
