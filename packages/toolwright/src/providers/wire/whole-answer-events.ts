/** A streamed question that was answered in one piece, as the events a stream would have had. */
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse, Generation } from '../../messages/chat-response.ts'
import type { AssistantPart } from '../../messages/message.ts'
import { AnswerEvents } from './answer-events.ts'

export function wholeAnswerEvents(response: ChatResponse): readonly ChatEvent[] {
  const events = new AnswerEvents()
  response.results.forEach((generation, position) => {
    for (const part of partsOf(generation)) {
      // Of several choices only the first is heard live.
      if (position === 0) begin(part, events)
      events.complete(part)
    }
  })
  return [...events.take(), { type: 'response', response }]
}

function partsOf({ message: { content } }: Generation): readonly AssistantPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function begin(part: AssistantPart, events: AnswerEvents): void {
  if (part.type === 'text') events.text(part.text)
  else if (part.type === 'reasoning') events.reasoning(part.text)
  else if (part.type === 'tool-call') events.callStart(part.id, part.name)
}
