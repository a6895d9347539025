/**
 * Any value as JSON that a suspended state can hold: a copy, so that its maker cannot change it any more. What
 * has no JSON form is put into words, because a call that waits must not cost the results of the others.
 */
import type { Json } from '../messages/json.ts'
import { jsonOf } from '../tools/result-converter.ts'

const MOST_VALUES = 1_000_000
const MOST_CHARACTERS = 32_000_000

/** Stands where there was too much. */
export const TOO_LARGE = '[too large to be kept]'

export function plainJson(value: unknown): Json {
  let isTooLarge = false
  let values = 0
  let characters = 0
  const counted = (key: string, each: unknown): unknown => {
    values += 1
    characters += key.length + (typeof each === 'string' ? each.length : 0)
    isTooLarge = values > MOST_VALUES || characters > MOST_CHARACTERS
    if (isTooLarge || !isPlain(each)) throw new TypeError('This has no plain JSON form.')
    return each
  }
  try {
    const text = JSON.stringify(value, counted) as string | undefined
    if (text !== undefined) return JSON.parse(text) as Json
  } catch {
    // Most of it can still be shown, unless it is too much.
    if (isTooLarge) return TOO_LARGE
  }
  return (jsonOf(value) ?? `[${typeof value}]`) as Json
}

/** Whether JSON keeps it as it is: a map or an instance of a class would lose what makes it one. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
