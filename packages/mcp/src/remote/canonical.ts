/** JSON text with sorted keys, and its hash: equal definitions have equal ones, however a server orders its keys. */
import { createHash } from 'node:crypto'

export const canonicalText = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? sorted(inner) : inner,
  ) ?? 'null'

export const canonicalHash = (value: unknown): string =>
  createHash('sha256').update(canonicalText(value)).digest('hex')

const sorted = (value: object): object =>
  // Entries, not assignment: a key called __proto__ must stay a key.
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
