/**
 * Finds what references point to: every `$id`, `$anchor` and `$dynamicAnchor` of a schema and of the
 * other documents it is given. Loads nothing by itself.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import type { SchemaResource } from './check-run.ts'
import { shorten } from './describe-value.ts'
import { eachSubschema, isObject } from './subschemas.ts'

export type Remotes = ReadonlyMap<string, unknown> | { readonly [uri: string]: unknown }

const NO_ID = 'schema://root/'
const VALIDATION = 'https://json-schema.org/draft/2020-12/vocab/validation'
const DEEPEST = 500

export class SchemaIndex {
  /** Some schema has `unevaluatedItems` or `unevaluatedProperties`. */
  tracks = false
  /** Some schema has `$dynamicRef`. */
  dynamic = false
  readonly root: SchemaResource
  readonly #remotes: Remotes
  readonly #byUri = new Map<string, SchemaResource>()
  readonly #bySchema = new Map<object, SchemaResource>()

  constructor(schema: unknown, remotes: Remotes) {
    this.#remotes = remotes
    this.root = this.#add(schema, NO_ID)
  }

  resourceOf(schema: object): SchemaResource {
    return this.#bySchema.get(schema) ?? this.root
  }

  /** What a reference in a schema of `resource` points to, before any dynamic scope. */
  resolve(reference: string, resource: SchemaResource): unknown {
    const hash = reference.indexOf('#')
    const address = hash === -1 ? reference : reference.slice(0, hash)
    const fragment = hash === -1 ? '' : decode(reference.slice(hash + 1))
    const target = address === '' ? resource : this.#find(absolute(address, resource.uri))
    const schema = target && lookUp(target, fragment)
    if (!target || (typeof schema !== 'boolean' && !isObject(schema))) {
      throw invalid(`The reference ${JSON.stringify(shorten(reference))} points to no schema.`)
    }
    if (typeof schema === 'object' && !this.#bySchema.has(schema)) this.#walk(schema, target, 0)
    return schema
  }

  #find(uri: string): SchemaResource | undefined {
    const known = this.#byUri.get(uri)
    if (known) return known
    const remote = this.#remote(uri)
    return remote === undefined ? undefined : this.#add(remote, uri)
  }

  #remote(uri: string): unknown {
    if (this.#remotes instanceof Map) return this.#remotes.get(uri)
    const remotes = this.#remotes as { readonly [uri: string]: unknown }
    return Object.hasOwn(remotes, uri) ? remotes[uri] : undefined
  }

  #add(schema: unknown, uri: string): SchemaResource {
    const resource = this.#resource(schema, uri)
    this.#walk(schema, resource, 0)
    // A document is also known by its own `$id`.
    return isObject(schema) ? this.resourceOf(schema) : resource
  }

  #resource(root: unknown, uri: string): SchemaResource {
    const resource = {
      uri,
      root,
      anchors: new Map(),
      dynamicAnchors: new Map(),
      validates: this.#validates(root),
    }
    this.#byUri.set(uri, resource)
    return resource
  }

  #validates(root: unknown): boolean {
    const meta =
      isObject(root) && typeof root.$schema === 'string' ? this.#remote(root.$schema) : undefined
    const vocabulary = isObject(meta) ? meta.$vocabulary : undefined
    return !isObject(vocabulary) || Object.hasOwn(vocabulary, VALIDATION)
  }

  #walk(schema: unknown, outer: SchemaResource, depth: number): void {
    if (!isObject(schema) || this.#bySchema.has(schema)) return
    if (depth > DEEPEST) throw invalid(`The schema is nested more than ${DEEPEST} levels deep.`)
    const resource = this.#enter(schema, outer)
    this.#bySchema.set(schema, resource)
    if (typeof schema.$anchor === 'string') resource.anchors.set(schema.$anchor, schema)
    if (typeof schema.$dynamicAnchor === 'string') {
      resource.dynamicAnchors.set(schema.$dynamicAnchor, schema)
    }
    this.tracks ||=
      schema.unevaluatedItems !== undefined || schema.unevaluatedProperties !== undefined
    this.dynamic ||= schema.$dynamicRef !== undefined
    eachSubschema(schema, (inner) => this.#walk(inner, resource, depth + 1))
  }

  #enter(schema: { readonly $id?: unknown }, outer: SchemaResource): SchemaResource {
    if (typeof schema.$id !== 'string' || schema.$id.startsWith('#')) return outer
    const uri = absolute(schema.$id, outer.uri).replace(/#.*/s, '')
    return uri === outer.uri && outer.root === schema ? outer : this.#resource(schema, uri)
  }
}

function lookUp(resource: SchemaResource, fragment: string): unknown {
  if (fragment === '') return resource.root
  if (!fragment.startsWith('/')) {
    return resource.anchors.get(fragment) ?? resource.dynamicAnchors.get(fragment)
  }
  let place = resource.root
  for (const token of fragment.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
    place = (place as { readonly [key: string]: unknown })[key]
  }
  return place
}

function absolute(reference: string, base: string): string {
  try {
    return new URL(reference, base).href
  } catch (thrown) {
    throw invalid(`The reference ${JSON.stringify(shorten(reference))} is no URI.`, thrown)
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function invalid(message: string, cause?: unknown): ConfigurationError {
  const reason = cause === undefined ? '' : ` (${messageOfThrown(cause)})`
  return new ConfigurationError('invalid-schema', message + reason)
}
