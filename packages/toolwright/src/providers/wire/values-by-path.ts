/**
 * A JSON object that arrives as values at paths, `$.orders[0].name`, texts in pieces. Some servers stream the
 * arguments of calls so. Paths are read strictly: what is not understood would be missing from the arguments.
 */
import type { Json } from '../../messages/json.ts'

/** As deep as arguments may be. */
const DEEPEST = 64
const STEP = /\.([^.[\]'"]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y

type Container = Json[] | { [key: string]: Json }
type Key = string | number

export class ValuesByPath {
  /** Without a prototype: any name is a name like any other. */
  readonly #root: Container = Object.create(null) as { [key: string]: Json }
  /** The path of the text that goes on. */
  #open: string | undefined
  #isEmpty = true

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** A value, or a piece of a text: with `more`, the next piece at the same path goes on. False: no such place. */
  put(path: string, value: Json, more: boolean): boolean {
    const keys = keysOf(path)
    if (keys === undefined) return false
    const holder = holderOf(this.#root, keys)
    const key = keys.at(-1)!
    if (holder === undefined || !fits(holder, key)) return false
    const slots = holder as { [key: Key]: Json }
    const before = this.#open === path && typeof value === 'string' ? slots[key] : undefined
    slots[key] = typeof before === 'string' ? before + (value as string) : value
    this.#open = more ? path : undefined
    this.#isEmpty = false
    return true
  }

  toString(): string {
    return JSON.stringify(this.#root)
  }
}

function keysOf(path: string): readonly Key[] | undefined {
  const keys: Key[] = []
  if (!path.startsWith('$')) return undefined
  for (let at = 1; at < path.length; at = STEP.lastIndex) {
    STEP.lastIndex = at
    const step = STEP.exec(path)
    if (step === null || keys.length === DEEPEST) return undefined
    const [, name, index, single, double] = step
    keys.push(index === undefined ? (name ?? unescaped((single ?? double)!)) : Number(index))
  }
  return keys.length === 0 ? undefined : keys
}

const ESCAPES: { readonly [letter: string]: string } = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const unescaped = (text: string): string =>
  text.replace(
    /\\(?:u([0-9a-fA-F]{4})|(.))/g,
    (_whole, code: string | undefined, letter: string) =>
      code === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(parseInt(code, 16)),
  )

/** What holds the last key; containers on the way are made where there is nothing yet. */
function holderOf(root: Container, keys: readonly Key[]): Container | undefined {
  let holder = root
  for (let level = 0; level < keys.length - 1; level++) {
    const key = keys[level]!
    if (!fits(holder, key)) return undefined
    const slots = holder as { [key: Key]: Json }
    const made = typeof keys[level + 1] === 'number' ? [] : (Object.create(null) as Container)
    const next = (slots[key] ??= made as Json)
    if (typeof next !== 'object' || next === null) return undefined
    holder = next as Container
  }
  return holder
}

/** Lists grow by one: an index far away would be a list of nothing. */
const fits = (holder: Container, key: Key): boolean =>
  Array.isArray(holder) ? typeof key === 'number' && key <= holder.length : typeof key === 'string'
