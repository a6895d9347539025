/** What a suspended run waits for, as a page is asked for it. */
import { redact } from '../../errors/redact.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { shownJson } from '../shown/shown-result.ts'
import type { UiMessageWriter } from './ui-message-writer.ts'

type Ask = (message: UiMessageWriter, pending: PendingCall) => void

const ASK: { readonly [kind in PendingCall['kind']]: Ask } = {
  approval: (message, { callId, reason, preview }) =>
    message.send({
      type: 'tool-approval-request',
      approvalId: callId,
      toolCallId: callId,
      ...(reason !== undefined && { reason: redact(reason) }),
      ...(preview !== undefined && { approvalDescriptor: shownJson(preview) }),
    }),
  // The call has its input and no output: the page's own tool supplies that.
  result: () => {},
  question: sendQuestion,
  'unknown-outcome': sendQuestion,
}

export function sendPending(message: UiMessageWriter, pending: readonly PendingCall[]): void {
  for (const call of pending) {
    const { callId, toolName, input } = call
    message.announce({ id: callId, name: toolName, arguments: JSON.stringify(shownJson(input)) })
    ASK[call.kind](message, call)
  }
  sendWaitingParents(message, pending)
}

function sendQuestion(message: UiMessageWriter, pending: PendingCall): void {
  const { callId, toolName, kind, question, reason } = pending
  const data: JsonObject = {
    toolCallId: callId,
    toolName,
    kind,
    ...(question !== undefined && { question: shownJson(question) }),
    ...(reason !== undefined && { reason: redact(reason) }),
  }
  message.send({ type: 'data-question', id: callId, data })
}

/**
 * A page sends by itself once no call of the step is open, and what is preliminary is open: a call that waits for its own
 * calls must not hold that up. Its result takes the place of this.
 */
function sendWaitingParents(message: UiMessageWriter, pending: readonly PendingCall[]): void {
  const waiting = new Map<string, string[]>()
  for (const { callId, parentCallId } of pending) {
    if (parentCallId === undefined || !message.knows(parentCallId)) continue
    waiting.set(parentCallId, [...(waiting.get(parentCallId) ?? []), callId])
  }
  for (const [toolCallId, waitsFor] of waiting)
    message.send({
      type: 'tool-output-available',
      toolCallId,
      output: { waitsFor },
      dynamic: true,
    })
}
