/** The type names of JSON Schema. */
import { isObject } from './json-object.ts'

/** The JSON Schema type of a value. `undefined` and the like get a name that no schema allows. */
function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'not a number'
  return typeof value
}

/** Whether a value has one of the types. */
export function isOfType(value: unknown, types: readonly unknown[]): boolean {
  return types.includes(jsonTypeOf(value)) || (types.includes('integer') && Number.isInteger(value))
}

/** The types that a schema names, or those of its constants; undefined if there are none. */
export function typesNamedBy(schema: unknown): readonly unknown[] | undefined {
  if (!isObject(schema)) return undefined
  if (schema.type !== undefined) return [schema.type].flat()
  const constants = schema.const === undefined ? schema.enum : [schema.const]
  return Array.isArray(constants) ? [...new Set(constants.map(jsonTypeOf))] : undefined
}
