/** Waits for an agent's run, handing its events on. A refusal rejects as `content()` does. */
import type { RunResult } from '../client/advised-run.ts'
import type { CallRun } from '../client/call-run.ts'
import type { AgentConfig } from './agent-config.ts'

export async function resultOfRun(run: CallRun, { onEvent }: AgentConfig): Promise<RunResult> {
  if (onEvent) for await (const event of run) onEvent(event)
  const result = await run.result()
  if (result.response.results[0]?.finishReason === 'content-filter') await run.content()
  return result
}
