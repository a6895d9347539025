/** The port on Temporal, for the activity in which the client runs: it asks the workflow before and after each step. */
import { DurabilityError, type Durability } from 'toolwright'
import { beginStep, endStep } from './run-workflow.ts'
import type { Begun, Life, StepEnd, StepStart } from './step-journal.ts'

/** What is needed of a `WorkflowHandle` of `@temporalio/client`. */
export interface RunWorkflow {
  executeUpdate(update: typeof beginStep, options: { args: [StepStart] }): Promise<Begun>
  executeUpdate(update: typeof endStep, options: { args: [StepEnd] }): Promise<undefined>
}

export interface RunLife extends Life {
  /** The id of the workflow: it is the same in every segment and attempt. */
  readonly runId: string
}

export function temporalDurability(
  workflow: RunWorkflow,
  { runId, segment, attempt }: RunLife,
): Durability {
  return {
    runId: () => runId,
    async step(key, run, tool) {
      const start = { key, segment, attempt, isOnce: tool?.effect === 'once' }
      const begun = await workflow.executeUpdate(beginStep, { args: [start] })
      if (begun.kind === 'recorded') return begun.value as Awaited<ReturnType<typeof run>>
      if (begun.kind === 'unknown-outcome')
        throw new DurabilityError(begun.kind, `"${tool?.toolName}" was cut off while it ran.`)
      const value = await run()
      await workflow.executeUpdate(endStep, { args: [{ key, segment, attempt, value }] })
      return value
    },
  }
}
