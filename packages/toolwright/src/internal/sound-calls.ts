/**
 * Calls whose arguments are known to be one sound JSON object, so that neither the history nor the adapter parses
 * them again: 256 kB of arguments take a millisecond to parse.
 */
import type { ToolCall } from '../messages/message.ts'

const sound = new WeakSet<ToolCall>()

/**
 * To be told of arguments that were parsed. `text` is what was parsed: whoever approves a call may have
 * changed it. Escapes can hide half a character, so arguments with escapes are left to the history.
 */
export function markSound(call: ToolCall, text: string): void {
  const isObject = text === call.arguments && text.trimStart().startsWith('{')
  if (isObject && !text.includes('\\u') && text.isWellFormed()) sound.add(call)
}

export const isSound = (call: object): boolean => sound.has(call as ToolCall)
