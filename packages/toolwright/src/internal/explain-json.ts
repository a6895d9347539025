/**
 * Says what is wrong with JSON text that was refused, and where. Slow and thorough; only for text that
 * `parseJson` has doubts about. Returns nothing when the doubts were unfounded.
 */
const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])|(true|false|null)(?!\w))/y

/** An open array or object: its keys so far, and the key whose value comes next. */
interface Level {
  readonly keys: Set<string> | undefined
  key: string
  /** A `constructor` member may hold anything but an object with a `prototype`. */
  readonly isConstructor: boolean
}

type Expectation =
  'value' | 'value or "]"' | 'key' | 'key or "}"' | '":"' | '"," or the end' | 'end'

const NAMES: { readonly [wanted in Expectation]: string } = {
  value: 'a value',
  'value or "]"': 'a value or "]"',
  key: 'a key in double quotes',
  'key or "}"': 'a key in double quotes or "}"',
  '":"': '":"',
  '"," or the end': '"," or the closing bracket',
  end: 'the end of the text',
}

export function explainJson(text: string): string | undefined {
  const levels: Level[] = []
  let wanted: Expectation = 'value'
  TOKEN.lastIndex = 0
  for (;;) {
    const from = TOKEN.lastIndex
    const token = TOKEN.exec(text)
    const at = token ? TOKEN.lastIndex - token[0].trimStart().length : skipSpace(text, from)
    if (!token) return wanted === 'end' && at === text.length ? undefined : syntax(text, at, wanted)
    const step = take(token, wanted, levels)
    if (step.problem !== undefined) return `${step.problem} (at position ${at}).`
    if (step.wanted === undefined) return syntax(text, at, wanted)
    wanted = step.wanted
  }
}

interface Step {
  readonly wanted?: Expectation
  readonly problem?: string
}

function take(token: RegExpExecArray, wanted: Expectation, levels: Level[]): Step {
  const [, mark, string, number] = token
  if (mark !== undefined) return takeMark(mark, wanted, levels)
  if (string !== undefined && wanted.startsWith('key')) return takeKey(string, levels)
  if (!wanted.startsWith('value')) return {}
  if (number !== undefined && losesValue(number)) {
    return { problem: `The number ${cut(number)} cannot be kept exactly. Send it as a string` }
  }
  return { wanted: afterValue(levels) }
}

function takeMark(mark: string, wanted: Expectation, levels: Level[]): Step {
  const level = levels.at(-1)
  if (mark === '{' || mark === '[') {
    if (!wanted.startsWith('value')) return {}
    const isConstructor = mark === '{' && level?.key === 'constructor'
    levels.push({ keys: mark === '{' ? new Set() : undefined, key: '', isConstructor })
    return { wanted: mark === '{' ? 'key or "}"' : 'value or "]"' }
  }
  if (mark === ':') return { wanted: wanted === '":"' ? 'value' : undefined }
  if (mark === ',') {
    if (wanted !== '"," or the end') return {}
    return { wanted: level?.keys ? 'key' : 'value' }
  }
  const closes = mark === '}' ? 'key or "}"' : 'value or "]"'
  const isOpen = level !== undefined && (level.keys !== undefined) === (mark === '}')
  if (!isOpen || (wanted !== closes && wanted !== '"," or the end')) return {}
  levels.pop()
  return { wanted: afterValue(levels) }
}

function takeKey(string: string, levels: readonly Level[]): Step {
  const level = levels.at(-1)!
  const key = JSON.parse(string) as string
  if (key === '__proto__' || (key === 'prototype' && level.isConstructor)) {
    return { problem: `The key "${key}" is not allowed here. Leave it out` }
  }
  if (level.keys!.has(key)) {
    return { problem: `The key ${cut(string)} appears twice in one object. Send it once` }
  }
  level.keys!.add(key)
  level.key = key
  return { wanted: '":"' }
}

function afterValue(levels: readonly Level[]): Expectation {
  return levels.length === 0 ? 'end' : '"," or the end'
}

/** Too large, too small, or an integer that double precision rounds. */
function losesValue(number: string): boolean {
  const value = Number(number)
  if (!Number.isFinite(value)) return true
  if (value === 0) return /^-?[0.]*[1-9]/.test(number)
  if (/[.eE]/.test(number) || Number.isSafeInteger(value)) return false
  return BigInt(number) !== BigInt(value)
}

function syntax(text: string, at: number, wanted: Expectation): string {
  if (at >= text.length) {
    return `The JSON text ends too early, at position ${at}: ${NAMES[wanted]} is missing. Send complete JSON.`
  }
  const found = cut(text.slice(at, at + 40).split(/[\s,]/, 1)[0] || text.charAt(at), 20)
  return `The text is not valid JSON: expected ${NAMES[wanted]} at position ${at}, found ${found}.`
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  return at
}

function cut(text: string, longest = 60): string {
  return text.length <= longest ? text : `${[...text].slice(0, longest - 1).join('')}…`
}
