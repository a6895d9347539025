/** The high-water mark of all labels in a conversation: once untrusted or private, always. */
import type { Label, Message } from '../messages/message.ts'

export function runLabel(messages: readonly Message[]): Label {
  const labelled: readonly { readonly label?: Label }[] = messages.flatMap((message) => {
    const inside = message.role === 'tool' ? message.responses : message.content
    return typeof inside === 'string' ? message : [message, ...inside]
  })
  return {
    trust: labelled.some(({ label }) => label?.trust === 'untrusted') ? 'untrusted' : 'trusted',
    ...(labelled.some(({ label }) => label?.private) && { private: true }),
  }
}
