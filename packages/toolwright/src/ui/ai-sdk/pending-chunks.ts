/** What a suspended run waits for, as a page is asked for it. */
import { redact } from '../../errors/redact.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { shownJson } from '../shown/shown-result.ts'
import { questionData } from './question-data.ts'
import type { UiMessageWriter } from './ui-message-writer.ts'
import { waitingParents } from './waiting-parents.ts'

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
  message.send({ type: 'data-question', id: pending.callId, data: questionData(pending) })
}

/**
 * A page sends by itself once no call of the step is open, and what is preliminary is open: a call that waits for its own
 * calls must not hold that up. Its result takes the place of this.
 */
function sendWaitingParents(message: UiMessageWriter, pending: readonly PendingCall[]): void {
  for (const [toolCallId, waitsFor] of waitingParents(pending))
    if (message.knows(toolCallId))
      message.send({
        type: 'tool-output-available',
        toolCallId,
        output: { waitsFor },
        dynamic: true,
      })
}
