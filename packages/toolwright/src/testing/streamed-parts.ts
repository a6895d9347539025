/** What a stream says of an answer that is known as a whole: the deltas and parts, without the `response`. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { AssistantPart } from '../messages/message.ts'

/** @param chunks how the text is cut; default: word by word */
export function streamedParts(
  response: ChatResponse,
  chunks?: readonly string[],
): readonly ChatEvent[] {
  return partsOf(response).flatMap((part) => eventsOf(part, chunks))
}

/** A text, word by word. */
export const textDeltas = (text: string, chunks?: readonly string[]): readonly ChatEvent[] =>
  (chunks ?? text.match(/\s*\S+\s*/g) ?? (text === '' ? [] : [text])).map((piece) => ({
    type: 'text-delta',
    text: piece,
  }))

function partsOf(response: ChatResponse): readonly AssistantPart[] {
  const content = response.results[0]?.message.content ?? []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function eventsOf(part: AssistantPart, chunks?: readonly string[]): readonly ChatEvent[] {
  switch (part.type) {
    case 'text':
      return textDeltas(part.text, chunks)
    case 'tool-call':
      return [
        { type: 'tool-call-start', id: part.id, name: part.name },
        ...(part.arguments.match(/[^]{1,8}/gu) ?? []).map((delta): ChatEvent => ({
          type: 'tool-call-delta',
          id: part.id,
          delta,
        })),
        { type: 'tool-call', toolCall: part },
      ]
    case 'reasoning':
      return [
        ...(part.text === '' ? [] : [{ type: 'reasoning-delta' as const, text: part.text }]),
        { type: 'part', part },
      ]
    default:
      return [{ type: 'part', part }]
  }
}
