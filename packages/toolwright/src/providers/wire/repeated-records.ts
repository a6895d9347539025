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

/** A record with a hole where its text is. */
interface Shape {
  /** The raw record up to and including the quote that opens the text. */
  readonly before: string
  /** The raw record from the quote that closes the text. */
  readonly after: string
  readonly value: Container
  /** What holds the text, and under which key. */
  readonly holder: Container
  readonly key: string | number
}

/** So many shapes in a row that fitted no record: this stream does not repeat itself. */
const MOST_MISSES = 3

export class RepeatedRecords {
  readonly #paths: readonly TextPath[]
  readonly #inputField: string | undefined
  #shape: Shape | undefined
  #misses = 0

  /**
   * @param paths where texts may stand; the first that has one counts
   * @param inputField where the input of a call may stand, which is kept exact
   */
  constructor(paths: readonly TextPath[], inputField?: string) {
    this.#paths = paths
    this.#inputField = inputField
  }

  /** Throws what `JSON.parse` throws. */
  parse(data: string): unknown {
    const shape = this.#shape
    if (shape === undefined || !fits(data, shape)) return this.#learn(data)
    const text = data.slice(shape.before.length, data.length - shape.after.length)
    if (!isPlain(text)) return JSON.parse(data)
    this.#misses = 0
    shape.holder[shape.key] = detached(text)
    return shape.value
  }

  /** Records without a text, such as usage or an end, are not held against the shape. */
  #learn(data: string): unknown {
    const field = this.#inputField
    const value: unknown = JSON.parse(field === undefined ? data : exactInputs(data, field))
    if (this.#misses >= MOST_MISSES) return value
    const path = this.#paths.find((each) => textAt(value, each) !== undefined)
    if (path === undefined) return value
    this.#misses++
    this.#shape = shapeOf(data, value, path)
    return value
  }
}

/** Slices are compared in one go, `startsWith` and `endsWith` letter by letter: half the time. */
function fits(data: string, { before, after }: Shape): boolean {
  const end = data.length - after.length
  return (
    end >= before.length && data.slice(0, before.length) === before && data.slice(end) === after
  )
}

/** What JSON writes in a string as it is: everything but quotes, backslashes and control characters. */
const NOT_PLAIN = /["\\\u0000-\u001f]/

const isPlain = (text: string): boolean => !NOT_PLAIN.test(text)

/**
 * V8 lets a slice of 13 characters or more point into the text it was cut from, which is a whole chunk of the
 * body. A run keeps its events, and would keep every chunk with them: 3.3 MB for 256 kB of arguments instead
 * of 1.2. Joined with one more character and cut again, the text holds only itself.
 */
const detached = (text: string): string => (text.length < 13 ? text : `${text} `.slice(0, -1))

/**
 * Found by looking for the text, proven by a probe: the record with a longer text in this place is parsed,
 * and only if the text at the path grew is the place the right one.
 */
function shapeOf(data: string, record: unknown, path: TextPath): Shape | undefined {
  const text = textAt(record, path)!
  const literal = JSON.stringify(text)
  for (const at of [data.indexOf(literal), data.lastIndexOf(literal)]) {
    if (at === -1) return undefined
    const end = at + literal.length - 1
    // Not the value itself: whoever gets that may keep it.
    const probe = parsed(`${data.slice(0, end)}~${data.slice(end)}`)
    if (textAt(probe, path) !== `${text}~`) continue
    const [before, after] = [data.slice(0, at + 1), data.slice(end)]
    const value = probe as Container
    return { before, after, value, holder: holderOf(value, path), key: path.at(-1)! }
  }
  return undefined
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

/** A text that is not empty, reached through objects and lists that hold nothing else but plain values. */
function textAt(value: unknown, path: TextPath): string | undefined {
  let place = value
  for (const key of path) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
    for (const [other, beside] of Object.entries(place))
      if (other !== String(key) && typeof beside === 'object' && beside !== null) return undefined
    place = (place as Container)[key]
  }
  return typeof place === 'string' && place !== '' ? place : undefined
}

function holderOf(value: Container, path: TextPath): Container {
  return path.slice(0, -1).reduce((place, key) => place[key] as Container, value)
}
