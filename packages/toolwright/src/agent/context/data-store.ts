/** Reads an agent's data by folding the messages of one identity, oldest to newest. No message is changed. */
import type { Json } from '../../messages/json.ts'
import { isObject } from '../../schema/json-object.ts'
import type { OutputMethod } from '../agent-message.ts'
import { outputPlaces, pathText, type DataPath, type Reference } from './data-path.ts'
import type { DataEntry, Entry } from './read-message.ts'

export class DataStore {
  readonly #entries: readonly DataEntry[]
  readonly #folded = new Map<string, Json | undefined>()

  constructor(entries: readonly Entry[]) {
    this.#entries = entries.filter((entry) => entry.type === 'data')
  }

  get kinds(): readonly string[] {
    return [...new Set(this.#entries.map(({ kind }) => kind))]
  }

  get instances(): readonly string[] {
    return [...new Set(this.#entries.flatMap(({ instance }) => instance ?? []))]
  }

  /**
   * The value that an instance sees at a place: its own, otherwise the shared one. Undefined if neither
   * exists.
   */
  read({ kind, keys }: DataPath, instance?: string): Json | undefined {
    const ownValue =
      instance === undefined ? undefined : valueAtKeys(this.fold(kind, instance), keys)
    return ownValue === undefined ? valueAtKeys(this.fold(kind), keys) : ownValue
  }

  /** The value of a reference, or the problem with it. */
  resolve(reference: Reference, reader: Reader = {}): Resolved {
    const { isBroken = () => false, instance } = reader
    const values = reference.places.map((place) =>
      isBroken(place) ? undefined : this.read(place, instance),
    )
    const missing = reference.places.filter((_place, index) => values[index] === undefined)
    if (reference.join === 'first') {
      const value = values.find((each) => each !== undefined)
      if (value !== undefined) return { ok: true, value }
    } else if (missing.length === 0) return { ok: true, value: values.at(-1)! }
    return {
      ok: false,
      problem: missing.map((place) => this.#whyMissing(place, isBroken)).join('; '),
    }
  }

  /** All data of one identity, folded into one value. */
  fold(kind: string, instance?: string): Json | undefined {
    const key = JSON.stringify([kind, instance])
    if (!this.#folded.has(key)) {
      const same = this.#entries.filter(
        (entry) => entry.kind === kind && entry.instance === instance,
      )
      this.#folded.set(key, foldEntries(same))
    }
    return this.#folded.get(key)
  }

  #whyMissing(place: DataPath, isBroken: (place: DataPath) => boolean): string {
    if (isBroken(place)) return `the call that should write ${pathText(place)} failed`
    const { kinds } = this
    if (kinds.includes(place.kind)) return `there is nothing at ${pathText(place)}`
    return `there is no data of kind "${place.kind}"; there is ${kinds.join(', ') || 'none'}`
  }
}

export interface Reader {
  readonly instance?: string
  /** Whether a call failed that should have written this place. */
  readonly isBroken?: (place: DataPath) => boolean
}

export type Resolved =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string }

export const foldEntries = (entries: readonly DataEntry[]): Json | undefined =>
  entries.reduce<Json | undefined>(foldEntry, undefined)

function foldEntry(before: Json | undefined, entry: DataEntry): Json {
  const { data, method, call, kind } = entry
  const [place] = outputPlaces(call?._outputPath)
  // What a call wrote to its place. Its error is no such data, although it names the call and so the place.
  const value = place?.kind === kind ? valueAtKeys(data, place.keys) : undefined
  // Data of the program is merged into the value; data of a call says how it joins, and where.
  if (!place || value === undefined) return METHODS[method ?? 'merge'](before, data)
  return changeAt(before, place.keys, (old) => METHODS[method ?? 'set'](old, value))
}

/** The value at `keys`. Only own members of objects and items of arrays are reached. */
function valueAtKeys(value: Json | undefined, keys: readonly string[]): Json | undefined {
  const [key, ...rest] = keys
  if (key === undefined) return value
  if (Array.isArray(value))
    return /^\d+$/.test(key) ? valueAtKeys(value[Number(key)] as Json, rest) : undefined
  return isJsonObject(value) && Object.hasOwn(value, key)
    ? valueAtKeys(value[key], rest)
    : undefined
}

/** The value, with `change` applied at `keys`. */
function changeAt(
  value: Json | undefined,
  keys: readonly string[],
  change: (old: Json | undefined) => Json,
): Json {
  const [key, ...rest] = keys
  if (key === undefined) return change(value)
  const inner = changeAt(valueAtKeys(value, [key]), rest, change)
  if (Array.isArray(value) && /^\d+$/.test(key)) return value.toSpliced(Number(key), 1, inner)
  return { ...(isObject(value) ? (value as { readonly [key: string]: Json }) : {}), [key]: inner }
}

/** Wraps a value in objects, one for each key. */
export const nestedAt = (keys: readonly string[], value: Json): Json =>
  keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)

type Join = (old: Json | undefined, value: Json) => Json

const METHODS: { readonly [method in OutputMethod]: Join } = {
  set: (_old, value) => value,
  merge: deepMerge,
  assign: (old, value) => (isJsonObject(old) && isJsonObject(value) ? { ...old, ...value } : value),
  push: (old, value) => [...listOf(old), value],
  concat: (old, value) => [...listOf(old), ...listOf(value)],
}

function deepMerge(old: Json | undefined, value: Json): Json {
  if (!isJsonObject(old) || !isJsonObject(value)) return value
  const merged = Object.entries(value).map(([key, inner]): [string, Json] => [
    key,
    Object.hasOwn(old, key) ? deepMerge(old[key], inner) : inner,
  ])
  return { ...old, ...Object.fromEntries(merged) }
}

const isJsonObject = (x: Json | undefined): x is { readonly [key: string]: Json } => isObject(x)

const listOf = (x: Json | undefined): readonly Json[] =>
  x === undefined ? [] : Array.isArray(x) ? x : [x as Json]
