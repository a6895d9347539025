/** Whether a worker can go on with a run: it has the client, and the tools that the run has used are the same. */
import { DurabilityError, toolFingerprints, type ChatClient } from 'toolwright'
import { offeredFor } from './offered-for.ts'
import type { OpenRuns } from './open-runs.ts'
import { inputOf, type SegmentRow } from './run-rows.ts'

export type Fitness =
  | {
      readonly client: ChatClient
      /** Fingerprints of what the client offers, by name. */
      readonly definitions: { readonly [toolName: string]: string }
    }
  | { readonly misfit: DurabilityError }

export async function fitnessOf(
  { clients, executorId }: OpenRuns,
  run: Pick<SegmentRow, 'run_id' | 'client' | 'used' | 'input'>,
): Promise<Fitness> {
  const { run_id: runId, client: name, used } = run
  // Whoever reads it is in another process.
  const worker = `worker "${executorId}"`
  const client = clients.get(name)
  if (!client)
    return misfit(runId, `Run ${runId} is of the client "${name}", which ${worker} does not have.`)
  let definitions: { readonly [toolName: string]: string }
  try {
    definitions = await toolFingerprints(await offeredFor(client, inputOf(run).options?.toolNames))
  } catch (cause) {
    const why = (cause as Error).message
    return misfit(runId, `The client "${name}" of ${worker} cannot tell its tools: ${why}`, cause)
  }
  const differences = used
    .filter(
      ({ tool, definition }) =>
        !Object.hasOwn(definitions, tool) || definitions[tool] !== definition,
    )
    .map(
      ({ tool }) =>
        `"${tool}" ${Object.hasOwn(definitions, tool) ? 'has changed' : 'is not offered'}`,
    )
  if (differences.length === 0) return { client, definitions }
  const which = [...new Set(differences)].join(', ')
  return misfit(
    runId,
    `Run ${runId} has used tools that the client "${name}" of ${worker} offers differently: ${which}.`,
  )
}

const misfit = (runId: string, message: string, cause?: unknown): Fitness => ({
  misfit: new DurabilityError('durable-tools-changed', message, {
    runId,
    ...(cause !== undefined && { cause }),
  }),
})
