/**
 * What a tool takes: the JSON Schema its model is shown, and the check of what the model sent. Made
 * once per schema object; the checker is compiled by the first call.
 */
import { checkStandard } from './check-standard.ts'
import { compileSchema } from './compile-schema.ts'
import { has, isObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'
import { remembered } from './remembered.ts'
import type { CheckResult } from './schema-checker.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'
import { mapSubschemas } from './subschemas.ts'
import { inputJsonSchema } from './plain-json-schema.ts'

export interface CompiledInput {
  /** Always of an object, closed. */
  readonly jsonSchema: JsonSchema
  /** The input is no object, so it travels as `{ value }`. */
  readonly wrapped: boolean
  /**
   * Coerces, checks and unwraps; a Standard Schema has the last word, and its output is the value. `text` is
   * what the value was read from.
   */
  check(value: unknown, text?: string): CheckResult | Promise<CheckResult>
  /** Coerces and checks against the JSON Schema only; the value stays wrapped. For whoever takes JSON text. */
  coerce(value: unknown): CheckResult
}

const NO_INPUT: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }
const made = new WeakMap<object, CompiledInput>()

/** Throws a `ConfigurationError` for what is no schema. Without a schema there are no arguments. */
export function compileInput(input: StandardSchema | JsonSchema = NO_INPUT): CompiledInput {
  return remembered(made, input, () => compile(input))
}

function compile(input: StandardSchema | JsonSchema): CompiledInput {
  const standard = isStandardSchema(input) ? input : undefined
  const { jsonSchema, wrapped } = asObjectSchema(inputJsonSchema(input))
  // A Standard Schema checks its formats itself, and by its own idea of them.
  const checker = compileSchema(jsonSchema, { formats: !standard })
  return {
    jsonSchema,
    wrapped,
    coerce: (value) => checker.check(value),
    check(value) {
      const coerced = checker.check(value)
      if (!coerced.ok) return coerced
      const inner = wrapped ? (coerced.value as { readonly value: unknown }).value : coerced.value
      return standard
        ? checkStandard(standard, inner, wrapped ? ['value'] : [])
        : { ok: true, value: inner }
    },
  }
}

/** Providers want an object at the top, and no union there. */
function asObjectSchema(schema: JsonSchema): Pick<CompiledInput, 'jsonSchema' | 'wrapped'> {
  const top = inlinedTop(schema)
  const isUnion = top.anyOf ?? top.oneOf ?? top.allOf ?? top.$ref
  const type = top.type ?? (top.properties && isUnion === undefined ? 'object' : undefined)
  return type === 'object'
    ? { jsonSchema: { type: 'object', ...top }, wrapped: false }
    : { jsonSchema: wrappedSchema(schema), wrapped: true }
}

/** A top that only refers to one of its own definitions is that definition. */
function inlinedTop(schema: JsonSchema): JsonSchema {
  const { $ref = '', ...rest } = schema
  const name = /^#\/\$defs\/(.+)/.exec($ref)?.[1] ?? ''
  const target = has(schema.$defs, name) ? schema.$defs[name] : undefined
  return isObject(target) && target.$ref === undefined ? { ...target, ...rest } : schema
}

function wrappedSchema(schema: JsonSchema): JsonSchema {
  // A schema with an `$id` is a document of its own: its references do not leave it.
  const isDocument = schema.$id !== undefined
  const { $defs, ...rest } = moved(schema) as JsonSchema
  return {
    type: 'object',
    properties: { value: isDocument ? schema : rest },
    required: ['value'],
    additionalProperties: false,
    ...(!isDocument && $defs && { $defs }),
  }
}

/** References within the schema still lead where they led once it stands under `value`. */
function moved(schema: unknown): unknown {
  if (!isObject(schema) || schema.$id !== undefined) return schema
  const inner = mapSubschemas(schema, moved)
  const { $ref } = schema
  const isMoved = typeof $ref === 'string' && /^#(?!\/\$defs\/)(?:\/|$)/.test($ref)
  return isMoved ? { ...inner, $ref: `#/properties/value${$ref.slice(1)}` } : inner
}
