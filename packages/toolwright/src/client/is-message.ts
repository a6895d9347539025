/** Whether what a program gave as a message is one. What is wrong with one that is none: message-fault.ts. */

const USER_PARTS = ['text', 'image', 'audio', 'file']

/** The roles that have content, and what it is made of. */
export const MESSAGE_PARTS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['system', []],
  ['user', USER_PARTS],
  ['assistant', [...USER_PARTS, 'reasoning', 'tool-call', 'provider']],
])

interface Given {
  readonly [field: string]: unknown
}

export function isMessage(message: unknown): boolean {
  const { role, content, responses, tool_calls, toolCalls } = Object(message) as Given
  if (role === 'tool') return Array.isArray(responses) && responses.every(isResponse)
  // Another library's form: the calls would be lost.
  if ((tool_calls ?? toolCalls) !== undefined) return false
  const parts = MESSAGE_PARTS.get(role)
  if (!parts || typeof content === 'string') return parts !== undefined
  return (
    parts.length > 0 &&
    Array.isArray(content) &&
    content.every((part) => isMessagePart(part, parts))
  )
}

export function isMessagePart(part: unknown, types: readonly string[]): boolean {
  const { type, text } = Object(part) as Given
  return types.includes(type as string) && (type !== 'text' || typeof text === 'string')
}

function isResponse(response: unknown): boolean {
  const { id, content } = Object(response) as Given
  return typeof id === 'string' && (typeof content === 'string' || Array.isArray(content))
}
