/**
 * Converts a schema to JSON Schema for programs that want to show or send one. Tools convert theirs
 * themselves.
 */
import { checkOptions } from '../internal/check-options.ts'
import { closeObjects } from './close-objects.ts'
import { isObject, type JsonObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'
import { plainJsonSchema } from './plain-json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'
import { mapSubschemas } from './subschemas.ts'

export interface ToJsonSchemaOptions {
  /**
   * `input`: what a model should send, with closed objects. `output`: what the schema makes of it, as the
   * library gives it. Default `input`.
   */
  readonly io?: 'input' | 'output'
  /**
   * Leaves objects open unless they say otherwise, instead of adding `additionalProperties: false`. Default
   * false for `input`, true for `output`.
   */
  readonly allowAdditionalProperties?: boolean
  /**
   * Writes type names in upper case at every depth, as some endpoints require: `STRING` for `string`.
   * Default false.
   */
  readonly upperCaseTypes?: boolean
}

/**
 * The JSON Schema (draft 2020-12, without `$schema`) of a schema. Everything is required unless optional;
 * descriptions stay at every depth.
 *
 * @example
 * toJsonSchema(z.object({ city: z.string() }))
 * // { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
 */
export function toJsonSchema(
  schema: StandardSchema | JsonSchema,
  options: ToJsonSchemaOptions = {},
): JsonSchema {
  checkOptions('toJsonSchema()', options, ['io', 'allowAdditionalProperties', 'upperCaseTypes'])
  const { io = 'input', allowAdditionalProperties = io === 'output', upperCaseTypes } = options
  const json = plainJsonSchema(schema, io)
  const closed = allowAdditionalProperties ? json : closeObjects(json)
  return upperCaseTypes ? (withUpperCaseTypes(closed as JsonObject) as JsonSchema) : closed
}

function withUpperCaseTypes(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const inner = mapSubschemas(schema, withUpperCaseTypes)
  const { type } = schema
  return type === undefined ? inner : { ...inner, type: upperCase(type) }
}

/** Independent of the machine's locale: in Turkish, the capital of i is another letter. */
const upperCase = (type: unknown): unknown =>
  Array.isArray(type) ? type.map(upperCase) : String(type).toUpperCase()
