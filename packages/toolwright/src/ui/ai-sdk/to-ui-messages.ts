/** A conversation that the server keeps, for a page that loads it: the messages that `useChat` begins with. */
import type {
  AssistantMessage,
  Message,
  ToolResponse,
  UserMessage,
} from '../../messages/message.ts'
import type { PendingCall } from '../../messages/run-state.ts'
import { mediaUrl } from '../shown/media-url.ts'
import { shownJson } from '../shown/shown-result.ts'
import { callPart, type KnownCalls } from './call-part.ts'
import { isAsked, questionData } from './question-data.ts'
import type { UiMessage, UiPart } from './ui-message.ts'
import { waitingParents } from './waiting-parents.ts'

/** What is open in a conversation; the state of a suspended run has both. */
export interface OpenCalls {
  readonly pending?: readonly PendingCall[]
  /** Results of the open calls that are already known. */
  readonly answered?: readonly ToolResponse[]
}

/**
 * Messages of a memory, or `toUiMessages(state.messages, state)` of a run that waits: its calls, those that tools made
 * included, are then shown as waiting, and can be decided. System messages, reasoning, what providers did themselves and
 * what is private are left out, errors are masked as in a stream.
 *
 * @example
 * const messages = toUiMessages(await memory.get(chatId))
 */
export function toUiMessages(
  messages: readonly Message[],
  { pending = [], answered = [] }: OpenCalls = {},
): readonly UiMessage[] {
  const responses = messages.flatMap((each) => (each.role === 'tool' ? each.responses : []))
  const known: KnownCalls = {
    responses: new Map([...responses, ...answered].map((each) => [each.id, each])),
    pending: new Map(pending.map((each) => [each.callId, each])),
    parents: waitingParents(pending),
  }
  const shown: UiMessage[] = []
  for (const message of messages) {
    if (message.role !== 'user' && message.role !== 'assistant') continue
    const { role } = message
    const parts = partsIn(message, known)
    // The AI SDK refuses a message of the user without parts.
    if (role === 'user' && parts.length === 0) continue
    if (role === 'user') shown.push({ id: `m-${shown.length}`, role, parts })
    else addToAnswer(shown, [{ type: 'step-start' }, ...parts])
  }
  const asked = partsOfPending(shown, known)
  if (asked.length > 0) addToAnswer(shown, asked)
  return shown
}

/** The rounds of an answer are steps of one message. */
function addToAnswer(shown: UiMessage[], parts: readonly UiPart[]): void {
  const last = shown.at(-1)
  if (last?.role === 'assistant')
    shown[shown.length - 1] = { ...last, parts: [...last.parts, ...parts] }
  else shown.push({ id: `m-${shown.length}`, role: 'assistant', parts })
}

/** What waits and stands in no message: calls that tools made, and questions. */
function partsOfPending(shown: readonly UiMessage[], known: KnownCalls): readonly UiPart[] {
  const standing = new Set(shown.flatMap(({ parts }) => parts.map((part) => part['toolCallId'])))
  const pending = [...known.pending.values()]
  const calls = pending.filter(({ callId }) => !standing.has(callId))
  return [
    ...calls.map(({ callId: id, toolName: name, input }) => {
      const text = JSON.stringify(shownJson(input))
      return callPart({ type: 'tool-call', id, name, arguments: text }, known)
    }),
    ...pending
      .filter(isAsked)
      .map((each) => ({ type: 'data-question', id: each.callId, data: questionData(each) })),
  ]
}

function partsIn(
  { content, label }: AssistantMessage | UserMessage,
  known: KnownCalls,
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
