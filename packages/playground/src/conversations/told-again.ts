/** A turn that waits since an earlier process, told again from the state of its run. */
import type { AssistantMessage, PendingCall, RunState, ToolResponse } from 'toolwright'
import { callStatus } from '../shown/call-status.ts'
import { shownContent } from '../shown/shown-content.ts'
import { shownPart } from './shown-part.ts'
import type { TurnLog } from './turn-log.ts'

export function tellAgain(state: RunState, log: TurnLog): void {
  const { messages, answered, pending } = state
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  let round = 0
  for (const message of messages.slice(asked + 1)) {
    if (message.role === 'assistant') {
      log.add({ type: 'round', round: ++round })
      tellAnswer(message, log)
    }
    if (message.role === 'tool') tellResults(message.responses, log)
  }
  tellResults(answered, log)
  for (const call of pending) if (call.parentCallId !== undefined) tellInside(call, log)
}

function tellAnswer({ content }: AssistantMessage, log: TurnLog): void {
  if (typeof content === 'string') return log.add({ type: 'text', text: content })
  for (const part of content) {
    if (part.type === 'tool-call') {
      const { id, name, arguments: json } = part
      log.add({ type: 'call', id, name, arguments: json })
      continue
    }
    const shown = shownPart(part)
    if (shown.type === 'text' || shown.type === 'reasoning') log.add(shown)
    else log.add({ type: 'part', part: shown })
  }
}

function tellResults(responses: readonly ToolResponse[], log: TurnLog): void {
  for (const response of responses)
    log.add({
      type: 'call-result',
      id: response.id,
      content: shownContent(response.content),
      status: callStatus(response),
    })
}

/** Of the calls that a tool made, a state has those that wait. */
function tellInside({ callId, toolName, input, parentCallId }: PendingCall, log: TurnLog): void {
  log.add({
    type: 'call',
    id: callId,
    name: toolName,
    arguments: JSON.stringify(input),
    ...(parentCallId !== undefined && { parentId: parentCallId }),
  })
}
