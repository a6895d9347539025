/** A call as a part of a message that is loaded: what became of it, or what it waits for. */
import { redact } from '../../errors/redact.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ToolCall, ToolResponse } from '../../messages/message.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { shownFailure } from '../shown/shown-error.ts'
import { shownInput } from '../shown/shown-input.ts'
import { shownJson, shownResult } from '../shown/shown-result.ts'
import type { UiPart } from './ui-message.ts'

/** What is known of the calls of a conversation, by their ids. */
export interface KnownCalls {
  readonly responses: ReadonlyMap<string, ToolResponse>
  readonly pending: ReadonlyMap<string, PendingCall>
  /** Of a call whose tool waits for its own calls, the ids of those. */
  readonly parents: ReadonlyMap<string, readonly string[]>
}

export function callPart(toolCall: ToolCall, known: KnownCalls): UiPart {
  const { id: toolCallId, name: toolName, arguments: text } = toolCall
  const part = { type: 'dynamic-tool', toolName, toolCallId, input: shownInput(text) }
  return { ...part, ...stateOf(toolCall, known) }
}

function stateOf(toolCall: ToolCall, { responses, pending, parents }: KnownCalls): StateOfPart {
  const { id } = toolCall
  const waiting = pending.get(id)
  if (waiting?.kind === 'approval')
    return { state: 'approval-requested', approval: approvalOf(waiting) }
  if (waiting) return { state: 'input-available' }
  const waitsFor = parents.get(id)
  // As in the stream: what is open would keep the page from sending what it decided.
  if (waitsFor) return { state: 'output-available', output: { waitsFor } }
  const response = responses.get(id)
  if (!response) return { state: 'input-available' }
  const event = { type: 'tool-result', toolCall, response } as const
  if (response.denied) return { state: 'output-denied', approval: { id, approved: false } }
  if (response.isError) return { state: 'output-error', errorText: shownFailure(event, {}) }
  return { state: 'output-available', output: shownResult(event, {}) }
}

interface StateOfPart {
  readonly state: string
  readonly [field: string]: Json
}

function approvalOf({ callId, preview, reason }: PendingCall): JsonObject {
  return {
    id: callId,
    ...(preview !== undefined && { descriptor: shownJson(preview) }),
    ...(reason !== undefined && { requestReason: redact(reason) }),
  }
}
