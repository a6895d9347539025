/** One text for equal JSON values: keys sorted, numbers normalised. For `const`, `enum` and `uniqueItems`. */
import { TooComplex } from './check-run.ts'

const DEEPEST = 500

export function canonicalText(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (depth > DEEPEST) throw new TooComplex(`nesting of at most ${DEEPEST} levels`)
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalText(item, depth + 1)).join()}]`
  }
  const members = Object.keys(value)
    .filter((key) => (value as Record<string, unknown>)[key] !== undefined)
    .sort()
    .map((key) => {
      const member = (value as Record<string, unknown>)[key]
      return `${JSON.stringify(key)}:${canonicalText(member, depth + 1)}`
    })
  return `{${members.join()}}`
}
