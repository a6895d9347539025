/**
 * A copy of any value as JSON, for whoever shows what an application made: to a model, a log, a page. It never
 * throws, and it is bounded: objects that refer to each other are small in memory and may be endless as text.
 * What is left out is said where it stood.
 */
import { base64 } from './base64.ts'

export interface JsonCopy {
  /** Undefined if the value has no JSON form. */
  readonly value: unknown
  /** Whether something was left out because there was too much of it. */
  readonly isCut: boolean
}

/** Levels of arrays and objects. */
const DEEPEST = 200
/** Values of all kinds, each as often as it is referred to. */
const MOST_VALUES = 250_000
/** Characters of all texts, names and numbers. Far more than a model is given of one result. */
const MOST_CHARACTERS = 16 * 1024 * 1024

/** @param mostCharacters stops earlier */
export function jsonCopy(value: unknown, mostCharacters = MOST_CHARACTERS): JsonCopy {
  const copier = new JsonCopier(Math.min(mostCharacters, MOST_CHARACTERS))
  const copy = copier.copyOf([value], 0)
  return { value: copy, isCut: copier.isCut }
}

/** The same as text. */
export const jsonText = (value: unknown): string | undefined =>
  JSON.stringify(jsonCopy(value).value)

/** The bytes of what holds nothing else. */
export function bytesOf(x: unknown): Uint8Array | undefined {
  if (x instanceof ArrayBuffer) return new Uint8Array(x)
  // Most results are none of these, and asking this is quick.
  if (!ArrayBuffer.isView(x)) return undefined
  if (x instanceof Uint8Array) return x
  return x instanceof DataView ? new Uint8Array(x.buffer, x.byteOffset, x.byteLength) : undefined
}

class JsonCopier {
  isCut = false
  #values = MOST_VALUES
  #characters: number
  /** What the value that is copied stands in. */
  readonly #ancestors: object[] = []

  constructor(mostCharacters: number) {
    this.#characters = mostCharacters
  }

  /** Copies what `holder` has under `key`; undefined for what JSON leaves out. Cycles, great depth and getters that throw are marked. */
  copyOf(holder: object, key: string | number): unknown {
    this.#values--
    try {
      const value = (holder as { readonly [key: string]: unknown })[key]
      if (typeof value === 'string') return this.#text(value)
      if (typeof value === 'bigint') return this.#text(String(value))
      this.#characters -= LONGEST_PLAIN
      if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
      if (typeof value === 'object' && value !== null) return this.#object(value)
      return typeof value === 'boolean' || value === null ? value : undefined
    } catch {
      return '[unreadable]'
    }
  }

  get #isFull(): boolean {
    return this.#values <= 0 || this.#characters <= 0
  }

  #text(text: string): string {
    const room = Math.max(0, this.#characters)
    this.#characters -= text.length
    return text.length <= room ? text : this.#leftOut(text.slice(0, room), text.length - room)
  }

  #leftOut(start: string, characters: number): string {
    this.isCut = true
    return `${start.toWellFormed()}[... ${characters} characters left out ...]`
  }

  #object(value: object): unknown {
    if (this.#ancestors.includes(value)) return '[circular]'
    if (this.#ancestors.length >= DEEPEST) return '[too deep]'
    this.#ancestors.push(value)
    try {
      return this.#inside(value)
    } finally {
      this.#ancestors.pop()
    }
  }

  #inside(value: object): unknown {
    const bytes = bytesOf(value)
    if (bytes) return this.#bytes(bytes)
    const items = itemsOf(value)
    if ('toJSON' in items && typeof items.toJSON === 'function')
      return this.copyOf([items.toJSON()], 0)
    return Array.isArray(items) || ArrayBuffer.isView(items)
      ? this.#list(items as readonly unknown[])
      : this.#record(items)
  }

  #bytes(bytes: Uint8Array): string {
    const length = Math.ceil(bytes.length / 3) * 4
    if (length > this.#characters) return this.#leftOut('', length)
    return this.#text(base64(bytes))
  }

  #list(items: readonly unknown[]): readonly unknown[] {
    const copies: unknown[] = []
    for (let index = 0; index < items.length; index++) {
      if (this.#isFull) return [...copies, this.#more(items.length - index, 'items')]
      copies.push(this.copyOf(items, index) ?? null)
    }
    return copies
  }

  #record(record: object): object {
    const keys = Object.keys(record)
    const copies: { [key: string]: unknown } = {}
    for (let index = 0; index < keys.length; index++) {
      if (this.#isFull) {
        copies['...'] = this.#more(keys.length - index, 'properties')
        break
      }
      const copy = this.copyOf(record, keys[index]!)
      if (copy !== undefined) put(copies, this.#text(keys[index]!), copy)
    }
    return copies
  }

  #more(count: number, what: string): string {
    this.isCut = true
    return `[... ${count} more ${what} left out: there is too much of it ...]`
  }
}

/** Assigned, this one key would change the prototype. */
function put(record: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value
  else
    Object.defineProperty(record, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
}

/** What a number, a constant or a pair of brackets takes at most. */
const LONGEST_PLAIN = 24

/** The value as an array or object. The `toJSON` of an error is not used, because it may reveal too much. */
function itemsOf(value: object): object {
  if (Object.getPrototypeOf(value) === Object.prototype) return value
  if (value instanceof Error) return { name: value.name, message: value.message }
  const isNamed = value instanceof Map && [...value.keys()].every((key) => typeof key === 'string')
  if (isNamed) return Object.fromEntries(value) as object
  return value instanceof Map || value instanceof Set ? [...value] : value
}
