/**
 * Folds the messages of one identity into one value, oldest to newest. No message is changed: a list or object
 * is copied when it is first written to, and only that copy grows.
 */
import type { Json } from '../../messages/json.ts'
import { isObject } from '../../schema/json-object.ts'
import type { OutputMethod } from '../agent-message.ts'
import { outputPlaces } from './data-path.ts'
import type { DataEntry } from './read-message.ts'

export function foldEntries(entries: readonly DataEntry[]): Json | undefined {
  const fold = new Fold()
  return entries.reduce<Json | undefined>((before, entry) => fold.add(before, entry), undefined)
}

type Join = (old: Json | undefined, value: Json) => Json
type GrowingObject = { [key: string]: Json }

class Fold {
  /** The lists and objects that were made here, and may be written to. */
  readonly #own = new WeakSet<object>()

  add(before: Json | undefined, { data, method, call, kind }: DataEntry): Json {
    const [place] = outputPlaces(call?._outputPath)
    // What a call wrote to its place. Its error is no such data, although it names the call and so the place.
    const value = place?.kind === kind ? valueAtKeys(data, place.keys) : undefined
    // Data of the program is merged into the value; data of a call says how it joins, and where.
    if (!place || value === undefined) return this.#methods[method ?? 'merge'](before, data)
    return this.#changeAt(before, place.keys, (old) => this.#methods[method ?? 'set'](old, value))
  }

  readonly #methods: { readonly [method in OutputMethod]: Join } = {
    set: (_old, value) => value,
    merge: (old, value) => this.#merge(old, value),
    assign: (old, value) => {
      if (!isJsonObject(old) || !isJsonObject(value)) return value
      const all = this.#ownObject(old)
      for (const [key, inner] of Object.entries(value)) write(all, key, inner)
      return all
    },
    push: (old, value) => {
      const list = this.#ownList(old)
      list.push(value)
      return list
    },
    concat: (old, value) => {
      const list = this.#ownList(old)
      for (const item of listOf(value)) list.push(item)
      return list
    },
  }

  #merge(old: Json | undefined, value: Json): Json {
    if (!isJsonObject(old) || !isJsonObject(value)) return value
    const all = this.#ownObject(old)
    for (const [key, inner] of Object.entries(value))
      write(all, key, this.#merge(Object.hasOwn(all, key) ? all[key] : undefined, inner))
    return all
  }

  /** The value, with `change` applied at `keys`. */
  #changeAt(
    value: Json | undefined,
    keys: readonly string[],
    change: (old: Json | undefined) => Json,
  ): Json {
    const [key, ...rest] = keys
    if (key === undefined) return change(value)
    const inner = this.#changeAt(valueAtKeys(value, [key]), rest, change)
    if (Array.isArray(value) && IS_INDEX.test(key)) {
      const list = this.#ownList(value as Json)
      list.splice(Number(key), 1, inner)
      return list
    }
    const all = this.#ownObject(isJsonObject(value) ? value : {})
    write(all, key, inner)
    return all
  }

  #ownObject(value: { readonly [key: string]: Json }): GrowingObject {
    if (this.#own.has(value)) return value as GrowingObject
    const copy = { ...value }
    this.#own.add(copy)
    return copy
  }

  #ownList(value: Json | undefined): Json[] {
    if (typeof value === 'object' && value !== null && this.#own.has(value)) return value as Json[]
    const copy = [...listOf(value)]
    this.#own.add(copy)
    return copy
  }
}

const IS_INDEX = /^\d+$/

/** As a key like any other, also where it would change the prototype. */
function write(object: GrowingObject, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value
  else
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
}

/** The value at `keys`. Only own members of objects and items of arrays are reached. */
export function valueAtKeys(value: Json | undefined, keys: readonly string[]): Json | undefined {
  let place: Json | undefined = value
  for (const key of keys) {
    if (Array.isArray(place))
      place = IS_INDEX.test(key) ? (place as Json[])[Number(key)] : undefined
    else place = isJsonObject(place) && Object.hasOwn(place, key) ? place[key] : undefined
  }
  return place
}

const isJsonObject = (x: Json | undefined): x is { readonly [key: string]: Json } => isObject(x)

const listOf = (x: Json | undefined): readonly Json[] =>
  x === undefined ? [] : Array.isArray(x) ? x : [x as Json]
