/**
 * From the JSON that a model wrote to calls. The arguments stay the text that was written, so that the call's own
 * check sees what is wrong with them; what is no JSON goes there as a whole, and is refused.
 */
import { isJson } from '../../internal/is-json.ts'
import { stringEnd } from '../../internal/string-end.ts'
import type { ToolCall } from '../../messages/message.ts'

/** The names under which models write the parts of a call. */
const NAME = ['name', 'tool', 'tool_name']
const ARGUMENTS = ['arguments', 'parameters', 'args', 'input']

/** The calls in a JSON object or list; undefined if it is neither a call nor a try at one. */
export function readCalls(json: string): readonly ToolCall[] | undefined {
  if (!isJson(json)) return brokenCall(json)
  const calls = json.startsWith('[') ? membersIn(json).map(({ value }) => value) : [json]
  const read = calls.map(readCall)
  return read.length > 0 && read.every((call) => call !== undefined) ? read : undefined
}

/** A call that is no JSON, or was cut: it has a name, and arguments that nobody can run. */
export function brokenCall(json: string): readonly ToolCall[] | undefined {
  const name = WRITTEN_NAME.exec(json.slice(0, FAR))?.[1]
  return name === undefined ? undefined : [{ type: 'tool-call', id: '', name, arguments: json }]
}

const FAR = 1024
const WRITTEN_NAME = new RegExp(`["'](?:${NAME.join('|')})["']\\s*:\\s*["']([^"'\\\\]{1,128})["']`)

/** As it is, or as Chat Completions has it: `{ "type": "function", "function": { … } }`. */
function readCall(json: string): ToolCall | undefined {
  const outer = fieldsIn(json)
  const inner = outer.get('function')
  return callOf(inner?.startsWith('{') ? fieldsIn(inner) : outer)
}

const fieldsIn = (json: string): ReadonlyMap<string, string> =>
  new Map(json.startsWith('{') ? membersIn(json).map(({ key, value }) => [key, value]) : [])

function callOf(members: ReadonlyMap<string, string>): ToolCall | undefined {
  const name = textAt(members, [...NAME, 'function'])
  if (name === undefined) return undefined
  const text = ARGUMENTS.map((each) => members.get(each)).find((each) => each !== undefined)
  return {
    type: 'tool-call',
    id: textAt(members, ['id']) ?? '',
    name,
    arguments: text === undefined || text === 'null' ? '{}' : unquoted(text),
  }
}

function textAt(members: ReadonlyMap<string, string>, keys: readonly string[]): string | undefined {
  const value = keys.map((key) => members.get(key)).find((each) => each?.startsWith('"'))
  return value === undefined ? undefined : (JSON.parse(value) as string)
}

/** Some models write the arguments as a JSON text inside the JSON. */
const unquoted = (text: string): string =>
  text.startsWith('"') ? (JSON.parse(text) as string) : text

interface Member {
  /** Empty for items of a list. */
  readonly key: string
  /** As it was written. */
  readonly value: string
}

const MARK = /["[\]{},:]/g

/** The members of a JSON object or list, of which is known that it is valid. */
function membersIn(json: string): readonly Member[] {
  const members: Member[] = []
  let level = 0
  let key = ''
  let start = 1
  MARK.lastIndex = 0
  for (let mark = MARK.exec(json); mark; mark = MARK.exec(json)) {
    const [token] = mark
    if (token === '"') MARK.lastIndex = stringEnd(json, mark.index)
    else if (token === '{' || token === '[') level++
    else if (token === ':') {
      if (level !== 1) continue
      key = JSON.parse(json.slice(start, mark.index)) as string
      start = mark.index + 1
    } else {
      const value = level === 1 ? json.slice(start, mark.index).trim() : ''
      if (value !== '') members.push({ key, value })
      if (level === 1) start = mark.index + 1
      if (token !== ',') level--
    }
  }
  return members
}
