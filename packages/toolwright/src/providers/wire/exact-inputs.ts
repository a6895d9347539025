/**
 * Keeps the inputs of calls that a provider sends as objects. Parsed with the rest of an answer, a number
 * that a double cannot hold would be rounded before anybody can say so, and an input nested very deeply could
 * not be written again. Such an input stays text, as other providers send all of theirs, and the call's own
 * check finds what is wrong with it.
 */
import { parseJson } from '../../internal/parse-json.ts'
import { stringEnd } from '../../internal/string-end.ts'

/** Depth that JSON can be written in on any stack; arguments may have 64 levels. */
const DEEPEST = 64
/** As in parse-json.ts, but quick: what it finds may lose its value, what it does not find keeps it. */
const LONG_NUMBER = /\d[\d.]{15}|\de/i

/** @param field the name under which the dialect sends inputs */
export function exactInputs(json: string, field: string): string {
  const name = `"${field}"`
  let exact = ''
  let done = 0
  for (let at = json.indexOf(name); at !== -1; at = json.indexOf(name, at)) {
    NESTED.lastIndex = at += name.length
    if (!NESTED.test(json)) continue
    const start = NESTED.lastIndex
    const { end, depth } = nestedAt(json, start)
    const input = json.slice(start, (at = end))
    if (depth <= DEEPEST && !LONG_NUMBER.test(input)) continue
    if (parseJson(input, { maxBytes: Infinity, maxDepth: DEEPEST }).ok) continue
    exact += json.slice(done, start) + JSON.stringify(input)
    done = end
  }
  return done === 0 ? json : exact + json.slice(done)
}

const NESTED = /\s*:\s*(?=[[{])/y
const MARK = /["[\]{}]/g

/** Where the object or list that begins at `start` ends, and how deep it is. */
function nestedAt(json: string, start: number): { end: number; depth: number } {
  let level = 0
  let depth = 0
  MARK.lastIndex = start
  for (let mark = MARK.exec(json); mark; mark = MARK.exec(json)) {
    const [token] = mark
    if (token === '"') MARK.lastIndex = stringEnd(json, mark.index)
    else if (token === '{' || token === '[') depth = Math.max(depth, ++level)
    else if (--level === 0) return { end: MARK.lastIndex, depth }
  }
  return { end: json.length, depth }
}
