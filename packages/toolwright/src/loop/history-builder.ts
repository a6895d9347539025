/**
 * The only way to form a request: whatever the conversation holds, what a model receives is valid.
 * Each call is followed by exactly one response, ids are unique and not empty, arguments are JSON
 * objects, strings are well-formed. A valid history comes back as the same objects, so that adapters
 * can reuse what they have already written for it.
 */
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCall,
  ToolMessage,
  ToolResponse,
} from '../messages/message.ts'
import { isSound } from '../internal/sound-calls.ts'
import { toolCallsOf } from '../messages/reading.ts'

/** Messages never change, so each needs to be looked at only once. */
const clean = new WeakSet<Message>()

export function buildHistory(messages: readonly Message[]): readonly Message[] {
  let cleaned: Message[] | undefined
  messages.forEach((message, index) => {
    if (clean.has(message)) return
    const fixed = cleanValue(message)
    clean.add(fixed)
    if (fixed !== message) (cleaned ??= [...messages])[index] = fixed
  })
  const history = cleaned ?? messages
  return isPaired(history) ? history : pair(history)
}

/** What a provider signed or sent in its own form goes back untouched; base64 is always well-formed. */
const UNTOUCHED = new Set(['providerData', 'data', 'providerOptions'])

/** The same value, every text in it well-formed and every call's arguments a JSON object. */
function cleanValue<T>(value: T, key = ''): T {
  if (typeof value === 'string') {
    const text = key === 'arguments' && !isJsonObject(value) ? '{}' : value
    return (text.isWellFormed() ? text : text.toWellFormed()) as T
  }
  if (typeof value !== 'object' || value === null || UNTOUCHED.has(key)) return value
  // Signed text must stay as it is; the provider that signed it also reads it.
  if ('providerData' in value && 'text' in value) return value
  if ('arguments' in value && isSound(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, cleanValue(inner, name)])
  if (entries.every(([name, inner]) => inner === (value as never)[name as never])) return value
  return (
    Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
  ) as T
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    // Escapes can hide half a character: "\\ud800" is valid JSON and no valid string.
    return isObject && (!text.includes('\\u') || !/\\ud[89a-f]../i.test(JSON.stringify(value)))
  } catch {
    return false
  }
}

/** Whether every call is answered once, in order, by the very next message, and no id comes twice. */
function isPaired(messages: readonly Message[]): boolean {
  const ids = new Set<string>()
  let open: readonly ToolCall[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open.length === 0 || message.responses.length !== open.length) return false
      if (
        message.responses.some(
          (response, index) =>
            response.id !== open[index]!.id || response.name !== open[index]!.name,
        )
      )
        return false
      open = []
      continue
    }
    if (open.length > 0) return false
    if (message.role !== 'assistant') continue
    if (saysNothing(message)) return false
    open = toolCallsOf(message)
    for (const call of open) {
      if (call.id === '' || ids.has(call.id)) return false
      ids.add(call.id)
    }
  }
  return open.length === 0
}

const saysNothing = ({ content }: AssistantMessage): boolean =>
  typeof content === 'string'
    ? content === ''
    : content.every((part) => part.type === 'text' && part.text === '')

const NO_RESULT = 'No result was recorded for this call.'

/** Rebuilds the pairs: unanswered calls get an error response, responses without a call are dropped. */
function pair(messages: readonly Message[]): readonly Message[] {
  const paired: Message[] = []
  const taken = new Set<string>()
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!
    if (message.role === 'tool') continue
    if (message.role !== 'assistant' || toolCallsOf(message).length === 0) {
      if (message.role !== 'assistant' || !saysNothing(message)) paired.push(message)
      continue
    }
    const responses = responsesAfter(messages, at)
    paired.push(...pairTurn(message, responses, taken))
  }
  return paired
}

/** What answers this assistant message: the tool messages up to the next assistant message, wherever they slipped to. */
function responsesAfter(messages: readonly Message[], at: number): ToolResponse[] {
  const responses: ToolResponse[] = []
  for (let next = at + 1; next < messages.length && messages[next]!.role !== 'assistant'; next++) {
    const message = messages[next]!
    if (message.role === 'tool') responses.push(...message.responses)
  }
  return responses
}

function pairTurn(
  message: AssistantMessage,
  responses: ToolResponse[],
  taken: Set<string>,
): readonly Message[] {
  const answers: ToolResponse[] = []
  const parts = (message.content as readonly AssistantPart[]).map((part) => {
    if (part.type !== 'tool-call') return part
    const id = freeId(part.id, taken)
    const index = responses.findIndex((response) => response.id === part.id)
    const [found] = index >= 0 ? responses.splice(index, 1) : []
    const answer = found ?? { id, name: part.name, content: NO_RESULT, isError: true }
    answers.push(
      answer.id === id && answer.name === part.name ? answer : { ...answer, id, name: part.name },
    )
    return id === part.id ? part : { ...part, id }
  })
  const changed = parts.some((part, index) => part !== message.content[index])
  const toolMessage: ToolMessage = { role: 'tool', responses: answers }
  return [changed ? { ...message, content: parts } : message, toolMessage]
}

/** The id itself, or the first free one derived from it: the same history always gets the same ids. */
function freeId(id: string, taken: Set<string>): string {
  const base = id === '' ? 'call' : id
  let free = id === '' ? 'call_1' : id
  for (let n = 2; taken.has(free); n++) free = `${base}_${n}`
  taken.add(free)
  return free
}
