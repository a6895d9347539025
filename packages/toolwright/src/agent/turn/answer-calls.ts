/** The calls of an answer on their way into the loop: in normal form, as native tool calls, as events. */
import type { AdvisedRequest } from '../../loop/advisor.ts'
import type { ToolCall } from '../../messages/message.ts'
import type { AgentNotice, Call } from '../agent-message.ts'
import { argumentsOf } from '../calls/agent-manager.ts'
import type { Composed } from '../compose/composed.ts'
import { normalCall, withoutNullFields, type NormalCall } from './normal-call.ts'

export interface NormalCalls {
  readonly calls: readonly Call[]
  readonly notices: readonly AgentNotice[]
}

export function normalCalls({ tools }: Composed, sent: readonly Call[]): NormalCalls {
  const normal = sent.map(withoutNullFields).map((call): NormalCall => {
    const tool = tools.get(call._tool)
    // Unknown tool: the manager reports it.
    return tool ? normalCall(call, tool) : { call, notices: [] }
  })
  return {
    calls: normal.map(({ call }) => call),
    notices: normal.flatMap(({ notices }) => notices),
  }
}

export const toolCallsFor = (calls: readonly Call[], round: number): readonly ToolCall[] =>
  calls.map((call, index) => ({
    type: 'tool-call',
    id: `call_${round}_${index + 1}`,
    name: call._tool,
    arguments: argumentsOf(call),
  }))

export function emitNotices(
  { runId, round, emit }: AdvisedRequest,
  notices: readonly AgentNotice[],
): void {
  for (const each of notices) emit({ runId, round, ...each })
}

/** The events that the model step emits for native calls. */
export function emitCalls(
  { runId, round, emit }: AdvisedRequest,
  toolCalls: readonly ToolCall[],
): void {
  for (const toolCall of toolCalls) {
    emit({ runId, round, type: 'tool-call-start', id: toolCall.id, name: toolCall.name })
    emit({ runId, round, type: 'tool-call', toolCall })
  }
}
