/** The names JSON Schema has for types. */
import { isObject } from './json-object.ts'

/** The JSON Schema name of a value's type; `undefined` and friends have none that any schema allows. */
function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'not a number'
  return typeof value
}

/** Whether a value is of a type that `type` names. */
export function isOfType(value: unknown, types: readonly unknown[]): boolean {
  return types.includes(jsonTypeOf(value)) || (types.includes('integer') && Number.isInteger(value))
}

/** The types a schema names itself, or those of its constants; undefined when it names none. */
export function typesNamedBy(schema: unknown): readonly unknown[] | undefined {
  if (!isObject(schema)) return undefined
  if (schema.type !== undefined) return [schema.type].flat()
  const constants = schema.const === undefined ? schema.enum : [schema.const]
  return Array.isArray(constants) ? [...new Set(constants.map(jsonTypeOf))] : undefined
}
