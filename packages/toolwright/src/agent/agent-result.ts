/** The result of an agent's run, or the error that says why there is none. */
import type { RunResult } from '../client/advised-run.ts'
import { RunLimitError, RunSuspendedError, ToolExecutionError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { textOf } from '../messages/reading.ts'
import type { AgentResult } from './agent-config.ts'
import type { AgentSession } from './session/agent-session.ts'
import { readOutput } from './turn/read-output.ts'

export async function agentResult(session: AgentSession, result: RunResult): Promise<AgentResult> {
  const { record, messages } = session
  if (result.status === 'suspended') throw new RunSuspendedError(result)
  if (record.output === null && result.status === 'limit') throw limitError(result)
  return {
    output: isDirect(result)
      ? await directOutput(session, result)
      : await readOutput(session, record.output),
    calls: record.calls,
    meta: record.meta,
    messages,
    turns: result.rounds.length,
    errors: record.errors,
    usage: result.response.usage,
  }
}

/** Whether the results of tools are the answer. */
export const isDirect = ({ response }: Pick<RunResult, 'response'>): boolean =>
  response.results[0]?.finishReason === 'return-direct'

function limitError(result: RunResult): RunLimitError {
  const limit = String(result.response.results[0]?.metadata.limit ?? 'limit')
  const turns = result.rounds.length
  const [name, reason] =
    limit === 'rounds'
      ? ['maxTurns', `within maxTurns = ${turns}`]
      : [limit, `before ${limit} ended it`]
  return new RunLimitError(name, `The agent gave no output ${reason}.`, { result })
}

/** The result of a return-direct tool as the output. It must fit the output schema. */
async function directOutput(session: AgentSession, { response }: RunResult): Promise<unknown> {
  if (session.settings.output === undefined) return null
  try {
    return await readOutput(session, jsonOrText(textOf(response)))
  } catch (cause) {
    const toolName = String(response.results[0]!.metadata.toolName)
    const message = `its result is to be the output: ${messageOfThrown(cause)}`
    throw new ToolExecutionError(message, { toolName, code: 'tool-output', cause })
  }
}

export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
