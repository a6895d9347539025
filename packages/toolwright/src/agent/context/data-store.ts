/** Reads an agent's data by folding the messages of one identity, oldest to newest. No message is changed. */
import type { Json } from '../../messages/json.ts'
import { shorten } from '../../schema/describe-value.ts'
import { pathText, type DataPath, type Reference } from './data-path.ts'
import { foldEntries, valueAtKeys } from './fold-entries.ts'
import { identities, identityOf, type Identities } from './identities.ts'
import type { Entry } from './read-message.ts'

export class DataStore {
  readonly kinds: readonly string[]
  readonly instances: readonly string[]
  readonly #identities: Identities
  readonly #folded = new Map<string, Json | undefined>()

  constructor(entries: readonly Entry[]) {
    const data = entries.filter((entry) => entry.type === 'data')
    this.kinds = [...new Set(data.map(({ kind }) => kind))]
    this.instances = [...new Set(data.flatMap(({ instance }) => instance ?? []))]
    this.#identities = identities(entries)
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
    const key = identityOf({ kind, instance })
    if (!this.#folded.has(key)) this.#folded.set(key, foldEntries(this.#identities.get(key) ?? []))
    return this.#folded.get(key)
  }

  #whyMissing(place: DataPath, isBroken: (place: DataPath) => boolean): string {
    if (isBroken(place)) return `the call that should write ${pathText(place)} failed`
    const { kinds } = this
    if (kinds.includes(place.kind)) return `there is nothing at ${pathText(place)}`
    return `there is no data of kind "${shorten(place.kind)}"; there is ${kinds.join(', ') || 'none'}`
  }
}

export interface Reader {
  /** How large the arguments of one call may be. */
  readonly argumentBytes?: number
  readonly instance?: string
  /** Whether a call failed that should have written this place. */
  readonly isBroken?: (place: DataPath) => boolean
}

export type Resolved =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string }

/** Wraps a value in objects, one for each key. */
export const nestedAt = (keys: readonly string[], value: Json): Json =>
  keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
