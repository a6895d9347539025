/**
 * What a model receives is valid, whatever the conversation holds. Each call is followed by exactly one
 * response, ids are unique and not empty, arguments are JSON objects, strings are well-formed. The model step
 * cleans every history here, and has one that is not paired mended by pair-history.ts. A valid history comes
 * back as the same objects, so that adapters can reuse what they have already written for it.
 */
import type { AssistantMessage, Message, ToolCall } from '../messages/message.ts'
import { isSound } from '../internal/sound-calls.ts'
import { wholeCharacters } from '../internal/whole-characters.ts'
import { toolCallsOf } from '../messages/reading.ts'

/** Messages never change, so each needs to be looked at only once. */
const clean = new WeakSet<Message>()

export function cleanHistory(messages: readonly Message[]): readonly Message[] {
  let cleaned: Message[] | undefined
  messages.forEach((message, index) => {
    if (clean.has(message)) return
    const fixed = isClean(message, '') ? message : cleanValue(message, '')
    clean.add(fixed)
    if (fixed !== message) (cleaned ??= [...messages])[index] = fixed
  })
  return cleaned ?? messages
}

/** What a provider signed or sent in its own form goes back untouched; base64 is always well-formed. */
const UNTOUCHED = new Set(['providerData', 'data', 'providerOptions'])

/** Signed text must stay as it is; the provider that signed it also reads it. */
const isUntouched = (value: object, key: string): boolean =>
  UNTOUCHED.has(key) || ('providerData' in value && 'text' in value)

/** Arguments that were parsed need not be parsed again. */
const isKnown = (holder: object, key: string): boolean => key === 'arguments' && isSound(holder)

/** Whether every text is well-formed and every call's arguments are a JSON object. Most values are, and asking copies nothing. */
function isClean(value: unknown, key: string): boolean {
  if (typeof value === 'string')
    return value.isWellFormed() && (key !== 'arguments' || soundArguments(value) === value)
  if (typeof value !== 'object' || value === null || isUntouched(value, key)) return true
  if (Array.isArray(value)) return value.every((item) => isClean(item, ''))
  for (const name of Object.keys(value)) {
    const inner = (value as { readonly [name: string]: unknown })[name]
    if (!isKnown(value, name) && !isClean(inner, name)) return false
  }
  return true
}

/** The same value made clean; what is clean in it stays the same object. Each part is looked at once. */
function cleanValue<T>(value: T, key: string): T {
  if (typeof value === 'string') {
    const text = key === 'arguments' ? soundArguments(value) : value
    return text.toWellFormed() as T
  }
  if (typeof value !== 'object' || value === null || isUntouched(value, key)) return value
  // A loop, because every level of a value would otherwise take several of the stack.
  let copy: { [key: string]: unknown } | undefined
  for (const [name, inner] of Object.entries(value)) {
    if (isKnown(value, name)) continue
    const fixed: unknown = cleanValue(inner, Array.isArray(value) ? '' : name)
    if (fixed !== inner) (copy ??= copyOf(value))[name] = fixed
  }
  return (copy ?? value) as T
}

const copyOf = (value: object): { [key: string]: unknown } =>
  (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as { [key: string]: unknown }

/** Arguments as every provider takes them back: a JSON object without half characters. */
function soundArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? wholeCharacters(text) : '{}'
  } catch {
    return '{}'
  }
}

/** Whether every call is answered once, in order, by the very next message, and no id comes twice. */
export function isPaired(messages: readonly Message[]): boolean {
  const ids = new Set<string>()
  let open: readonly ToolCall[] = []
  let run: string | undefined
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open.length === 0 || message.responses.length !== open.length) return false
      if (run !== message.runId && run !== undefined && message.runId !== undefined) return false
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
    run = message.runId
    for (const call of open) {
      if (call.id === '' || ids.has(call.id)) return false
      ids.add(call.id)
    }
  }
  return open.length === 0
}

export const saysNothing = ({ content }: AssistantMessage): boolean =>
  typeof content === 'string'
    ? content === ''
    : content.every((part) => part.type === 'text' && part.text === '')
