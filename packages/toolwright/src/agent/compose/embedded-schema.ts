/**
 * Moves a schema into a larger one: its definitions move to the root under unique names, and its references
 * are rewritten to match. The given schema is not changed.
 */
import { isObject, type JsonObject } from '../../schema/json-object.ts'
import type { JsonSchema, JsonSchemaNode } from '../../schema/json-schema.ts'
import { holdsByName, holdsSchemas } from '../../schema/subschemas.ts'

export interface Embedding {
  /** Prefix of the definitions' names: `<owner>__<name>`. */
  readonly owner: string
  /** Where the schema will be, as a JSON pointer: `#/properties/output`. */
  readonly place: string
  /** The definitions of the larger schema. New ones are added here. */
  readonly definitions: { [name: string]: JsonSchemaNode }
}

const HOLDERS = ['$defs', 'definitions'] as const

export function embeddedSchema(schema: JsonSchema, embedding: Embedding): JsonSchema {
  // A schema with an `$id` is a document of its own: its references stay within it.
  if (schema.$id !== undefined) return schema
  const names = uniqueNames(schema, embedding)
  const rewrite = (reference: string): string => movedReference(reference, names, embedding)
  for (const holder of HOLDERS) {
    for (const [name, node] of Object.entries(schema[holder] ?? {})) {
      const uniqueName = names.get(`#/${holder}/${escapePointer(name)}`)!
      embedding.definitions[uniqueName] = withReferences(node, rewrite) as JsonSchemaNode
    }
  }
  const { $defs: _defs, definitions: _definitions, $schema: _dialect, ...rest } = schema
  return withReferences(rest, rewrite) as JsonSchema
}

function uniqueNames(schema: JsonSchema, embedding: Embedding): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const holder of HOLDERS) {
    for (const name of Object.keys(schema[holder] ?? {})) {
      const uniqueName = freeName(`${embedding.owner}__${name}`, embedding, names)
      names.set(`#/${holder}/${escapePointer(name)}`, uniqueName)
    }
  }
  return names
}

/** The schema with its references rewritten. Parts without references stay the same objects. */
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

/**
 * Applies a change to the schemas under a keyword. It copies only what changes, because many tools are
 * composed at once.
 */
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
  if (name !== undefined) return `#/$defs/${escapePointer(name)}${rest}`
  return /^#(?:\/|$)/.test(reference) ? place + reference.slice(1) : reference
}

function freeName(
  wanted: string,
  { definitions }: Embedding,
  names: ReadonlyMap<string, string>,
): string {
  const takenNames = [...names.values()]
  let name = wanted
  while (Object.hasOwn(definitions, name) || takenNames.includes(name)) name += '_'
  return name
}

/** Escapes a name for a JSON pointer. */
const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
