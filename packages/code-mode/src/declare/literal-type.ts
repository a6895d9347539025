/** Values and keys of JSON as TypeScript. */
import type { Json } from 'toolwright'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** The key of a member: quoted where it is no identifier. */
export const keyOf = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name))

/** The type that only this value has. */
export function literalType(value: Json | undefined): string {
  if (value === null || typeof value !== 'object')
    return value === undefined ? 'unknown' : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(literalType).join(', ')}]`
  const members = Object.entries(value).map(([key, one]) => `${keyOf(key)}: ${literalType(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}

/** Each type once, in order. What takes everything swallows the rest. */
export function union(types: readonly string[]): string {
  const each = [...new Set(types)].filter((type) => type !== 'never')
  if (each.length === 0) return 'never'
  return each.includes('unknown') ? 'unknown' : each.join(' | ')
}

/** All of them at the same time. */
export function intersection(types: readonly string[]): string {
  const each = [...new Set(types)].filter((type) => type !== 'unknown')
  if (each.length <= 1) return each[0] ?? 'unknown'
  return each.includes('never') ? 'never' : each.map(inParentheses).join(' & ')
}

/** A type that something is put behind or between. */
export const inParentheses = (type: string): string =>
  /^[\w$]+$/.test(type) || isOneBracket(type) || isOneText(type) ? type : `(${type})`

const isOneText = (type: string): boolean => /^"(?:[^"\\]|\\.)*"$/.test(type)

/** Whether the bracket that it begins with is closed at its end. Texts in it count as nothing. */
function isOneBracket(type: string): boolean {
  if (!/^[{[(]/.test(type)) return false
  const bare = type.replace(/"(?:[^"\\]|\\.)*"|\/\*[^]*?\*\//g, (skipped) => ' '.repeat(skipped.length)) // prettier-ignore
  let depth = 0
  for (let at = 0; at < bare.length; at++) {
    if ('{[('.includes(bare[at]!)) depth++
    if ('}])'.includes(bare[at]!) && --depth === 0) return at === bare.length - 1
  }
  return false
}
