/** JSON that every provider accepts: no string in it has half a character. */
import { ConfigurationError } from '../../errors/errors.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import { isSound } from '../../internal/sound-calls.ts'
import { wholeCharacters } from '../../internal/whole-characters.ts'
import type { ToolCall } from '../../messages/message.ts'

/**
 * `JSON.stringify` writes half a surrogate pair as an escape that strict parsers refuse for the rest of the
 * conversation; here it becomes U+FFFD.
 */
export function wellFormedJson(value: unknown): string {
  let json: string
  try {
    json = JSON.stringify(value)
  } catch (thrown) {
    throw new ConfigurationError(
      'invalid-message',
      `A message or an option cannot be written as JSON: ${messageOfThrown(thrown)}.`,
      { cause: thrown },
    )
  }
  return wholeCharacters(json)
}

/** Arguments as they may go back to a provider: the text of a JSON object, or `{}`. */
export function argumentsOnWire(call: ToolCall): string {
  const { arguments: text } = call
  if (isSound(call)) return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return '{}'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '{}'
  // Unchanged where nothing has to be mended: providers cache by prefix.
  return wholeCharacters(text).toWellFormed()
}
