/**
 * Whether arguments of a replay are wrong only because something was taken out of them. What was missing then is missing
 * now, and is refused again.
 */
import type { Issue } from '../../errors/issue.ts'
import { REDACTED } from '../../errors/redact.ts'
import { pathText, type PathKey } from '../../schema/describe-value.ts'
import { keyOf } from './canonical-request.ts'

/** `input`: as it was recorded, in the shape in which it was sent. */
export function isByRedaction(issues: readonly Issue[], given: unknown, input: unknown): boolean {
  const givenAt = placesIn(given)
  const inputAt = placesIn(input)
  return issues.every(({ path }) => {
    if (!givenAt.has(path)) return false
    const here = keyOf(givenAt.get(path))
    return here.includes(REDACTED) || (inputAt.has(path) && here === keyOf(inputAt.get(path)))
  })
}

/** Every value inside a value, by its place. */
function placesIn(value: unknown): ReadonlyMap<string, unknown> {
  const places = new Map<string, unknown>()
  const walk = (inner: unknown, path: readonly PathKey[]): void => {
    places.set(pathText(path), inner)
    if (typeof inner !== 'object' || inner === null) return
    for (const [name, each] of Object.entries(inner))
      walk(each, [...path, Array.isArray(inner) ? Number(name) : name])
  }
  walk(value, [])
  return places
}
