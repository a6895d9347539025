/** The port to DBOS alone: for programs that launch DBOS themselves and ask clients inside their own workflows. */
import { checkOptions, checkNumber } from 'toolwright'
import type { Durability, OnUnknownOutcome } from 'toolwright'

export interface DbosDurabilityOptions {
  /** What becomes of a call that was cut off, if its tool must not run twice. Default `ask`. */
  readonly onUnknownOutcome?: OnUnknownOutcome
  /** How large the record of one step may be, in bytes of JSON. At least 1 MB. Default 64 MB. */
  readonly stepBytes?: number
}

export const DEFAULT_STEP_BYTES = 64 * 1024 * 1024

/** Results of tools are cut to 65,536 bytes by default, and a byte of text may take six in JSON. */
export const LEAST_STEP_BYTES = 1024 * 1024

/**
 * Inside a workflow of DBOS each step of a run is a step of that workflow; outside, and inside a step, it just runs.
 * The table of begun calls is made in the database of DBOS when the first run needs it.
 *
 * @example
 * const client = ChatClient.create(model, { tools, durability: dbosDurability() })
 * const ask = DBOS.registerWorkflow((text: string) => client.prompt(text).call().content(), { name: 'ask' })
 */
export function dbosDurability(options: DbosDurabilityOptions = {}): Durability {
  checkOptions('dbosDurability()', options, ['onUnknownOutcome', 'stepBytes'])
  const { onUnknownOutcome = 'ask', stepBytes = DEFAULT_STEP_BYTES } = options
  checkNumber('stepBytes', stepBytes, { least: LEAST_STEP_BYTES, isWhole: true })
  const loading = import('./steps/workflow-durability.ts').then((loaded) =>
    loaded.workflowDurability(stepBytes),
  )
  // The first step says that DBOS cannot be loaded.
  loading.catch(() => {})
  // Every step waits for the one promise, loaded or not, so that steps begin in the order in which they were asked for.
  return {
    onUnknownOutcome,
    step: (key, run, tool) => loading.then((durability) => durability.step(key, run, tool)),
    runId: () => loading.then((durability) => durability.runId()),
  }
}
