/** The workflow that undoes what a cancelled run did, newest first, each call once. */
import { DBOS, DBOSWorkflowConflictError } from '@dbos-inc/dbos-sdk'
import { currentOwnerXid } from '@dbos-inc/dbos-sdk/internal/context'
import { undoCall, type ToolCallback } from 'toolwright'
import { patiently } from '../database/patiently.ts'
import type { CancelReport } from '../durable-run.ts'
import { isUnknownOutcome, recordedStep } from '../steps/recorded-step.ts'
import { RunScope } from '../steps/run-scope.ts'
import { blockUndo } from './block-undo.ts'
import { undoBlockOf } from './undo-block.ts'
import type { OpenRuns } from './open-runs.ts'
import { inputOf, readSegment } from './run-rows.ts'
import { toolNamed, undoFitness } from './undo-fitness.ts'
import { undoPlan, type CallToUndo, type Planned } from './undo-plan.ts'

export type UndoReport = Pick<CancelReport, 'undone' | 'notUndone'>

interface Undoing {
  readonly runId: string
  readonly scope: RunScope
  readonly tools: readonly ToolCallback[]
  readonly toolContext: { readonly [key: string]: unknown }
}

/** Gives its report as JSON, or nothing if this worker cannot do it and another shall. */
export async function undoRun(open: OpenRuns, runId: string): Promise<string> {
  const { pool, schema, stepBytes } = open
  const workflowId = DBOS.workflowID!
  const ownerXid = currentOwnerXid(workflowId)!
  const row = await patiently(() => readSegment(pool, runId))
  if (!row) return JSON.stringify({ undone: [], notUndone: [] } satisfies UndoReport)
  const { toolContext: values = {}, options } = inputOf(row)
  const toolContext = values as Undoing['toolContext']
  const { client } = row
  // The run is cancelled, so the steps are those of the undoing, which is not.
  const owner = { runId: workflowId, workflowId, ownerXid, schema }
  const scope = new RunScope({ pool, owner, stepBytes })
  open.scopes.add(scope)
  if (open.leaving.signal.aborted) scope.leave()
  try {
    const plan = await undoPlan(open, runId)
    const needs = plan.flatMap((each) =>
      'toUndo' in each && !each.toUndo.isSettled ? [each.toUndo] : [],
    )
    const run = { runId, client, toolNames: options?.toolNames, toolContext }
    const fitness = await undoFitness(open, run, needs)
    if (scope.isLeft) throw new DBOSWorkflowConflictError(workflowId)
    if ('misfit' in fitness) {
      const block = undoBlockOf(fitness.misfit, needs)
      await patiently(() => blockUndo(pool, owner, { runId, block }))
      return ''
    }
    return JSON.stringify(await undoAll({ runId, scope, toolContext, ...fitness }, plan))
  } finally {
    open.scopes.delete(scope)
  }
}

async function undoAll(undoing: Undoing, plan: readonly Planned[]): Promise<UndoReport> {
  const undone: UndoReport['undone'][number][] = []
  const notUndone: UndoReport['notUndone'][number][] = []
  for (const each of plan) {
    if ('reason' in each) {
      notUndone.push(each)
      continue
    }
    const { callId, toolName } = each.toUndo
    const reason = await undoOne(undoing, each.toUndo)
    if (reason === undefined) undone.push({ callId, toolName })
    else notUndone.push({ callId, toolName, reason })
  }
  return { undone, notUndone }
}

/** Why it could not be undone; nothing if it was. */
async function undoOne(undoing: Undoing, call: CallToUndo): Promise<string | undefined> {
  const { runId, scope, toolContext: values } = undoing
  const { callId, toolName, effect, input, result } = call
  const tool = toolNamed(undoing.tools, toolName)
  if (!tool && !call.isSettled)
    return 'Its tool was added to the run while it ran, and the client itself does not offer it.'
  // The key that the call itself had, so that its undo can name what was done under it.
  const idempotencyKey = `${runId}/${callId}`
  try {
    await recordedStep(scope, {
      key: call.step,
      tool: { callId, toolName, effect, input, isUndoable: false },
      run: async () => {
        const { signal } = scope
        await undoCall(tool!, { input, result, values, callId, idempotencyKey, signal })
        return null
      },
    })
    return undefined
  } catch (thrown) {
    if (scope.isLeft) throw new DBOSWorkflowConflictError(scope.workflowId)
    if (isUnknownOutcome(thrown))
      return 'Undoing it was cut off: nobody knows whether it was undone.'
    return `Undoing it failed: ${(thrown as Error).message.replace(/\s+Look at the cause\.$/, '.')}`
  }
}
