/**
 * Adds the properties of one object schema to another: what the model of an augmented tool is shown. The
 * references of both still lead where they led.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { compileInput, type CompiledInput } from './input-schema.ts'
import { invalidSchema } from './invalid-schema.ts'
import { has, isObject, keysOf, type JsonObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'
import { mapSubschemas } from './subschemas.ts'

/**
 * The JSON Schema of `schema` with the properties of `extra` after its own. What `extra` requires is
 * required, the rest optional. Throws when `extra` is no object schema with properties, or when a name is
 * already taken.
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

/** The input that extra arguments are: an object that has some. */
export function compileExtra(extra: StandardSchema | JsonSchema): CompiledInput {
  const compiled = compileInput(extra)
  if (!compiled.wrapped && keysOf(compiled.jsonSchema.properties).length > 0) return compiled
  throw invalidSchema('Extra arguments need the schema of an object with at least one property.')
}

/** `owner` begins the sentence about a name that is taken. */
export function mergeSchemas(base: JsonSchema, extra: JsonSchema, owner: string): JsonSchema {
  const taken = keysOf(extra.properties).find((name) => has(base.properties, name))
  if (taken !== undefined)
    throw new ConfigurationError('argument-taken', `${owner} already has an argument "${taken}".`)
  const own = withNamedRoot(base)
  const added = withFreeNames(withNamedRoot(extra), own)
  const required = [...(own.required ?? []), ...(added.required ?? [])]
  return {
    ...leftOpen(own),
    properties: { ...own.properties, ...added.properties },
    ...(required.length > 0 && { required }),
    ...bothOf('$defs', own, added),
    ...bothOf('definitions', own, added),
  }
}

function bothOf(
  keyword: '$defs' | 'definitions',
  own: JsonSchema,
  added: JsonSchema,
): Partial<JsonSchema> {
  return own[keyword] || added[keyword] ? { [keyword]: { ...own[keyword], ...added[keyword] } } : {}
}

/** A schema that refers to itself means itself as it is, without what is added: it gets a name. */
function withNamedRoot(schema: JsonSchema): JsonSchema {
  const name = `root${freeSuffix(['root'], keysOf(schema.$defs))}`
  let isMeant: boolean = false
  const { $defs, ...rest } = rerouted(schema as JsonObject, (ref) => {
    if (ref !== '#') return ref
    isMeant = true
    return `#/$defs/${name}`
  }) as JsonSchema
  return isMeant ? { ...rest, $defs: { ...$defs, [name]: rest } } : schema
}

const DEFINITION = /^(#\/(?:\$defs|definitions)\/([^/]+))(.*)$/

/** The added schema, its definitions renamed where the other has some of the same name. */
function withFreeNames(added: JsonSchema, own: JsonSchema): JsonSchema {
  const names = definitionsOf(added)
  const taken = definitionsOf(own).filter((name) => names.includes(name))
  if (taken.length === 0) return added
  const suffix = freeSuffix(taken, [...names, ...definitionsOf(own)])
  const moved = rerouted(added as JsonObject, (ref) => {
    const [, path, token = '', rest] = DEFINITION.exec(ref) ?? []
    return taken.includes(decoded(token)) ? `${path}${suffix}${rest}` : ref
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

/** What makes each of the names a new one. */
function freeSuffix(names: readonly string[], taken: readonly string[]): string {
  let suffix = ''
  for (let n = 2; names.some((name) => taken.includes(name + suffix)); n++) suffix = `_${n}`
  return suffix
}

/** A name as it stands in a JSON pointer in a URI fragment. */
const decoded = (token: string): string =>
  decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')

/** The schema with its references changed. One with an `$id` is a document of its own. */
function rerouted(schema: JsonObject, change: (ref: string) => string): JsonObject {
  const inner = mapSubschemas(schema, (each) =>
    isObject(each) && each.$id === undefined ? rerouted(each, change) : each,
  )
  const { $ref } = schema
  return typeof $ref === 'string' ? { ...inner, $ref: change($ref) } : inner
}

/** Closed alternatives would refuse what is added: the whole is closed in their place. A map stays one. */
function leftOpen(schema: JsonSchema): JsonSchema {
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
