/**
 * The agent: asks the model, runs its calls, appends their results, until there is an output. It uses the
 * chat client's loop and adds what the protocol needs: turn/ before the model, calls/ before the tools.
 */
import type { RunResult } from '../client/advised-run.ts'
import type { CallRun } from '../client/call-run.ts'
import type { Label } from '../messages/message.ts'
import type { AgentConfig, AgentResult, OutputOf, OutputSource } from './agent-config.ts'
import type { AgentMessage } from './agent-message.ts'
import { agentResult } from './agent-result.ts'
import type { RunSubRequest } from './calls/delegate.ts'
import { prepareRun, type RunTask } from './prepare-run.ts'

/**
 * Runs an agent until it has an output. Rejects with `RunLimitError` when `maxTurns` or another limit ends
 * it first, and with `RunSuspendedError` when a call is pending: resume with the state of that error.
 *
 * @example
 * const { output } = await runAgent({ model }, z.object({ summary: z.string() }), [
 *   { type: 'tool', tool: { weatherCheck } },
 *   { type: 'text', text: 'What should I wear in Oslo?' },
 * ])
 */
export async function runAgent<const Output extends OutputSource = undefined>(
  config: AgentConfig,
  output: Output,
  context: readonly AgentMessage[],
): Promise<AgentResult<OutputOf<Output>>> {
  const result = await runTask(config, { output, context })
  return result as AgentResult<OutputOf<Output>>
}

/** Runs a delegate as an agent within another. */
export const runDelegate: RunSubRequest = ({ config, schema, ...sub }) =>
  runTask(config, { output: schema, ...sub })

export type AgentTask = Omit<RunTask, 'where' | 'runSub'> & {
  /** Told the label that the run has reached, however it ended. */
  readonly met?: (label: Label) => void
}

export async function runTask(config: AgentConfig, task: AgentTask): Promise<AgentResult> {
  const { met, ...rest } = task
  const whole = { where: 'runAgent()', ...rest, runSub: runDelegate }
  const { session, request } = await prepareRun(config, whole)
  const run = request.call()
  try {
    return await agentResult(session, await resultOf(run, config))
  } finally {
    const { label } = run.partial
    if (label) met?.(label)
  }
}

async function resultOf(run: CallRun, { onEvent }: AgentConfig): Promise<RunResult> {
  if (onEvent) for await (const event of run) onEvent(event)
  return run.result()
}
