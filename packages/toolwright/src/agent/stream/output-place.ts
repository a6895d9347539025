/**
 * What a schema says about a place inside an output while the output is still arriving: which texts may be
 * shown before they are complete, and which nulls stand for a missing field.
 */
import { has, isObject, valueAt, type JsonObject } from '../../schema/json-object.ts'
import { acceptsNull, alternativesOf } from '../../schema/raise-nulls.ts'

/** A text of such a schema means nothing before it is complete. */
const WHOLE = ['enum', 'const', 'format', 'pattern'] as const

export class OutputPlace {
  readonly #root: JsonObject
  readonly #alternatives: readonly JsonObject[]
  /** Made once: an array has thousands of items of one schema. */
  readonly #properties = new Map<string, OutputPlace>()
  #items: OutputPlace | undefined

  constructor(root: JsonObject, schemas: readonly unknown[]) {
    this.#root = root
    this.#alternatives = schemas.flatMap((schema) => alternativesOf(schema, root))
  }

  /** Whether a text here may be shown as it grows. */
  get growsByPieces(): boolean {
    return !this.#alternatives.some((schema) => WHOLE.some((keyword) => has(schema, keyword)))
  }

  property(key: string): OutputPlace {
    const known = this.#properties.get(key)
    if (known) return known
    const schemas = this.#alternatives.map(({ properties, additionalProperties }) =>
      has(properties, key) ? valueAt(properties, [key]) : additionalProperties,
    )
    const place = new OutputPlace(this.#root, schemas.filter(isObject))
    this.#properties.set(key, place)
    return place
  }

  item(): OutputPlace {
    const schemas = this.#alternatives.flatMap(({ items, prefixItems }) => [items, prefixItems])
    return (this.#items ??= new OutputPlace(this.#root, schemas.flat().filter(isObject)))
  }

  /** Whether a null under this key stands for a missing field, as strict providers write it. */
  isAbsent(key: string): boolean {
    const owners = this.#alternatives.filter(({ properties }) => has(properties, key))
    return (
      owners.length > 0 &&
      owners.every(
        ({ required, properties }) =>
          ![required].flat().includes(key) && !acceptsNull(valueAt(properties, [key]), this.#root),
      )
    )
  }
}
