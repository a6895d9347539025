/** What a tool took, returned or reported, as text. It may have no JSON form, or endless text. */

/** Objects that refer to each other are small in memory and may be endless as text. */
const MOST_VALUES = 100_000
const MOST_CHARACTERS = 16 * 1024 * 1024

/** The value itself if it is text, otherwise as JSON. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return jsonLine(value) ?? String(value)
  } catch {
    return String(value)
  }
}

/** Throws for a value that has no JSON form or has too many parts. */
export function jsonLine(value: unknown): string | undefined {
  let values = 0
  let characters = 0
  return JSON.stringify(value, (_key, inner: unknown) => {
    values++
    if (typeof inner === 'string') characters += inner.length
    if (values > MOST_VALUES || characters > MOST_CHARACTERS)
      throw new RangeError('The value is too large to be shown.')
    return inner
  })
}
