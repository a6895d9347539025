/**
 * Reads JSON that somebody else wrote: complete, strict, within limits, with keys that cannot reach a
 * prototype, no key twice and no number that loses its value. The fast way only finds that something
 * is wrong; what it is, in words, is found by `explainJson`.
 */
import { explainJson } from './explain-json.ts'
import { endOfString } from './end-of-string.ts'
import { losesValue } from './loses-value.ts'

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

const NOT_ASCII = /[\u0080-\uffff]/

/** No text at all is `{}`: a call without arguments. */
export function parseJson(text: string, limits: JsonLimits): ParsedJson {
  if (!fitsBytes(text, limits.maxBytes)) {
    return refuse(`The JSON text is larger than ${limits.maxBytes} bytes. Send less.`)
  }
  const scan = scanJson(text)
  if (scan.depth > limits.maxDepth) {
    return refuse(`The JSON is nested deeper than ${limits.maxDepth} levels. Nest it less deeply.`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    if (/^\s*$/.test(text)) return { ok: true, value: {} }
    return refuse(explainJson(text) ?? 'The text is not valid JSON.')
  }
  // A key given twice is one colon more than there are members.
  if (countMembers(value) === scan.colons && !scan.losesNumber) return { ok: true, value }
  const problem = explainJson(text)
  return problem === undefined ? { ok: true, value } : refuse(problem)
}

function refuse(problem: string): ParsedJson {
  return { ok: false, problem }
}

function fitsBytes(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return true
  if (text.length > maxBytes) return false
  if (!NOT_ASCII.test(text)) return true
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Two halves of a pair are four bytes together, so each counts one more than its unit.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes <= maxBytes
}

interface Scan {
  readonly depth: number
  readonly colons: number
  /** Some number would not keep its value. */
  readonly losesNumber: boolean
}

/** One pass over the text, outside of strings. Knows nothing of grammar: `JSON.parse` does. */
function scanJson(text: string): Scan {
  let depth = 0
  let deepest = 0
  let colons = 0
  let losesNumber = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x3a) colons++
    else if (code >= 0x30 && code <= 0x39) {
      const whole = endOfDigits(text, at)
      let end = text.charCodeAt(whole) === 0x2e ? endOfDigits(text, whole + 1) : whole
      const hasExponent = (text.charCodeAt(end) | 0x20) === 0x65
      // Past the `e` and the sign or first digit after it.
      if (hasExponent) end = endOfDigits(text, end + 2)
      const isSuspect = hasExponent || whole - at > 15 || end - at > 300
      losesNumber ||= isSuspect && losesValue(text.slice(at, end))
      at = end - 1
    } else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x7d || code === 0x5d) depth--
  }
  return { depth: deepest, colons, losesNumber }
}

function endOfDigits(text: string, start: number): number {
  let end = start
  while (text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++
  return end
}

/** How many members all objects have together, or -1 when a key could reach a prototype. */
function countMembers(value: unknown): number {
  let members = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object') open.push(item)
      continue
    }
    for (const key of Object.keys(next)) {
      if (key === '__proto__' || key === 'constructor') return -1
      const member = (next as Record<string, unknown>)[key]
      if (typeof member === 'object') open.push(member)
      members++
    }
  }
  return members
}
