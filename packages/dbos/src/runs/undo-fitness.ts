/**
 * Whether a worker can undo what a run did. What it lacks another may have, so the undoing is handed on then, before
 * any of it is begun.
 */
import {
  checkUndo,
  DurabilityError,
  toolFingerprints,
  type Json,
  type ToolCallback,
} from 'toolwright'
import { offeredFor } from './offered-for.ts'
import type { OpenRuns } from './open-runs.ts'
import type { CallToUndo } from './undo-plan.ts'

/** What a worker must have to undo a call. */
export type UndoNeed = Pick<CallToUndo, 'callId' | 'toolName' | 'input' | 'definition'>

export interface UndoingRun {
  readonly runId: string
  readonly client: string
  readonly toolNames?: readonly string[] | undefined
  readonly toolContext?: object | undefined
}

export type UndoFitness =
  { readonly tools: readonly ToolCallback[] } | { readonly misfit: DurabilityError }

export async function undoFitness(
  { clients, executorId }: OpenRuns,
  run: UndoingRun,
  needs: readonly UndoNeed[],
): Promise<UndoFitness> {
  const { runId, client: name } = run
  const misfit = (why: string, cause?: unknown): UndoFitness => ({
    misfit: new DurabilityError(
      'durable-tools-changed',
      `Run ${runId} is not undone yet: worker "${executorId}" ${why}`,
      { runId, ...(cause !== undefined && { cause }) },
    ),
  })
  if (needs.length === 0) return { tools: [] }
  const client = clients.get(name)
  if (!client) return misfit(`does not have its client "${name}".`)
  try {
    const tools = await offeredFor(client, run.toolNames)
    const lacks = await lacksOf(tools, run, needs)
    return lacks.length === 0 ? { tools } : misfit(`cannot: ${lacks.join(', ')}.`)
  } catch (cause) {
    return misfit(`cannot tell the tools of "${name}": ${(cause as Error).message}`, cause)
  }
}

async function lacksOf(
  tools: readonly ToolCallback[],
  { runId, toolContext }: UndoingRun,
  needs: readonly UndoNeed[],
): Promise<readonly string[]> {
  const definitions = await toolFingerprints(tools)
  const lacks = new Set<string>()
  for (const { callId, toolName, input, definition } of needs) {
    const tool = toolNamed(tools, toolName)
    // What an advisor or a hook has added is found on no worker.
    if (!tool) {
      if (definition !== null) lacks.add(`"${toolName}" is not offered`)
    } else if (!tool.metadata?.undo) lacks.add(`"${toolName}" has no undo`)
    else if (definitions[toolName] !== definition) {
      const values = { ...toolContext }
      const idempotencyKey = `${runId}/${callId}`
      // A changed description does no harm; an input that the tool takes no more would be refused.
      const call = { input, result: null as Json, values, callId, idempotencyKey }
      const takes = await checkUndo(tool, call).then(
        () => true,
        () => false,
      )
      if (!takes) lacks.add(`"${toolName}" has changed`)
    }
  }
  return [...lacks]
}

export const toolNamed = (tools: readonly ToolCallback[], name: string): ToolCallback | undefined =>
  tools.find(({ definition }) => definition.name === name)
