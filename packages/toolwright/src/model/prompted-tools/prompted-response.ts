/** A whole answer with the calls in its text read. */
import type { ChatResponse, Generation } from '../../messages/chat-response.ts'
import type { AssistantPart, TextPart } from '../../messages/message.ts'
import { CallReader, type Read } from './call-reader.ts'

/** How the calls of an answer are read. */
export interface CallReading {
  /** Further calls are dropped. */
  readonly onlyFirst: boolean
}

export function promptedResponse(response: ChatResponse, reading: CallReading): ChatResponse {
  return { ...response, results: response.results.map((each) => promptedGeneration(each, reading)) }
}

function promptedGeneration(generation: Generation, reading: CallReading): Generation {
  const { message, finishReason } = generation
  const given: readonly AssistantPart[] =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : message.content
  const content = promptedParts(given, reading)
  if (!content.some((part) => part.type === 'tool-call')) return generation
  const isEnd = finishReason === 'stop'
  return {
    ...generation,
    message: { ...message, content },
    ...(isEnd && {
      finishReason: 'tool-calls',
      rawFinishReason: generation.rawFinishReason ?? finishReason,
    }),
  }
}

function promptedParts(
  given: readonly AssistantPart[],
  { onlyFirst }: CallReading,
): readonly AssistantPart[] {
  const parts: AssistantPart[] = []
  const reader = new CallReader()
  let hasCall = false
  let text: TextPart = { type: 'text', text: '' }
  const add = (read: readonly Read[]): void => {
    for (const each of read) {
      const isCall = typeof each !== 'string'
      if (!(isCall && hasCall && onlyFirst)) addRead(parts, each, text)
      hasCall ||= isCall
    }
  }
  for (const part of given) {
    if (part.type !== 'text') {
      parts.push(part)
      continue
    }
    text = part
    add(reader.push(part.text))
  }
  add(reader.end())
  return parts
}

/** Pieces of one text part stay one part, with what was said about it. */
function addRead(parts: AssistantPart[], read: Read, { text: _text, ...about }: TextPart): void {
  const last = parts.at(-1)
  if (typeof read !== 'string') parts.push(read)
  else if (last?.type === 'text') parts.splice(-1, 1, { ...last, text: last.text + read })
  else parts.push({ ...about, text: read })
}
