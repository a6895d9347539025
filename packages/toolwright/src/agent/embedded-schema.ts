/**
 * A schema moved into a larger one: its definitions go to the top under names of their own, and its
 * references still lead where they led. The schema given is never changed.
 */
import { isObject, type JsonObject } from '../schema/json-object.ts'
import type { JsonSchema, JsonSchemaNode } from '../schema/json-schema.ts'
import { mapSubschemas } from '../schema/subschemas.ts'

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
  const names = new Map<string, string>()
  for (const holder of HOLDERS) {
    for (const name of Object.keys(schema[holder] ?? {}))
      names.set(
        `#/${holder}/${escaped(name)}`,
        freeName(`${embedding.owner}__${name}`, embedding, names),
      )
  }
  const moved = (node: unknown): unknown => {
    if (!isObject(node) || node.$id !== undefined) return node
    const inner = mapSubschemas(node, moved)
    return typeof node.$ref === 'string'
      ? { ...inner, $ref: movedReference(node.$ref, names, embedding) }
      : inner
  }
  for (const holder of HOLDERS) {
    for (const [name, node] of Object.entries(schema[holder] ?? {})) {
      const own = names.get(`#/${holder}/${escaped(name)}`)!
      embedding.definitions[own] = moved(node) as JsonSchemaNode
    }
  }
  const { $defs: _defs, definitions: _definitions, $schema: _dialect, ...rest } = schema
  return moved(rest) as JsonSchema & JsonObject
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
