/**
 * Says what is wrong with JSON text that was refused, and where. Slow and thorough; only for text that
 * `parseJson` has doubts about. Returns nothing when the doubts were unfounded.
 */
import { endOfString } from './end-of-string.ts'
import { losesValue } from './loses-value.ts'

const TOKEN =
  /[{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y

/** An open array or object. */
interface Level {
  /** The keys so far; absent for an array. */
  readonly keys: Set<string> | undefined
  /** The key whose value comes next. */
  key: string
  /** The value of a `constructor` key, which may hold anything but a `prototype`. */
  readonly isConstructor: boolean
}

type Wanted = 'value' | 'item' | 'key' | 'first key' | 'colon' | 'comma' | 'end'

const NAMES: { readonly [wanted in Wanted]: string } = {
  value: 'a value',
  item: 'a value or "]"',
  key: 'a key in double quotes',
  'first key': 'a key in double quotes or "}"',
  colon: '":"',
  comma: '"," or a closing bracket',
  end: 'the end of the text',
}

/** What comes next, or a problem; neither when the token does not belong there. */
interface Step {
  readonly wanted?: Wanted
  readonly problem?: string
}

export function explainJson(text: string): string | undefined {
  const levels: Level[] = []
  let wanted: Wanted = 'value'
  for (let at = skipSpace(text, 0); ; at = skipSpace(text, TOKEN.lastIndex)) {
    if (at === text.length && wanted === 'end') return undefined
    TOKEN.lastIndex = at
    if (!TOKEN.test(text)) return syntaxProblem(text, at, wanted)
    const step = take(text.slice(at, TOKEN.lastIndex), wanted, levels)
    if (step.problem !== undefined) return `${step.problem} (at position ${at}).`
    if (step.wanted === undefined) return syntaxProblem(text, at, wanted)
    wanted = step.wanted
  }
}

function take(token: string, wanted: Wanted, levels: Level[]): Step {
  if ('{}[],:'.includes(token)) return takeMark(token, wanted, levels)
  if (wanted === 'key' || wanted === 'first key') {
    return token.startsWith('"') ? takeKey(token, levels.at(-1)!) : {}
  }
  if (!wantsValue(wanted)) return {}
  if (/^[-\d]/.test(token) && losesValue(token)) {
    return { problem: `The number ${cut(token)} cannot be kept exactly. Send it as a string` }
  }
  return afterValue(levels)
}

function takeMark(mark: string, wanted: Wanted, levels: Level[]): Step {
  const level = levels.at(-1)
  if (mark === '{' || mark === '[') return wantsValue(wanted) ? open(mark, levels) : {}
  if (mark === ':') return wanted === 'colon' ? { wanted: 'value' } : {}
  if (mark === ',') return wanted === 'comma' ? { wanted: level?.keys ? 'key' : 'value' } : {}
  const closes = level && (level.keys ? '}' : ']')
  const mayClose = wanted === 'comma' || wanted === (mark === '}' ? 'first key' : 'item')
  if (closes !== mark || !mayClose) return {}
  levels.pop()
  return afterValue(levels)
}

function open(mark: '{' | '[', levels: Level[]): Step {
  const isObject = mark === '{'
  const isConstructor = isObject && levels.at(-1)?.key === 'constructor'
  levels.push({ keys: isObject ? new Set() : undefined, key: '', isConstructor })
  return { wanted: isObject ? 'first key' : 'item' }
}

function takeKey(token: string, level: Level): Step {
  const key = JSON.parse(token) as string
  if (key === '__proto__' || (key === 'prototype' && level.isConstructor)) {
    return { problem: `The key "${key}" is not allowed here. Leave it out` }
  }
  if (level.keys!.has(key)) {
    return { problem: `The key ${cut(token)} appears twice in one object. Send it once` }
  }
  level.keys!.add(key)
  level.key = key
  return { wanted: 'colon' }
}

function wantsValue(wanted: Wanted): boolean {
  return wanted === 'value' || wanted === 'item'
}

function afterValue(levels: readonly Level[]): Step {
  return { wanted: levels.length === 0 ? 'end' : 'comma' }
}

function syntaxProblem(text: string, at: number, wanted: Wanted): string {
  if (at === text.length) {
    return `The JSON text ends too early, at position ${at}: ${NAMES[wanted]} is missing. Send complete JSON.`
  }
  if (text[at] === '"' && wanted !== 'comma' && wanted !== 'colon' && wanted !== 'end') {
    return stringProblem(text, at)
  }
  const found = cut(text.slice(at, at + 40).split(/[\s,]/, 1)[0] || text.charAt(at), 20)
  return `The text is not valid JSON: expected ${NAMES[wanted]} at position ${at}, found ${JSON.stringify(found)}.`
}

function stringProblem(text: string, at: number): string {
  return endOfString(text, at) === text.length
    ? `The JSON text ends too early: the string that starts at position ${at} is not closed. Send complete JSON.`
    : `The string that starts at position ${at} is not valid JSON: escape line breaks, control characters and backslashes in it.`
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  return at
}

function cut(text: string, longest = 60): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`
}
