/**
 * Parses the records of one stream. Most differ from the one before only inside one text, so what stands
 * before and after that text is learned once, and the parser is spared for every record that fits. Exact:
 * `parse(data)` equals `JSON.parse(data)`, until the next call: the same object may come again with another
 * text in it, because copying it costs as much as parsing.
 *
 * Measured on Node 20, per record of 180 characters: 0.12 µs instead of 0.88 for a word of text, 0.21 µs
 * instead of 1.22 for 20 characters of arguments.
 */
import { exactInputs } from './exact-inputs.ts'

/** The way to a text inside a record, e.g. `['choices', 0, 'delta', 'content']`. */
export type TextPath = readonly (string | number)[]

type Container = { [key: string | number]: unknown }

/** Which fields of a record come with another value each time. */
export interface Changing {
  /** Where texts may stand; the first that has one counts. */
  readonly texts: readonly TextPath[]
  /** Where another whole number or text stands each time: a counter, a time, padding, a count of tokens. */
  readonly fields?: readonly TextPath[] | undefined
}

/** A place in a record whose value changes, and what holds that value. */
interface Hole {
  readonly holder: Container
  readonly key: string | number
  readonly isNumber: boolean
}

/** A record with holes where it changes. */
interface Shape {
  /** The raw record around the holes: one piece more than there are holes. Quotes of texts belong to them. */
  readonly literals: readonly string[]
  readonly holes: readonly Hole[]
  readonly value: Container
}

/** So many shapes in a row that fitted no record: this stream does not repeat itself. */
const MOST_MISSES = 3

export class RepeatedRecords {
  readonly #changing: Changing
  readonly #inputField: string | undefined
  #shape: Shape | undefined
  #misses = 0

  /** @param inputField where the input of a call may stand, which is kept exact */
  constructor(changing: Changing, inputField?: string) {
    this.#changing = changing
    this.#inputField = inputField
  }

  /** Throws what `JSON.parse` throws. */
  parse(data: string): unknown {
    const shape = this.#shape
    if (shape === undefined || !fits(data, shape)) return this.#learn(data)
    if (!fill(shape, data)) return this.#parsed(data)
    this.#misses = 0
    return shape.value
  }

  /** Records without a text, such as usage or an end, are not held against the shape. */
  #learn(data: string): unknown {
    const value = this.#parsed(data)
    if (this.#misses >= MOST_MISSES) return value
    const { texts, fields = [] } = this.#changing
    const path = texts.find((each) => textAt(value, each, fields) !== undefined)
    if (path === undefined) return value
    this.#misses++
    const changing = fields.filter((field) => isFilled(value as Container, field))
    this.#shape = shapeOf(data, value as Container, [path, ...changing])
    return value
  }

  #parsed(data: string): unknown {
    const field = this.#inputField
    return JSON.parse(field === undefined ? data : exactInputs(data, field))
  }
}

/** A text that is not empty, or a whole number, written as JSON writes it. */
function isFilled(record: Container, path: TextPath): boolean {
  const value = ownValueAt(record, path)
  return (typeof value === 'string' && value !== '') || isCount(value)
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

/** Slices are compared in one go, `startsWith` and `endsWith` letter by letter: half the time. */
function fits(data: string, { literals }: Shape): boolean {
  const [first, last] = [literals[0]!, literals[literals.length - 1]!]
  const end = data.length - last.length
  return end >= first.length && data.slice(0, first.length) === first && data.slice(end) === last
}

/** Puts what stands in the holes into the value. False if something there is not written plainly. */
function fill({ literals, holes }: Shape, data: string): boolean {
  let at = literals[0]!.length
  for (let index = 0; index < holes.length; index++) {
    const { holder, key, isNumber } = holes[index]!
    const literal = literals[index + 1]!
    const isLast = index === holes.length - 1
    const end = isLast ? data.length - literal.length : endOf(data, at, isNumber)
    if (end < at || (!isLast && data.slice(end, end + literal.length) !== literal)) return false
    const value = isNumber ? countIn(data, at, end) : textIn(data, at, end)
    if (value === undefined) return false
    holder[key] = value
    at = end + literal.length
  }
  return true
}

/** Where a text or a number ends that begins here; before `at` if nowhere. */
function endOf(data: string, at: number, isNumber: boolean): number {
  if (!isNumber) return data.indexOf('"', at)
  let end = at
  while (isDigit(data.charCodeAt(end))) end++
  return end
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** A whole number that is exact, without zeros before it. */
function countIn(data: string, start: number, end: number): number | undefined {
  const digits = end - start
  if (digits < 1 || digits > 15 || (digits > 1 && data[start] === '0')) return undefined
  let count = 0
  for (let at = start; at < end; at++) {
    const code = data.charCodeAt(at)
    if (!isDigit(code)) return undefined
    count = count * 10 + code - 48
  }
  return count
}

/** A text that is written as it is: without quotes, backslashes and control characters. */
function textIn(data: string, start: number, end: number): string | undefined {
  const text = data.slice(start, end)
  if (text.length > LONG) return PLAIN.test(text) ? detached(text) : undefined
  for (let at = start; at < end; at++) {
    const code = data.charCodeAt(at)
    if (code === 0x22 || code === 0x5c || code < 0x20) return undefined
  }
  return detached(text)
}

/** The same for a long text. */
const PLAIN = /^[^"\\\u0000-\u001f]*$/
/** Up to this length it takes less time to look at each character than to start a pattern. */
const LONG = 48

/**
 * V8 lets a slice of 13 characters or more point into the text it was cut from, which is a whole chunk of the
 * body. A run keeps its events, and would keep every chunk with them: 3.3 MB for 256 kB of arguments instead
 * of 1.2. Joined with one more character and cut again, the text holds only itself.
 */
const detached = (text: string): string => (text.length < 13 ? text : `${text} `.slice(0, -1))

/** A hole that was found in the text of a record. */
interface Place {
  readonly path: TextPath
  readonly start: number
  readonly end: number
  /** The record with another value there. */
  readonly probe: Container
}

/** @param paths to a text that is streamed, and to fields that change too */
function shapeOf(data: string, record: Container, paths: readonly TextPath[]): Shape | undefined {
  const places = paths.map((path) => placeOf(data, record, path))
  if (places.includes(undefined)) return undefined
  const inOrder = (places as Place[]).sort((a, b) => a.start - b.start)
  // Not the record itself, because the converter may keep that one.
  const value = inOrder[0]!.probe
  const literals = inOrder.map(({ start }, index) =>
    data.slice(inOrder[index - 1]?.end ?? 0, start),
  )
  return {
    literals: [...literals, data.slice(inOrder.at(-1)!.end)],
    holes: inOrder.map(({ path }) => holeAt(value, path)),
    value,
  }
}

function holeAt(value: Container, path: TextPath): Hole {
  const holder = path.slice(0, -1).reduce((place, key) => place[key] as Container, value)
  const key = path.at(-1)!
  return { holder, key, isNumber: typeof holder[key] === 'number' }
}

/**
 * Found by looking for the value, proven by a probe: the record with a longer value in this place is parsed,
 * and only if the value at the path grew is the place the right one.
 */
function placeOf(data: string, record: Container, path: TextPath): Place | undefined {
  const value = valueAt(record, path)
  const literal = JSON.stringify(value)
  const isText = typeof value === 'string'
  // A number may stand in many places, its key in few.
  const key = isText ? '' : `${JSON.stringify(path.at(-1))}:`
  for (const found of [data.indexOf(key + literal), data.lastIndexOf(key + literal)]) {
    if (found === -1) return undefined
    const start = found + key.length + (isText ? 1 : 0)
    const end = start + literal.length - (isText ? 2 : 0)
    const grown = isText ? `${value}~` : Number(`1${literal}`)
    const [at, more] = isText ? [end, '~'] : [start, '1']
    const probe = parsed(`${data.slice(0, at)}${more}${data.slice(at)}`)
    if (valueAt(probe, path) === grown) return { path, start, end, probe: probe as Container }
  }
  return undefined
}

function valueAt(value: unknown, path: TextPath): unknown {
  return path.reduce<unknown>((place, key) => Object(place)[key] as unknown, value)
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

/**
 * A text that is not empty, reached through objects and lists that hold nothing but plain values beside it. Only
 * what holds a changing field may be an object with something in it.
 */
function textAt(value: unknown, path: TextPath, fields: readonly TextPath[]): string | undefined {
  const holdsField = (name: string): boolean => fields.some(([first]) => first === name)
  let place = value
  for (const key of path) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
    for (const [other, beside] of Object.entries(place))
      if (other !== String(key) && isFull(beside) && !(place === value && holdsField(other)))
        return undefined
    place = (place as Container)[key]
  }
  return typeof place === 'string' && place !== '' ? place : undefined
}

function ownValueAt(value: unknown, path: TextPath): unknown {
  let place = value
  for (const key of path) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
    place = (place as Container)[key]
  }
  return place
}

/** A list or an object with something in it. */
const isFull = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
