/**
 * Adds the properties of one object schema to another, for augmented tools. The references of both schemas
 * stay valid.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { compileInput, type CompiledInput } from './input-schema.ts'
import { invalidSchema } from './invalid-schema.ts'
import { has, isObject, keysOf, type JsonObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'
import { mapSubschemas } from './subschemas.ts'

/**
 * The JSON Schema of `schema` with the properties of `extra` added after its own. Properties that `extra`
 * requires are required. Throws if `extra` is not an object schema with properties, or if a name is already
 * taken.
 *
 * @example
 * augmentSchema(z.object({ city: z.string() }), z.object({ innerThought: z.string().optional() }))
 */
export function augmentSchema(
  schema: StandardSchema | JsonSchema,
  extra: StandardSchema | JsonSchema,
): JsonSchema {
  const { jsonSchema } = compileInput(schema)
  return mergeSchemas(jsonSchema, compileExtra(extra).jsonSchema, 'The schema')
}

/** Compiles the schema of extra arguments. It must be an object with properties. */
export function compileExtra(extra: StandardSchema | JsonSchema): CompiledInput {
  const compiled = compileInput(extra)
  if (!compiled.wrapped && keysOf(compiled.jsonSchema.properties).length > 0) return compiled
  throw invalidSchema('Extra arguments need the schema of an object with at least one property.')
}

/** Merges two object schemas. `owner` starts the error message about a name that is already taken. */
export function mergeSchemas(base: JsonSchema, extra: JsonSchema, owner: string): JsonSchema {
  const taken = keysOf(extra.properties).find((name) => has(base.properties, name))
  if (taken !== undefined)
    throw new ConfigurationError('argument-taken', `${owner} already has an argument "${taken}".`)
  const namedBase = withNamedRoot(base)
  const added = withFreeNames(withNamedRoot(extra), namedBase)
  const required = [...(namedBase.required ?? []), ...(added.required ?? [])]
  return {
    ...withOpenAlternatives(namedBase),
    properties: { ...namedBase.properties, ...added.properties },
    ...(required.length > 0 && { required }),
    ...bothOf('$defs', namedBase, added),
    ...bothOf('definitions', namedBase, added),
  }
}

function bothOf(
  keyword: '$defs' | 'definitions',
  base: JsonSchema,
  added: JsonSchema,
): Partial<JsonSchema> {
  return base[keyword] || added[keyword]
    ? { [keyword]: { ...base[keyword], ...added[keyword] } }
    : {}
}

/**
 * Gives a name to a schema that refers to itself, so that those references keep meaning the schema without
 * the additions.
 */
function withNamedRoot(schema: JsonSchema): JsonSchema {
  const name = `root${freeSuffix(['root'], keysOf(schema.$defs))}`
  let refersToRoot: boolean = false
  const { $defs, ...rest } = withReferences(schema as JsonObject, (ref) => {
    if (ref !== '#') return ref
    refersToRoot = true
    return `#/$defs/${name}`
  }) as JsonSchema
  return refersToRoot ? { ...rest, $defs: { ...$defs, [name]: rest } } : schema
}

const DEFINITION = /^(#\/(?:\$defs|definitions)\/([^/]+))(.*)$/

/** Renames the definitions of the added schema whose names the other schema already uses. */
function withFreeNames(added: JsonSchema, base: JsonSchema): JsonSchema {
  const names = definitionsOf(added)
  const taken = definitionsOf(base).filter((name) => names.includes(name))
  if (taken.length === 0) return added
  const suffix = freeSuffix(taken, [...names, ...definitionsOf(base)])
  const moved = withReferences(added as JsonObject, (ref) => {
    const [, path, token = '', rest] = DEFINITION.exec(ref) ?? []
    return taken.includes(decodePointer(token)) ? `${path}${suffix}${rest}` : ref
  }) as JsonSchema
  const renamed = (named: JsonSchema['$defs']): JsonSchema['$defs'] =>
    named &&
    Object.fromEntries(
      Object.entries(named).map(([name, each]) => [
        taken.includes(name) ? name + suffix : name,
        each,
      ]),
    )
  return { ...moved, $defs: renamed(moved.$defs), definitions: renamed(moved.definitions) }
}

const definitionsOf = ({ $defs, definitions }: JsonSchema): readonly string[] => [
  ...keysOf($defs),
  ...keysOf(definitions),
]

/** A suffix that makes each of the names unique. */
function freeSuffix(names: readonly string[], taken: readonly string[]): string {
  let suffix = ''
  for (let n = 2; names.some((name) => taken.includes(name + suffix)); n++) suffix = `_${n}`
  return suffix
}

/** Decodes a name from a JSON pointer in a URI fragment. */
const decodePointer = (token: string): string =>
  decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')

/** Changes the references of a schema. A schema with an `$id` is a document of its own and stays as it is. */
function withReferences(schema: JsonObject, change: (ref: string) => string): JsonObject {
  const inner = mapSubschemas(schema, (each) =>
    isObject(each) && each.$id === undefined ? withReferences(each, change) : each,
  )
  const { $ref } = schema
  return typeof $ref === 'string' ? { ...inner, $ref: change($ref) } : inner
}

/**
 * Opens closed alternatives, which would reject the added properties; the merged schema is closed instead.
 * Maps stay maps.
 */
function withOpenAlternatives(schema: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined)
    return schema
  let isClosed: boolean = false
  const opened = mapSubschemas(schema as JsonObject, (each, keyword) => {
    const { additionalProperties = true, ...rest } = Object(each) as JsonObject
    if (additionalProperties !== false || !/^(?:all|any|one)Of$/.test(keyword)) return each
    isClosed = true
    return rest
  })
  return { ...opened, [isClosed ? 'unevaluatedProperties' : 'additionalProperties']: !isClosed }
}
