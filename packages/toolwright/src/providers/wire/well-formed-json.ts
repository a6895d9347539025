/**
 * JSON text that every provider accepts. `JSON.stringify` writes half a surrogate pair as an escape
 * that strict parsers refuse for the rest of the conversation; here it becomes U+FFFD.
 */
const ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g

export function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value)
  // Only lone surrogates are written as \ud...; the same letters in a text have their backslash doubled.
  if (!json.includes('\\ud')) return json
  return json.replace(ESCAPE, (escape: string, surrogate?: string) =>
    surrogate ? '\ufffd' : escape,
  )
}

/** Arguments as they may go back to a provider: the text of a JSON object, or `{}`. */
export function argumentsOnWire(text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return '{}'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return '{}'
  if (!text.includes('\\u') && isWellFormed(text)) return text
  const json = wellFormedJson(value)
  // Unchanged where nothing had to be mended: providers cache by prefix.
  return json.includes('\ufffd') ? json : text
}

function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed()
}
