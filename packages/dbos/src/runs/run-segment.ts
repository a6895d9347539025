/**
 * The workflow of DBOS that runs a run until it rests. Whatever happens in between is steps, so another worker that
 * begins it again comes to where it was. What becomes of it is written once, by whoever owns it.
 */
import { DBOS, DBOSWorkflowConflictError } from '@dbos-inc/dbos-sdk'
import { currentOwnerXid } from '@dbos-inc/dbos-sdk/internal/context'
import { ResumeError, ToolwrightError, type ChatClient } from 'toolwright'
import { patiently } from '../database/patiently.ts'
import { EventLog } from '../events/event-log.ts'
import { writeEvents } from '../events/write-events.ts'
import type { Owner } from '../steps/owner.ts'
import { failureOf } from '../steps/failure.ts'
import { RunScope, scopes } from '../steps/run-scope.ts'
import { requestOf, runRequest } from './ask-client.ts'
import { blockRun } from './block-run.ts'
import type { OpenRuns } from './open-runs.ts'
import {
  decisionsOf,
  endSegment,
  inputOf,
  readLogged,
  readSegment,
  refuseDecision,
  resultOf,
  type SegmentEnd,
  type SegmentRow,
} from './run-rows.ts'
import { fitnessOf } from './fitness-of.ts'

export async function runSegment(open: OpenRuns, runId: string): Promise<void> {
  const { pool, schema } = open
  const workflowId = DBOS.workflowID!
  const owner: Owner = { runId, workflowId, schema, ownerXid: currentOwnerXid(workflowId)! }
  const row = await patiently(() => readSegment(pool, runId))
  // It had come to its end, and the worker died before DBOS knew.
  if (!row || row.workflow_id !== workflowId || row.status !== 'running') return
  const fit = await fitnessOf(open, row)
  if ('misfit' in fit) return block(open, owner, fit.misfit)
  const { segment } = row
  const log = new EventLog({
    runId,
    segment,
    isStreamed: inputOf(row).stream !== false,
    logged: row.logged,
    read: () => patiently(() => readLogged(pool, runId)),
    write: (batch) => patiently(() => writeEvents(pool, owner, { batch, segment })),
  })
  const { stepBytes } = open
  const { client, definitions } = fit
  const scope = new RunScope({ pool, owner, stepBytes, log, definitions })
  open.scopes.add(scope)
  try {
    if (open.leaving.signal.aborted) scope.leave()
    const end = await scopes.run(scope, () => lifeOf(client, row, { scope, log }))
    // Before the run rests, because readers stop reading then.
    await log.flush()
    await finish(open, owner, end)
  } finally {
    open.scopes.delete(scope)
    open.watch.poke()
  }
}

type LifeEnd = SegmentEnd | { readonly refusal: unknown } | { readonly misfit: Error }

const isMismatch = (thrown: unknown): thrown is Error =>
  ToolwrightError.is(thrown) && thrown.code === 'replay-mismatch'

interface Life {
  readonly scope: RunScope
  readonly log: EventLog
}

/** Runs the client. Throws only what DBOS must hear: that the run is not this worker's any more. */
async function lifeOf(client: ChatClient, row: SegmentRow, { scope, log }: Life): Promise<LifeEnd> {
  const input = inputOf(row)
  const decisions = decisionsOf(row)
  try {
    const resumed = decisions && { state: resultOf(row).state!, decisions }
    const request = requestOf(client, input, resumed).signal(scope.signal)
    const result = await runRequest(request, input, (event) => log.emit(event))
    return { status: result.status, result }
  } catch (thrown) {
    // Whatever it looks like after the advisors: anything else would be the end of the run for DBOS.
    if (scope.isLeft) throw new DBOSWorkflowConflictError(scope.workflowId)
    if (isOfDbos(thrown)) throw thrown
    // Nothing has run: a refused resume leaves its state usable.
    if (thrown instanceof ResumeError) return { refusal: thrown }
    // A worker with the code that the run was begun with can go on with it.
    if (isMismatch(thrown)) return { misfit: thrown }
    return { status: 'failed', failure: failureOf(thrown) }
  }
}

/** That the run was cancelled, or belongs to another worker. */
const isOfDbos = (thrown: unknown): boolean =>
  thrown instanceof Error && /^DBOS/.test(thrown.name) && !ToolwrightError.is(thrown)

async function finish(open: OpenRuns, owner: Owner, end: LifeEnd): Promise<void> {
  if ('misfit' in end) {
    open.misfits.add(owner.workflowId)
    return block(open, owner, end.misfit)
  }
  const { pool } = open
  const isWritten = await patiently(() =>
    'refusal' in end
      ? refuseDecision(pool, owner, failureOf(end.refusal))
      : endSegment(pool, owner, end),
  )
  if (!isWritten) throw new DBOSWorkflowConflictError(owner.workflowId)
}

/** This worker cannot go on with the run, another one may: it stays where it is until one can. */
async function block(open: OpenRuns, owner: Owner, why: Error): Promise<void> {
  await patiently(() => blockRun(open.pool, owner, failureOf(why)))
  open.watch.poke()
}
