/** Models and advisors are written by others: not all that they emit is an event. */
import type { ChatEvent } from './chat-event.ts'
import { mendedCall } from './mended-call.ts'

type Fields = { readonly [field: string]: unknown }

/** The texts that readers of an event rely on. */
const TEXTS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text-delta', ['text']],
  ['reasoning-delta', ['text']],
  ['tool-call-start', ['id', 'name']],
  ['tool-call-delta', ['id', 'delta']],
  ['notice', ['code', 'message']],
])

/** Whether it has what readers of its type rely on. */
export function isChatEvent(x: unknown): x is ChatEvent {
  const event = Object(x) as Fields
  const { type } = event
  if (type === 'tool-call') return isToolCall(event['toolCall'])
  if (type === 'part') return typeof Object(event['part']).type === 'string'
  return typeof type === 'string' && hasTexts(event, TEXTS.get(type))
}

/** The same event, with an empty id where a call has none; nothing when it is no event all the same. */
export function mendedEvent(x: unknown): ChatEvent | undefined {
  const event = Object(x) as Fields
  const { toolCall } = event
  const mended = toolCall
    ? { ...event, toolCall: mendedCall(Object(toolCall) as Fields) }
    : { id: '', name: '', ...event }
  return isChatEvent(mended) ? mended : undefined
}

/** Whether the fields of a call are texts. */
export const isToolCall = (x: unknown): boolean =>
  hasTexts(Object(x) as Fields, ['id', 'name', 'arguments'])

const hasTexts = (value: Fields, fields: readonly string[] = []): boolean =>
  fields.every((field) => typeof value[field] === 'string')
