/** A copy of plain JSON data that nobody can change, at any depth. For data that is handed to code of others. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return Object.freeze(value.map((item: unknown) => frozenCopy(item))) as T
  const entries = Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)])
  return Object.freeze(Object.fromEntries(entries)) as T
}
