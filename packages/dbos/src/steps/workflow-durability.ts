/** Steps of a run as steps of whichever workflow of DBOS they are asked in. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { currentOwnerXid, getCurrentContextStore } from '@dbos-inc/dbos-sdk/internal/context'
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import type { Durability } from 'toolwright'
import { migrate } from '../database/migrate.ts'
import { patiently } from '../database/patiently.ts'
import { recordedStep } from './recorded-step.ts'
import { RunScope } from './run-scope.ts'

/** What `dbosDurability()` hands on as soon as DBOS is loaded. */
export type WorkflowDurability = Required<Pick<Durability, 'step' | 'runId'>>

export function workflowDurability(stepBytes: number): WorkflowDurability {
  const opened = new WeakMap<DBOSExecutor, Promise<void>>()
  const tablesOf = (executor: DBOSExecutor): Promise<void> => {
    const ready = opened.get(executor) ?? patiently(() => migrate(executor.systemDatabase.pool))
    opened.set(executor, ready)
    ready.catch(() => opened.delete(executor))
    return ready
  }
  /** One for each execution of a workflow, which is what a context of DBOS stands for. */
  const scopes = new WeakMap<object, RunScope>()
  const scopeHere = (): RunScope => {
    const context = getCurrentContextStore()!
    const scope = scopes.get(context) ?? scopeOfWorkflow(stepBytes, tablesOf)
    scopes.set(context, scope)
    return scope
  }
  return {
    step: (key, run, tool) =>
      DBOS.isInWorkflow() ? recordedStep(scopeHere(), { key, run, tool }) : run(),
    // A step of its own, so that the replayed run has the name that the first one had.
    runId: () =>
      DBOS.isInWorkflow()
        ? DBOS.runStep(async () => `run_${crypto.randomUUID()}`, { name: 'run-id' })
        : undefined,
  }
}

function scopeOfWorkflow(
  stepBytes: number,
  tablesOf: (executor: DBOSExecutor) => Promise<void>,
): RunScope {
  const executor = DBOSExecutor.globalInstance!
  const workflowId = DBOS.workflowID!
  const { pool, schemaName: schema } = executor.systemDatabase
  return new RunScope({
    pool,
    owner: { runId: workflowId, workflowId, schema, ownerXid: currentOwnerXid(workflowId)! },
    stepBytes,
    ready: () => tablesOf(executor),
  })
}
