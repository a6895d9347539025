/** The JSON Schema that this provider's structured output takes: closed, without recursion, little that narrows. */
import type { JsonSchema } from '../../schema/json-schema.ts'
import { lowerSchema, type SchemaDialect } from '../../schema/lower-schema.ts'
import { remembered } from '../../schema/remembered.ts'

const FORMATS = /^(?:date-time|time|date|duration|email|hostname|uri|ipv4|ipv6|uuid)$/

const DIALECT: SchemaDialect = {
  takes: (keyword, operand) =>
    keyword === 'format'
      ? FORMATS.test(String(operand))
      : keyword === 'default' || (keyword === 'minItems' && (operand === 0 || operand === 1)),
  allRequired: false,
  recursion: false,
}

const known = new WeakMap<JsonSchema, { readonly lowered: JsonSchema | undefined }>()

/** Undefined when it cannot be said: the model is then asked by words. */
export const outputSchemaOnWire = (schema: JsonSchema): JsonSchema | undefined =>
  remembered(known, schema, () => ({ lowered: lowerSchema(schema, DIALECT) })).lowered
