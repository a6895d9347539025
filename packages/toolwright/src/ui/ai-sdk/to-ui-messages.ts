/** A conversation that the server keeps, for a page that loads it: the messages that `useChat` begins with. */
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantMessage, Message, ToolCall, ToolResponse } from '../../messages/message.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { mediaUrl } from '../shown/media-url.ts'
import { shownInput } from '../shown/shown-input.ts'
import { shownFailure } from '../shown/shown-error.ts'
import { shownJson, shownResult } from '../shown/shown-result.ts'

/** A message of the AI SDK; `parts` are those of its `UIMessage`. */
export interface UiMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly UiPart[]
}

export interface UiPart {
  readonly type: string
  readonly [field: string]: Json
}

/** What is open in a conversation; the state of a suspended run has both. */
export interface OpenCalls {
  readonly pending?: readonly PendingCall[]
  /** Results of the open calls that are already known. */
  readonly answered?: readonly ToolResponse[]
}

/**
 * Messages of a memory, or `toUiMessages(state.messages, state)` of a run that waits: its calls are then shown as waiting,
 * and can be decided. System messages, reasoning, what providers did themselves and what is private are left out, errors
 * are masked as in a stream.
 *
 * @example
 * const messages = toUiMessages(await memory.get(chatId))
 */
export function toUiMessages(
  messages: readonly Message[],
  { pending = [], answered = [] }: OpenCalls = {},
): readonly UiMessage[] {
  const responses = messages.flatMap((each) => (each.role === 'tool' ? each.responses : []))
  const known: Known = {
    responses: new Map([...responses, ...answered].map((each) => [each.id, each])),
    pending: new Map(pending.map((each) => [each.callId, each])),
  }
  const shown: UiMessage[] = []
  for (const message of messages) {
    const id = `m-${shown.length}`
    if (message.role === 'user') shown.push({ id, role: 'user', parts: partsIn(message, known) })
    if (message.role !== 'assistant') continue
    const parts = [{ type: 'step-start' }, ...partsIn(message, known)]
    const last = shown.at(-1)
    // The rounds of an answer are steps of one message.
    if (last?.role === 'assistant')
      shown[shown.length - 1] = { ...last, parts: [...last.parts, ...parts] }
    else shown.push({ id, role: 'assistant', parts })
  }
  return shown
}

interface Known {
  readonly responses: ReadonlyMap<string, ToolResponse>
  readonly pending: ReadonlyMap<string, PendingCall>
}

function partsIn(
  { content, label }: AssistantMessage | (Message & { readonly role: 'user' }),
  known: Known,
): readonly UiPart[] {
  if (label?.private) return []
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return content.flatMap((part): readonly UiPart[] => {
    if (part.label?.private || part.type === 'reasoning' || part.type === 'provider') return []
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type === 'tool-call') return [callPart(part, known)]
    const { mediaType, name } = part
    const file = { type: 'file', mediaType, url: mediaUrl(part) }
    return [name === undefined ? file : { ...file, filename: name }]
  })
}

function callPart(toolCall: ToolCall, { responses, pending }: Known): UiPart {
  const { id: toolCallId, name: toolName, arguments: text } = toolCall
  const part = { type: 'dynamic-tool', toolName, toolCallId, input: shownInput(text) }
  const response = responses.get(toolCallId)
  const waiting = pending.get(toolCallId)
  if (waiting?.kind === 'approval') {
    const { preview } = waiting
    const approval: JsonObject =
      preview === undefined
        ? { id: toolCallId }
        : { id: toolCallId, descriptor: shownJson(preview) }
    return { ...part, state: 'approval-requested', approval }
  }
  if (!response || waiting) return { ...part, state: 'input-available' }
  const event = { type: 'tool-result', toolCall, response } as const
  if (response.denied)
    return { ...part, state: 'output-denied', approval: { id: toolCallId, approved: false } }
  if (response.isError)
    return { ...part, state: 'output-error', errorText: shownFailure(event, {}) }
  return { ...part, state: 'output-available', output: shownResult(event, {}) }
}
