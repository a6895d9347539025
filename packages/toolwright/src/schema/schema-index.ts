/**
 * Resolves references: it knows every `$id`, `$anchor` and `$dynamicAnchor` of a schema and of the other
 * documents it is given. It loads nothing.
 */
import { shorten } from './describe-value.ts'
import { invalidSchema } from './invalid-schema.ts'
import { has, isObject, valueAt } from './json-object.ts'
import { remembered } from './remembered.ts'
import { mapSubschemas } from './subschemas.ts'

export type Remotes = ReadonlyMap<string, unknown> | { readonly [uri: string]: unknown }

const NO_ID = 'schema://root/'
const VALIDATION = 'https://json-schema.org/draft/2020-12/vocab/validation'

export class SchemaIndex {
  /** Whether a schema uses `unevaluatedItems` or `unevaluatedProperties`. */
  tracks = false
  /** Whether a schema uses `$dynamicRef`. */
  dynamic = false
  readonly #remotes: ReadonlyMap<string, unknown>
  /** Documents and anchors by their absolute URI. */
  readonly #schemas = new Map<string, unknown>()
  readonly #bases = new Map<unknown, string>()
  /** The resolved references of each schema. */
  readonly #targets = new Map<unknown, Map<string, unknown>>()
  /** The base URIs whose meta-schema lacks the validation vocabulary. */
  readonly #unvalidated = new Set<string>()

  constructor(schema: unknown, remotes: Remotes) {
    this.#remotes = remotes instanceof Map ? remotes : new Map(Object.entries(remotes))
    this.#add(schema, NO_ID)
  }

  /** The URI that the references and anchors of a schema are relative to. */
  baseOf(schema: unknown): string {
    return this.#bases.get(schema) ?? NO_ID
  }

  validates(schema: unknown): boolean {
    return !this.#unvalidated.has(this.baseOf(schema))
  }

  /** Resolves a reference in a schema, without regard to the dynamic scope. */
  resolve(reference: string, from: unknown): unknown {
    const targets = remembered(this.#targets, from, () => new Map<string, unknown>())
    return remembered(targets, reference, () => {
      const [address, fragment] = absolute(reference, this.baseOf(from))
      const schema = this.#find(address, fragment)
      if (typeof schema !== 'boolean' && !isObject(schema)) throw leadsNowhere(reference)
      this.#walk(schema, address)
      return schema
    })
  }

  /** The schema with a dynamic anchor in the document of another schema. */
  dynamicAnchor(inside: unknown, name: string): unknown {
    const schema = this.#schemas.get(`${this.baseOf(inside)}#${name}`)
    return isObject(schema) && schema.$dynamicAnchor === name ? schema : undefined
  }

  #find(address: string, fragment: string): unknown {
    if (!this.#schemas.has(address)) this.#add(this.#remotes.get(address), address)
    if (fragment !== '' && !fragment.startsWith('/')) {
      return this.#schemas.get(`${address}#${fragment}`)
    }
    const tokens = fragment.split('/').slice(1)
    const keys = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    return valueAt(this.#schemas.get(address), keys)
  }

  #add(document: unknown, uri: string): void {
    this.#schemas.set(uri, document)
    this.#walk(document, uri)
  }

  #walk(schema: unknown, outer: string): void {
    if (!isObject(schema) || this.#bases.has(schema)) return
    const { $id, $schema, $anchor, $dynamicAnchor } = schema
    const isDocument = typeof $id === 'string' && !$id.startsWith('#')
    const base = isDocument ? absolute($id, outer)[0] : outer
    this.#bases.set(schema, base)
    if (isDocument) this.#schemas.set(base, schema)
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (anchor !== undefined) this.#schemas.set(`${base}#${anchor}`, schema)
    }
    const vocabulary = valueAt(this.#remotes.get(String($schema)), ['$vocabulary'])
    if (isObject(vocabulary) && !has(vocabulary, VALIDATION)) this.#unvalidated.add(base)
    this.tracks ||= has(schema, 'unevaluatedItems') || has(schema, 'unevaluatedProperties')
    this.dynamic ||= has(schema, '$dynamicRef')
    mapSubschemas(schema, (inner) => this.#walk(inner, base))
  }
}

/** Splits a reference into absolute URI and fragment. */
function absolute(reference: string, base: string): [string, string] {
  try {
    const [address = '', fragment = ''] = new URL(reference, base).href.split('#')
    return [address, decodeURIComponent(fragment)]
  } catch (cause) {
    throw leadsNowhere(reference, cause)
  }
}

function leadsNowhere(reference: string, cause?: unknown): Error {
  return invalidSchema(`The reference "${shorten(reference)}" leads nowhere.`, cause)
}
