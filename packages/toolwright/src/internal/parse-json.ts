/**
 * Reads JSON that somebody else wrote: complete, strict, within limits, with keys that cannot reach a
 * prototype, no key twice and no number that loses its value. Looking at the value tells whether
 * something is wrong; only then the text is read again to say what.
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

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** No text at all is `{}`: a call without arguments. */
export function parseJson(text: string, { maxBytes, maxDepth }: JsonLimits): ParsedJson {
  if (!fitsBytes(text, maxBytes)) {
    return refuse(`The JSON text is larger than ${maxBytes} bytes. Send less.`)
  }
  const { depth, colons } = scan(text)
  if (depth > maxDepth) {
    return refuse(`The JSON is nested deeper than ${maxDepth} levels. Nest it less deeply.`)
  }
  let value: unknown
  try {
    value = JSON.parse(text.trim() === '' ? '{}' : text)
  } catch (thrown) {
    const reason = cut((thrown as Error).message, 150)
    return refuse(`The text is not valid JSON: ${reason}. Send complete JSON.`)
  }
  const problem = isSuspect(value, colons) || /\de-\d{3}/i.test(text) ? problemIn(text) : undefined
  return problem === undefined ? { ok: true, value } : refuse(problem)
}

/** A character is one to three bytes, so most texts need no counting. */
function fitsBytes(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes || text.length > maxBytes) return text.length <= maxBytes
  return new TextEncoder().encode(text).length <= maxBytes
}

function refuse(problem: string): ParsedJson {
  return { ok: false, problem }
}

/** One pass over the text, outside of strings. Knows nothing of grammar: `JSON.parse` does. */
function scan(text: string): { readonly depth: number; readonly colons: number } {
  let open = 0
  let depth = 0
  let colons = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) colons++
    // `[` and `{`, `]` and `}` differ by one bit.
    else if ((code | 0x20) === 0x7b) depth = Math.max(depth, ++open)
    else if ((code | 0x20) === 0x7d) open--
  }
  return { depth, colons }
}

function endOfString(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && text.charCodeAt(end) !== QUOTE) {
    end += text.charCodeAt(end) === BACKSLASH ? 2 : 1
  }
  return end
}

/** A key given twice is a colon more than there are members. Needs no stack, however deep the value. */
function isSuspect(value: unknown, colons: number): boolean {
  let members = 0
  const open: object[] = [[value]]
  for (let next = open.pop(); next; next = open.pop()) {
    const children: readonly unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (children !== next) {
      members += children.length
      if (Object.hasOwn(next, '__proto__') || Object.hasOwn(next, 'constructor')) return true
    }
    for (const child of children) {
      if (typeof child === 'number' && Math.abs(child) > Number.MAX_SAFE_INTEGER) return true
      if (typeof child === 'object' && child !== null) open.push(child)
    }
  }
  return members !== colons
}

/** A key with its colon, another string, a brace, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]|-?\d[\d.e+-]*/gi
const FORBIDDEN = ['__proto__', 'prototype']

/** What is wrong with text that is JSON; undefined when the suspicion was unfounded. */
function problemIn(text: string): string | undefined {
  const levels: Set<string>[] = []
  let key = ''
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKEN)) {
    const level = levels.at(-1)
    if (token === '{') {
      // A prototype is reached by one key, or by two.
      levels.push(new Set(FORBIDDEN.slice(0, key === 'constructor' ? 2 : 1)))
    } else if (token === '}') {
      levels.pop()
      key = ''
    } else if (level && colon) {
      key = JSON.parse(token.slice(0, -colon.length)) as string
      const fault = FORBIDDEN.includes(key) ? 'is not allowed here' : 'appears twice in one object'
      if (level.has(key))
        return `The key ${cut(JSON.stringify(key))} ${fault} (at position ${index}). Leave it out.`
      level.add(key)
    } else if (losesValue(token)) {
      return `The number ${cut(token)} cannot be kept exactly (at position ${index}). Send it as a string.`
    }
  }
  return undefined
}

function cut(text: string, longest = 60): string {
  return text.slice(0, longest).toWellFormed()
}

/** Too large, too small, or an integer that double precision rounds. */
function losesValue(number: string): boolean {
  const value = Number(number)
  if (value === 0) return /^-?[0.]*[1-9]/.test(number)
  return (
    Math.abs(value) === Infinity || (/^-?\d+$/.test(number) && BigInt(number) !== BigInt(value))
  )
}
