/**
 * Reads values in which null stands for a missing optional property, as agents ask for them where a provider
 * wants every property: the schema says which nulls those are.
 */
import { isObject, valueAt, type JsonObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'
import { typesNamedBy } from './json-type.ts'

/**
 * Removes the nulls that stand for missing optional properties. Returns the same object if there are none.
 */
export function raiseNulls(schema: JsonSchema, value: unknown): unknown {
  const root = schema as JsonObject
  return withoutNulls([root], value, root)
}

function withoutNulls(schemas: readonly unknown[], value: unknown, root: JsonObject): unknown {
  const alternatives = schemas.flatMap((schema) => alternativesOf(schema, root))
  if (Array.isArray(value)) {
    const items = alternatives.map((schema) => schema.items)
    const inner = value.map((item) => withoutNulls(items, item, root))
    return inner.some((item, index) => item !== value[index]) ? inner : value
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const owners = alternatives.filter(({ properties }) => valueAt(properties, [key]) !== undefined)
    const isAbsent = (owner: JsonObject): boolean =>
      ![owner.required].flat().includes(key) && !acceptsNull(valueAt(owner.properties, [key]), root)
    if (inner === null && owners.length > 0 && owners.every(isAbsent)) return []
    const propertySchemas = owners.map(({ properties }) => valueAt(properties, [key]))
    return [[key, withoutNulls(propertySchemas, inner, root)] as const]
  })
  const isSame =
    entries.length === Object.keys(value).length &&
    entries.every(([key, inner]) => inner === value[key])
  return isSame ? value : Object.fromEntries(entries)
}

/** The schemas without alternatives of their own that a schema consists of. */
export function alternativesOf(
  schema: unknown,
  root: JsonObject,
  seen: ReadonlySet<unknown> = new Set(),
): readonly JsonObject[] {
  if (!isObject(schema) || seen.has(schema)) return []
  const { $ref, allOf, anyOf, oneOf } = schema
  const inner = typeof $ref === 'string' ? [targetOf(root, $ref)] : (anyOf ?? oneOf ?? allOf)
  if (!Array.isArray(inner)) return [schema]
  const visited = new Set([...seen, schema])
  return inner.flatMap((each: unknown) => alternativesOf(each, root, visited))
}

export function acceptsNull(schema: unknown, root: JsonObject): boolean {
  return alternativesOf(schema, root).some((each) => typesNamedBy(each)?.includes('null') ?? true)
}

const targetOf = (root: JsonObject, reference: string): unknown =>
  valueAt(root, reference.split('/').slice(1))
