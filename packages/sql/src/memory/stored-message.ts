/** Messages as the rows that hold them. */
import { ConfigurationError, type Message } from 'toolwright'

export interface StoredMessage {
  readonly role: string
  readonly content: string
  readonly search_text: string | null
}

/** JSON text escapes what databases do not take, and keeps order, numbers and everything unknown as it is. */
export function toStoredMessage(message: Message, isSearchable: boolean): StoredMessage {
  return {
    role: message?.role,
    content: jsonOf(message),
    search_text: isSearchable ? searchTextOf(message) : null,
  }
}

function jsonOf(message: Message): string {
  if (!isMessage(message))
    throw new ConfigurationError('invalid-message', 'What is to be stored is no message.')
  try {
    return JSON.stringify(message)
  } catch (cause) {
    throw new ConfigurationError(
      'invalid-message',
      `A message of role ${message.role} cannot be written as JSON.`,
      { cause },
    )
  }
}

/** Nothing when the row does not hold a message. */
export function fromStoredMessage(content: unknown): Message | undefined {
  try {
    const message: unknown = JSON.parse(content as string)
    return isMessage(message) ? message : undefined
  } catch {
    return undefined
  }
}

function isMessage(x: unknown): x is Message {
  if (typeof x !== 'object' || x === null) return false
  const { role, content, responses } = x as { readonly [name: string]: unknown }
  if (role === 'tool') return Array.isArray(responses)
  if (role === 'system') return typeof content === 'string'
  return (
    (role === 'user' || role === 'assistant') &&
    (typeof content === 'string' || Array.isArray(content))
  )
}

/** What people would search for: the texts of a message, in small letters. Reasoning and arguments are not among them. */
function searchTextOf(message: Message): string {
  const contents =
    message.role === 'tool' ? message.responses.map(({ content }) => content) : [message.content]
  const texts = contents.flatMap((content) =>
    typeof content === 'string'
      ? [content]
      : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  )
  return toSearchText(texts.join('\n'))
}

/** For the column and for what is searched in it. */
export const toSearchText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD').toLowerCase()
