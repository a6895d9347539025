/** How many tokens a message takes. */
import { ConfigurationError } from '../errors/errors.ts'
import type { AssistantPart, Message, ToolResponse, UserPart } from '../messages/message.ts'

/** Counts the tokens of a text. Synchronous: it is asked for every message of every request. */
export type Tokenizer = (text: string) => number

/** Besides its words, a message says whose it is. */
const PER_MESSAGE = 4
/** Images and files are counted in many ways; this is of the usual size. */
const PER_MEDIA = 1_000

/** The counts of messages that were seen before are kept as long as the messages. */
export function messageTokens(tokenizer: Tokenizer): (message: Message) => number {
  const known = new WeakMap<Message, number>()
  const count = (text: string): number => checked(tokenizer(text))
  return (message) => {
    const before = known.get(message)
    if (before !== undefined) return before
    const tokens = PER_MESSAGE + tokensOf(message, count)
    known.set(message, tokens)
    return tokens
  }
}

function checked(tokens: unknown): number {
  if (typeof tokens === 'number' && tokens >= 0 && tokens < Infinity) return tokens
  throw new ConfigurationError(
    'invalid-option',
    `The tokenizer returned ${String(tokens)} for a text; it returns how many tokens that has, and no promise.`,
  )
}

function tokensOf(message: Message, count: Tokenizer): number {
  const content: string | readonly Part[] =
    message.role === 'tool' ? message.responses : message.content
  if (typeof content === 'string') return count(content)
  return content.reduce((sum, part) => sum + tokensOfPart(part, count), 0)
}

type Part = UserPart | AssistantPart | ToolResponse

function tokensOfPart(part: Part, count: Tokenizer): number {
  if (!('type' in part)) {
    const { id, content } = part
    const inside = typeof content === 'string' ? count(content) : partsOf(content, count)
    return PER_MESSAGE + count(id) + inside
  }
  if (part.type === 'text' || part.type === 'reasoning') return count(part.text)
  if (part.type === 'provider') return count(JSON.stringify(part.data))
  if (part.type !== 'tool-call') return PER_MEDIA
  return PER_MESSAGE + count(part.id) + count(part.name) + count(part.arguments)
}

const partsOf = (parts: readonly UserPart[], count: Tokenizer): number =>
  parts.reduce((sum, part) => sum + tokensOfPart(part, count), 0)
