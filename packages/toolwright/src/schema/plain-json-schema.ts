/**
 * Converts any supported schema to JSON Schema. Libraries are asked through the Standard Schema interface;
 * none of them is imported.
 */
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { closeObjects } from './close-objects.ts'
import { describeValue, shorten } from './describe-value.ts'
import { invalidSchema } from './invalid-schema.ts'
import { isObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'
import { holdsSchemas } from './subschemas.ts'

/**
 * `input`: what a model should send. `output`: what the schema makes of it. The result is as the library
 * gives it, with open objects.
 */
export function plainJsonSchema(
  schema: StandardSchema | JsonSchema,
  io: 'input' | 'output',
): JsonSchema {
  const json = isStandardSchema(schema) ? converted(schema, io) : schema
  const { $schema: _dialect, ...rest } = checkedJsonSchema(json)
  return rest
}

/** The JSON Schema of what a model should send, with closed objects. */
export const inputJsonSchema = (schema: StandardSchema | JsonSchema): JsonSchema =>
  closeObjects(plainJsonSchema(schema, 'input'))

function converted(schema: StandardSchema, io: 'input' | 'output'): unknown {
  const { jsonSchema, vendor } = schema['~standard']
  if (!jsonSchema) {
    throw invalidSchema(`The ${vendor} schema gives no JSON Schema: ${remedy(vendor, schema)}`)
  }
  try {
    return jsonSchema[io]({ target: 'draft-2020-12' })
  } catch (cause) {
    const reason = messageOfThrown(cause)
    throw invalidSchema(
      `The ${vendor} schema has no JSON Schema: ${reason} For a date use z.iso.datetime(), for other types use a string.`,
      cause,
    )
  }
}

/** What to write instead, for the libraries whose schemas are often given as they are. */
function remedy(vendor: string, schema: object): string {
  if (vendor === 'valibot')
    return "wrap it: toStandardJsonSchema(schema), import { toStandardJsonSchema } from '@valibot/to-json-schema'."
  if (vendor === 'zod')
    return '_zod' in schema
      ? "import { z } from 'zod', 4.2 or newer, not from 'zod/mini'."
      : "it is of zod 3; install zod 4.2 or newer, and import { z } from 'zod', not from 'zod/v3'."
  return 'use a version of the library that does (zod 4.2, arktype 2.1.28 or newer), or a plain JSON Schema.'
}

function checkedJsonSchema(schema: unknown): JsonSchema {
  if (!isObject(schema)) throw invalidSchema(`A schema is an object, not ${describeValue(schema)}.`)
  if (typeof schema.then === 'function') throw invalidSchema('The schema is a promise: await it.')
  const keys = Object.keys(schema)
  if (keys.length > 0 && keys.every((key) => isProperty(key, schema[key]))) {
    throw invalidSchema(
      `The schema is a record of schemas: wrap it with z.object(), or put ${shorten(keys.join(', '))} under properties.`,
    )
  }
  return schema
}

/** Whether this is a property with its schema, and not a keyword. */
function isProperty(key: string, value: unknown): boolean {
  const isKeyword = holdsSchemas(key) || key === 'const' || key.startsWith('$')
  return !isKeyword && (isObject(value) || isStandardSchema(value))
}
