/**
 * Describes places and values in issues: short, well-formed, safe to send to a model. It never descends
 * into a value, so depth does not matter.
 */
import { redact } from '../errors/redact.ts'

export type PathKey = string | number

const LONGEST = 80
/** Characters of a text that are looked at before the first of them are shown. */
const LOOKED_AT = 2048
const IDENTIFIER = /^[a-z_$][\w$]{0,79}$/i

/** Cuts a text between code points and marks the cut. */
export function shorten(text: string, longest: number = LONGEST): string {
  if (text.length <= longest) return text.toWellFormed()
  const isPair = text.codePointAt(longest - 2)! > 0xffff
  return `${text.slice(0, longest - (isPair ? 2 : 1)).toWellFormed()}…`
}

/** `$.a[0]["odd key"]` */
export function pathText(keys: readonly PathKey[]): string {
  const parts = keys.map((key) => {
    if (typeof key === 'number') return `[${key}]`
    return IDENTIFIER.test(key) ? `.${key}` : `[${JSON.stringify(shorten(key))}]`
  })
  return `$${parts.join('')}`
}

/**
 * Redacted before it is cut: a password whose end is missing is not recognised any more. What stands near the
 * end of what is looked at is not shown either.
 */
function startOf(text: string): string {
  const looked = redact(text.slice(0, LOOKED_AT))
  const isWhole = text.length <= LOOKED_AT
  return (isWhole ? looked : looked.slice(0, -LOOKED_AT / 4)).slice(0, LONGEST + 2)
}

/** Describes a value: `"soon"`, `nothing`, `array of 3`, `object with "a", "b"`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return shorten(JSON.stringify(startOf(value)))
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'function') return shorten(`function ${value.name}`)
  if (typeof value !== 'object' || value === null) return shorten(String(value))
  const keys = Object.keys(value).slice(0, 5)
  const names = keys.map((key) => JSON.stringify(shorten(key, 20))).join(', ')
  return names === '' ? 'empty object' : shorten(`object with ${names}`)
}
