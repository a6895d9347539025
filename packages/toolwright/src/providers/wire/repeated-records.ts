/**
 * Parses the records of one stream. Most differ from the one before only inside one text, so what stands
 * before and after that text is learned once, and the parser is spared for every record that fits. Exact:
 * `parse(data)` is what `JSON.parse(data)` is, and shares no object with any other result.
 */

/** The way to a text inside a record, e.g. `['choices', 0, 'delta', 'content']`. */
export type TextPath = readonly (string | number)[]

type Container = { [key: string | number]: unknown }

/** A record with a hole where its text is. */
interface Shape {
  /** The raw record up to and including the quote that opens the text. */
  readonly before: string
  /** The raw record from the quote that closes the text. */
  readonly after: string
  readonly path: TextPath
  readonly value: Container
}

/** So many shapes in a row that fitted no record: this stream does not repeat itself. */
const MOST_MISSES = 3

export class RepeatedRecords {
  readonly #paths: readonly TextPath[]
  #shape: Shape | undefined
  #misses = 0

  /** @param paths where texts may stand; the first that has one counts */
  constructor(paths: readonly TextPath[]) {
    this.#paths = paths
  }

  /** Throws what `JSON.parse` throws. */
  parse(data: string): unknown {
    const shape = this.#shape
    if (shape === undefined || !fits(data, shape)) return this.#learn(data)
    const text = data.slice(shape.before.length, data.length - shape.after.length)
    if (!isPlain(text)) return JSON.parse(data)
    this.#misses = 0
    return withText(shape.value, shape.path, text)
  }

  /** Records without a text, such as usage or an end, are not held against the shape. */
  #learn(data: string): unknown {
    const value: unknown = JSON.parse(data)
    if (this.#misses >= MOST_MISSES) return value
    const path = this.#paths.find((each) => textAt(value, each) !== undefined)
    if (path === undefined) return value
    this.#misses++
    this.#shape = shapeOf(data, value as Container, path)
    return value
  }
}

function fits(data: string, { before, after }: Shape): boolean {
  return (
    data.length >= before.length + after.length && data.startsWith(before) && data.endsWith(after)
  )
}

/** What JSON writes in a string as it is: everything but quotes, backslashes and control characters. */
const NOT_PLAIN = /["\\\u0000-\u001f]/

const isPlain = (text: string): boolean => !NOT_PLAIN.test(text)

/**
 * Found by looking for the text, proven by a probe: the record with a longer text in this place is parsed,
 * and only if exactly the text at the path grew is the place the right one.
 */
function shapeOf(data: string, value: Container, path: TextPath): Shape | undefined {
  const text = textAt(value, path)!
  const literal = JSON.stringify(text)
  for (const at of [data.indexOf(literal), data.lastIndexOf(literal)]) {
    if (at === -1) return undefined
    const end = at + literal.length - 1
    const before = data.slice(0, at + 1)
    const after = data.slice(end)
    const probe: unknown = JSON.parse(`${data.slice(0, end)}~${after}`)
    // A copy of its own: the caller may change the value it gets.
    if (textAt(probe, path) === `${text}~`)
      return { before, after, path, value: probe as Container }
  }
  return undefined
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

/** A copy of every object on the way to the text, which is every object there is. */
function withText(value: Container, path: TextPath, text: string): Container {
  const whole = copied(value)
  let place = whole
  const last = path.length - 1
  for (let step = 0; step < last; step++) {
    const next = copied(place[path[step]!] as Container)
    place[path[step]!] = next
    place = next
  }
  place[path[last]!] = text
  return whole
}

const copied = (container: Container): Container =>
  Array.isArray(container) ? (container.slice() as unknown as Container) : { ...container }
