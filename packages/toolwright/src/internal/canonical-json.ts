/** JSON text with sorted keys, so that equal values have equal text however a store ordered them. */
export function canonicalJson(value: unknown): string {
  let objects = 0
  const sortKeys = (_key: string, inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner
    if (++objects > MOST_OBJECTS) throw new RangeError('The value is too large to be compared.')
    return Array.isArray(inner) ? inner : sorted(inner)
  }
  return JSON.stringify(value, sortKeys) ?? 'null'
}

/** Objects that refer to each other are small in memory and may be endless as text. */
const MOST_OBJECTS = 1_000_000

function sorted(value: object): object {
  // Entries, not assignment: a key called __proto__ must stay a key.
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries)
}
