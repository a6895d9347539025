/** What a suspended run waits for, as AG-UI asks for it. */
import { redact } from '../../errors/redact.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { isObject } from '../../schema/json-object.ts'
import { shownJson } from '../shown/shown-result.ts'
import type { AgUiInterrupt, AgUiOutcome } from './ag-ui-event.ts'

/**
 * What a run that waits ended with: for a page that is loaded again, which sets the interrupts as `agent.pendingInterrupts`.
 * Tools of the page alone are answered by tool messages; whatever else waits makes all of it interrupts.
 *
 * @example
 * const outcome = toAgUiOutcome(waiting?.pending ?? [])
 */
export function toAgUiOutcome(pending: readonly PendingCall[]): AgUiOutcome {
  if (pending.length === 0) return { type: 'success' }
  if (pending.every(({ kind }) => kind === 'result'))
    return { type: 'success', pendingToolCallIds: pending.map(({ callId }) => callId) }
  return { type: 'interrupt', interrupts: pending.map(interruptOf) }
}

/** What is to be sent back as the payload. */
const ANSWERS: { readonly [kind in PendingCall['kind']]?: JsonObject } = {
  approval: {
    type: 'object',
    properties: {
      approved: { type: 'boolean' },
      reason: { type: 'string', description: 'Why not' },
      input: { type: 'object', description: 'Other arguments to run it with' },
    },
    required: ['approved'],
  },
}

function interruptOf(pending: PendingCall): AgUiInterrupt {
  const { callId, parentCallId, toolName, kind, reason, input, preview, question } = pending
  const { message, requestedSchema } = formOf(question)
  const words = typeof question === 'string' ? question : (message ?? reason)
  const { [kind]: responseSchema = requestedSchema } = ANSWERS
  return {
    id: callId,
    reason: kind,
    ...(words !== undefined && { message: redact(words) }),
    // The page has heard of the call around one that a tool made.
    toolCallId: parentCallId ?? callId,
    ...(responseSchema && { responseSchema }),
    metadata: {
      toolName,
      input: shownJson(input),
      ...(preview !== undefined && { preview: shownJson(preview) }),
      ...(question !== undefined && { question: shownJson(question) }),
    },
  }
}

interface AskedForm {
  readonly message?: string
  readonly requestedSchema?: JsonObject
}

/** The form of a question that has one, as those of MCP servers do. */
function formOf(question: Json | undefined): AskedForm {
  const { mode, message, requestedSchema } = isObject(question) ? question : ({} as JsonObject)
  return {
    ...(typeof message === 'string' && { message }),
    ...(mode === 'form' &&
      isObject(requestedSchema) && { requestedSchema: shownJson(requestedSchema) as JsonObject }),
  }
}
