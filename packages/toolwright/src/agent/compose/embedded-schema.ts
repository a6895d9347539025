/**
 * A schema moved into a larger one: its definitions go to the top under names of their own, and its
 * references still lead where they led. The schema given is never changed.
 */
import { isObject, type JsonObject } from '../../schema/json-object.ts'
import type { JsonSchema, JsonSchemaNode } from '../../schema/json-schema.ts'
import { holdsByName, holdsSchemas } from '../../schema/subschemas.ts'

export interface Embedding {
  /** Names the definitions: `<owner>__<name>`. */
  readonly owner: string
  /** Where the schema will stand, as a JSON pointer: `#/properties/output`. */
  readonly place: string
  /** The definitions of the whole; written to. */
  readonly definitions: { [name: string]: JsonSchemaNode }
}

const HOLDERS = ['$defs', 'definitions'] as const

export function embeddedSchema(schema: JsonSchema, embedding: Embedding): JsonSchema {
  // A schema with an `$id` is a document of its own: its references do not leave it.
  if (schema.$id !== undefined) return schema
  const names = ownNames(schema, embedding)
  const rewrite = (reference: string): string => movedReference(reference, names, embedding)
  for (const holder of HOLDERS) {
    for (const [name, node] of Object.entries(schema[holder] ?? {})) {
      const own = names.get(`#/${holder}/${escaped(name)}`)!
      embedding.definitions[own] = withReferences(node, rewrite) as JsonSchemaNode
    }
  }
  const { $defs: _defs, definitions: _definitions, $schema: _dialect, ...rest } = schema
  return withReferences(rest, rewrite) as JsonSchema
}

function ownNames(schema: JsonSchema, embedding: Embedding): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const holder of HOLDERS) {
    for (const name of Object.keys(schema[holder] ?? {})) {
      const own = freeName(`${embedding.owner}__${name}`, embedding, names)
      names.set(`#/${holder}/${escaped(name)}`, own)
    }
  }
  return names
}

/** The schema with its references rewritten; parts without any stay the same objects. */
function withReferences(node: unknown, rewrite: (reference: string) => string): unknown {
  if (!isObject(node) || node.$id !== undefined) return node
  let copy: { [keyword: string]: unknown } | undefined
  for (const keyword of Object.keys(node)) {
    const value = node[keyword]
    const changed =
      keyword === '$ref' && typeof value === 'string'
        ? rewrite(value)
        : changedInside(keyword, value, (inner) => withReferences(inner, rewrite))
    if (changed !== value) (copy ??= { ...node })[keyword] = changed
  }
  return copy ?? node
}

/** What a keyword holds, its schemas changed. Many tools are composed at once: nothing is copied without need. */
function changedInside(
  keyword: string,
  value: unknown,
  change: (inner: unknown) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null || !holdsSchemas(keyword)) return value
  if (!Array.isArray(value) && !holdsByName(keyword)) return change(value)
  let copy: unknown
  for (const key of Object.keys(value)) {
    const inner = (value as JsonObject)[key]
    const changed = change(inner)
    if (changed === inner) continue
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value }
    ;(copy as { [key: string]: unknown })[key] = changed
  }
  return copy ?? value
}

function movedReference(
  reference: string,
  names: ReadonlyMap<string, string>,
  { place }: Embedding,
): string {
  const [, holder, rest = ''] = /^(#\/(?:\$defs|definitions)\/[^/]+)(\/.*)?$/.exec(reference) ?? []
  const name = holder === undefined ? undefined : names.get(holder)
  if (name !== undefined) return `#/$defs/${escaped(name)}${rest}`
  return /^#(?:\/|$)/.test(reference) ? place + reference.slice(1) : reference
}

function freeName(
  wanted: string,
  { definitions }: Embedding,
  names: ReadonlyMap<string, string>,
): string {
  const taken = [...names.values()]
  let name = wanted
  while (Object.hasOwn(definitions, name) || taken.includes(name)) name += '_'
  return name
}

/** As a step of a JSON pointer. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
