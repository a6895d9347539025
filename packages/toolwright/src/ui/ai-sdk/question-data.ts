/** What a page reads of a question, or of a call of which nobody knows what it did. */
import { redact } from '../../errors/redact.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { shownJson } from '../shown/shown-result.ts'

export const isAsked = ({ kind }: PendingCall): boolean =>
  kind === 'question' || kind === 'unknown-outcome'

export function questionData(pending: PendingCall): JsonObject {
  const { callId, toolName, kind, question, reason } = pending
  return {
    toolCallId: callId,
    toolName,
    kind,
    ...(question !== undefined && { question: shownJson(question) }),
    ...(reason !== undefined && { reason: redact(reason) }),
  }
}
