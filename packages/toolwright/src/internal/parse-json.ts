/**
 * Reads JSON that somebody else wrote: complete, strict, within limits, with keys that cannot reach a
 * prototype, no key twice and no number that loses its value.
 */
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
  const problem = problemIn(text, maxDepth)
  return problem === undefined ? { ok: true, value } : refuse(problem)
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

function refuse(problem: string): ParsedJson {
  return { ok: false, problem }
}

/** A key with its colon, another string, a bracket, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{}]|-?\d[\d.e+-]*/gi
const FORBIDDEN = ['__proto__', 'prototype']

/** What is wrong with text that is JSON. One pass, and no stack, however deep the value. */
function problemIn(text: string, maxDepth: number): string | undefined {
  const levels: Set<string>[] = []
  let key = ''
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      // A prototype is reached by one key, or by two.
      levels.push(new Set(FORBIDDEN.slice(0, key === 'constructor' ? 2 : 1)))
      key = ''
      if (levels.length > maxDepth)
        return `The JSON is nested deeper than ${maxDepth} levels. Nest it less deeply.`
    } else if (token === '}' || token === ']') {
      levels.pop()
      key = ''
    } else if (colon) {
      const level = levels.at(-1)!
      key = JSON.parse(token.slice(0, -colon.length)) as string
      const fault = FORBIDDEN.includes(key) ? 'is not allowed here' : 'appears twice in one object'
      if (level.has(key))
        return `The key ${cut(JSON.stringify(key))} ${fault} (at position ${index}). Leave it out.`
      level.add(key)
    } else if (!token.startsWith('"') && losesValue(token)) {
      return `The number ${cut(token)} cannot be kept exactly (at position ${index}). Send it as a string.`
    }
  }
  return undefined
}

function cut(text: string, longest = 60): string {
  return text.slice(0, longest).toWellFormed()
}

/** Too large, too small, or an integer that double precision rounds. Short ones cannot be. */
function losesValue(number: string): boolean {
  if (number.length < 16 && !/e/i.test(number)) return false
  const value = Number(number)
  if (value === 0) return /^-?[0.]*[1-9]/.test(number)
  return (
    Math.abs(value) === Infinity || (/^-?\d+$/.test(number) && BigInt(number) !== BigInt(value))
  )
}
