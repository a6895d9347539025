/** What is wrong with a value, at the field where it is wrong. */
import type { Issue } from 'toolwright'
import type { FieldIssue } from '../protocol/shown-content.ts'

export const fieldIssue = ({ path, expected, received, message }: Issue): FieldIssue => ({
  path: keysOf(path),
  message: message ?? `expected ${expected}, received ${received}`,
})

/** `$.items[2]["a b"]` as its keys. */
function keysOf(path: string): readonly (string | number)[] {
  const keys: (string | number)[] = []
  for (const [, name, number, quoted] of path.matchAll(KEY))
    keys.push(name ?? (number === undefined ? (JSON.parse(quoted!) as string) : Number(number)))
  return keys
}

const KEY = /\.([\p{L}_$][\p{L}\p{N}_$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gu
