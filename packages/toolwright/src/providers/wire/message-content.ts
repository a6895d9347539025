/** The content of a message whose parts have no order of their own on the wire: nothing but one text is that text. */
import type { AssistantMessage, AssistantPart } from '../../messages/message.ts'

export function messageContent(parts: readonly AssistantPart[]): AssistantMessage['content'] {
  const [only] = parts
  if (only === undefined) return ''
  return parts.length === 1 && only.type === 'text' ? only.text : parts
}
