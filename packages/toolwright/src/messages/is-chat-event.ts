/** Models and advisors are written by others: not all that they emit is an event. */
import type { ChatEvent } from './chat-event.ts'
import { mendedCall } from './mended-call.ts'

/** Whether it has what readers of its type rely on. */
export function isChatEvent(x: unknown): x is ChatEvent {
  const event = (x ?? {}) as { readonly [field: string]: unknown }
  switch (event['type']) {
    case 'text-delta':
    case 'reasoning-delta':
      return typeof event['text'] === 'string'
    case 'tool-call-start':
      return typeof event['id'] === 'string' && typeof event['name'] === 'string'
    case 'tool-call-delta':
      return typeof event['id'] === 'string' && typeof event['delta'] === 'string'
    case 'tool-call':
      return isToolCall(event['toolCall'])
    case 'part':
      return typeof event['part'] === 'object' && event['part'] !== null
    case 'notice':
      return typeof event['code'] === 'string' && typeof event['message'] === 'string'
    default:
      return typeof event['type'] === 'string'
  }
}

/** The same event, with an empty id where a call has none; nothing when it is no event all the same. */
export function mendedEvent(x: unknown): ChatEvent | undefined {
  const { toolCall, id = '', name = '' } = Object(x) as { readonly [field: string]: unknown }
  const isCall = typeof toolCall === 'object' && toolCall !== null
  const mended = isCall
    ? { ...Object(x), toolCall: mendedCall(toolCall as { readonly [field: string]: unknown }) }
    : { ...Object(x), id, name }
  return isChatEvent(mended) ? mended : undefined
}

/** Whether the fields of a call are texts. */
export function isToolCall(x: unknown): boolean {
  const { id, name, arguments: given } = Object(x) as { readonly [field: string]: unknown }
  return typeof id === 'string' && typeof name === 'string' && typeof given === 'string'
}
