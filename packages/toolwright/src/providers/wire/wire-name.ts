/**
 * The name of a tool as a provider takes it. A name becomes the same wire name always, whatever else is
 * offered, and no two names become the same:
 *
 * - A character that is not allowed becomes its code point between `_x` and `_`: `files.read` is sent as
 *   `files_x2e_read`.
 * - A name that is too long ends with a hash of itself: `__xh1m4x0q…_`. The first way never writes `__xh`.
 * - An allowed name stays itself. If it is what one of the above makes of another name, it is written like those.
 */
import type { ToolNameRule } from './chat-dialect.ts'

const ESCAPE = /_x([0-9a-f]{2,6})_/g
const MARK = '_x'
/** Two halves of 53 bits, as digits of base 36. */
const HASH_DIGITS = 22
const HASHED = new RegExp(`__xh[0-9a-z]{${HASH_DIGITS}}_$`)

export function toWireName(rule: ToolNameRule, name: string): string {
  if (staysItself(rule, name)) return name
  const written = escaped(rule, name)
  if (written !== '' && written.length <= rule.maxLength) return written
  const end = `__xh${hashOf(name)}_`
  return written.slice(0, rule.maxLength - end.length) + end
}

/** Whether a wire name can be that of another name. Most names are told apart by this alone. */
export const isWritten = (wireName: string): boolean => wireName.includes(MARK)

function staysItself(rule: ToolNameRule, name: string): boolean {
  if (name.length > rule.maxLength || !rule.pattern.test(name)) return false
  if (!isWritten(name)) return true
  return !HASHED.test(name) && escaped(rule, unescaped(name)) !== name
}

function escaped({ pattern }: ToolNameRule, name: string): string {
  let written = ''
  const characters = Array.from(name)
  for (const [position, character] of characters.entries()) {
    const isAllowed = pattern.test(position === 0 ? character : `a${character}`)
    const looksLikeMark = character === '_' && characters[position + 1] === 'x'
    written += isAllowed && !looksLikeMark ? character : escapeOf(character)
  }
  return written
}

const escapeOf = (character: string): string =>
  `${MARK}${character.codePointAt(0)!.toString(16).padStart(2, '0')}_`

const unescaped = (name: string): string =>
  name.replace(ESCAPE, (escape, digits: string) => {
    const point = Number.parseInt(digits, 16)
    return point > 0x10ffff ? escape : String.fromCodePoint(point)
  })

/** Not for secrets, and synchronous everywhere: two mixes of 53 bits each. Equal hashes of two offered tools are found later. */
const hashOf = (text: string): string => half(text, 0x9e3779b1) + half(text, 0x85ebca77)

function half(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  const bits = 4294967296 * (2097151 & low) + (high >>> 0)
  return bits.toString(36).padStart(HASH_DIGITS / 2, '0')
}
