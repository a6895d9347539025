/**
 * A tool's input: the JSON Schema that the model gets, and the check of what the model sent. It is made
 * once per schema object; the first call compiles the checker.
 */
import { checkKeywords } from './check-keywords.ts'
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
  /** Always a closed object schema. */
  readonly jsonSchema: JsonSchema
  /** Whether the input is not an object and is therefore sent as `{ value }`. */
  readonly wrapped: boolean
  /**
   * Coerces, checks and unwraps a value. A Standard Schema then checks it too, and its output is the
   * result. `text` is the JSON text of the value.
   */
  check(value: unknown, text?: string): CheckResult | Promise<CheckResult>
  /** Coerces and checks against the JSON Schema only, without unwrapping. For tools that take JSON text. */
  coerce(value: unknown): CheckResult
}

const NO_INPUT: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }
const compiledInputs = new WeakMap<object, CompiledInput>()

/**
 * Compiles an input. Throws a `ConfigurationError` if it is not a schema. Without a schema there are no
 * arguments.
 */
export function compileInput(input: StandardSchema | JsonSchema | 'none' = 'none'): CompiledInput {
  const schema = input === 'none' ? NO_INPUT : input
  return remembered(compiledInputs, schema, () => compile(schema))
}

/** The keywords of an input that mean nothing here, by the JSON Schema that the model gets. */
export const unknownKeywords = new WeakMap<JsonSchema, readonly string[]>()

function compile(input: StandardSchema | JsonSchema): CompiledInput {
  const standard = isStandardSchema(input) ? input : undefined
  const { jsonSchema, wrapped } = asObjectSchema(inputJsonSchema(input))
  const unknown = standard ? [] : checkKeywords(input)
  if (unknown.length > 0) unknownKeywords.set(jsonSchema, unknown)
  // A Standard Schema checks its formats itself, by its own rules.
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

/** Providers require an object schema at the top, without a union. */
function asObjectSchema(schema: JsonSchema): Pick<CompiledInput, 'jsonSchema' | 'wrapped'> {
  const top = inlinedTop(schema)
  const isUnion = top.anyOf ?? top.oneOf ?? top.allOf ?? top.$ref
  const type = top.type ?? (top.properties && isUnion === undefined ? 'object' : undefined)
  return type === 'object'
    ? { jsonSchema: { type: 'object', ...top }, wrapped: false }
    : { jsonSchema: wrappedSchema(schema), wrapped: true }
}

/** Replaces a top-level reference to one of the schema's own definitions by that definition. */
function inlinedTop(schema: JsonSchema): JsonSchema {
  const { $ref = '', ...rest } = schema
  const name = /^#\/\$defs\/(.+)/.exec($ref)?.[1] ?? ''
  const target = has(schema.$defs, name) ? schema.$defs[name] : undefined
  return isObject(target) && target.$ref === undefined ? { ...target, ...rest } : schema
}

export function wrappedSchema(schema: JsonSchema): JsonSchema {
  // A schema with an `$id` is a document of its own: its references stay within it.
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

/** Rewrites the references of a schema that moves under `value`. */
function moved(schema: unknown): unknown {
  if (!isObject(schema) || schema.$id !== undefined) return schema
  const inner = mapSubschemas(schema, moved)
  const { $ref } = schema
  const isMoved = typeof $ref === 'string' && /^#(?!\/\$defs\/)(?:\/|$)/.test($ref)
  return isMoved ? { ...inner, $ref: `#/properties/value${$ref.slice(1)}` } : inner
}
