/**
 * Reads JSON that somebody else wrote: complete, strict, within limits, with keys that cannot reach a
 * prototype, no key twice and no number that loses its value. Linear in the text, whatever it holds.
 */
import { stringEnd } from './string-end.ts'

export interface JsonLimits {
  /** UTF-8 bytes of the text. */
  readonly maxBytes: number
  /** Levels of arrays and objects. */
  readonly maxDepth: number
}

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  /** A sentence that whoever wrote the text can act on. */
  | { readonly ok: false; readonly problem: string }

/** No text at all is `{}`: a call without arguments. */
export function parseJson(text: string, { maxBytes, maxDepth }: JsonLimits): ParsedJson {
  // A character is one to three bytes, so most texts need no counting.
  if (text.length * 3 > maxBytes && (text.length > maxBytes || bytesOf(text) > maxBytes)) {
    return refuse(`The JSON text is larger than ${maxBytes} bytes. Send less.`)
  }
  let value: unknown
  try {
    value = JSON.parse(text.trim() === '' ? '{}' : text)
  } catch (thrown) {
    const reason = cut((thrown as Error).message, 150)
    return refuse(`The text is not valid JSON: ${reason}. Send complete JSON.`)
  }
  const problem = isPlain(text, value, maxDepth) ? undefined : problemIn(text, maxDepth)
  return problem ?? { ok: true, value }
}

/**
 * Whether a short text without long numbers comes out as it went in: then no key stood twice. A third of the time
 * that looking at each token takes. A long number can come out as it went in and still have been rounded.
 */
function isPlain(text: string, value: unknown, maxDepth: number): boolean {
  // Every level takes two brackets.
  const isShort = text.length <= Math.min(SHORT, 2 * maxDepth)
  if (!isShort || text.includes('proto') || LONG_NUMBER.test(text)) return false
  return JSON.stringify(value) === text
}

const LONG_NUMBER = /\d[\d.]{14}/

/** In characters. Of longer texts most are one string, which the pattern passes in one go. */
const SHORT = 256

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

const refuse = (problem: string): ParsedJson => ({ ok: false, problem })

/** A string without escapes and, of a key, its colon; the quote that opens any other string; a bracket; a number. */
const TOKEN = /"[^"\\]*"(\s*:)?|["[\]{}]|-?\d[\d.e+-]*/gi
const COLON = /\s*:/y
const FORBIDDEN = ['__proto__', 'prototype']

/** What is wrong with text that is JSON. One pass, and no stack, however deep the value or long its texts. */
function problemIn(text: string, maxDepth: number): ParsedJson | undefined {
  const levels: Set<string>[] = []
  let key = ''
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const { 0: token, 1: colon, index } = found
    if (token.startsWith('"')) {
      let end = index + token.length - (colon?.length ?? 0)
      if (token === '"') TOKEN.lastIndex = COLON.lastIndex = end = stringEnd(text, index)
      if (!colon && (token !== '"' || !COLON.test(text))) continue
      const level = levels.at(-1)!
      key = JSON.parse(text.slice(index, end)) as string
      const fault = FORBIDDEN.includes(key) ? 'is not allowed here' : 'appears twice in one object'
      if (level.has(key))
        return refuse(
          `The key ${cut(JSON.stringify(key))} ${fault} (at position ${index}). Leave it out.`,
        )
      level.add(key)
    } else if (token === '{' || token === '[') {
      // A prototype is reached by one key, or by two.
      levels.push(new Set(FORBIDDEN.slice(0, key === 'constructor' ? 2 : 1)))
      key = ''
      if (levels.length > maxDepth)
        return refuse(`The JSON is nested deeper than ${maxDepth} levels. Nest it less deeply.`)
    } else if (token === '}' || token === ']') {
      levels.pop()
      key = ''
    } else if (losesValue(token)) {
      const where = `at ${pathTo(text, index)}, position ${index}`
      return refuse(
        `The number ${cut(token)} cannot be kept exactly (${where}). Send at most 15 digits, or a string where one is taken.`,
      )
    }
  }
  return undefined
}

/** The path of the value at `position`, e.g. `$.items[2].price`. */
function pathTo(text: string, position: number): string {
  const keys: (string | number)[] = []
  const mark = /["[\]{},]/g
  for (let found = mark.exec(text); found && found.index < position; found = mark.exec(text)) {
    const { 0: token, index } = found
    const last = keys.length - 1
    if (token === '"') mark.lastIndex = stringEnd(text, index)
    if (token === '{' || token === '[') keys.push(token === '{' ? '' : 0)
    else if (token === '}' || token === ']') keys.pop()
    else if (typeof keys[last] === 'number') keys[last] += token === ',' ? 1 : 0
    // The last string before a value in an object is its key.
    else if (token === '"') keys[last] = text.slice(index, mark.lastIndex)
  }
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`
    return path + (/^"[a-z_]\w*"$/i.test(key) ? `.${key.slice(1, -1)}` : `[${cut(key)}]`)
  }, '$')
}

function cut(text: string, longest = 60): string {
  return text.slice(0, longest).toWellFormed()
}

/** In characters. The largest double has 309 digits; what is longer than this is refused unread. */
const LONGEST_NUMBER = 400

/**
 * Whether a double cannot hold the number: too large, too small, a whole number that it rounds, or a large
 * fraction that it rounds. Every fraction is rounded somewhere: below a billion that is less than a
 * ten-millionth, and only the digits beyond the sixteenth. Short numbers lose nothing.
 */
function losesValue(number: string): boolean {
  if (number.length < 16 && !/e/i.test(number)) return false
  if (number.length > LONGEST_NUMBER) return true
  const value = Number(number)
  const size = Math.abs(value)
  const whole = /^(-?\d+)(?:\.0*)?$/.exec(number)?.[1]
  if (size === Infinity) return true
  if (whole !== undefined) return BigInt(whole) !== BigInt(value)
  const digits = digitsOf(number)
  if (size === 0) return digits !== ''
  if (size > SMALLEST_EXACT && (digits.length < 16 || size < 1e9)) return false
  return digitsOf(value.toPrecision(Math.min(digits.length, 100))) !== digits
}

/** Below, a double has fewer digits than everywhere else. */
const SMALLEST_EXACT = 1e-307

/** The digits that count: without sign, point, exponent, and zeros at either end. */
const digitsOf = (number: string): string =>
  number
    .replace(/e.*/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
