/**
 * Any schema a program may give, as the JSON Schema a model is shown. Libraries are asked through the
 * Standard Schema interface; none of them is imported.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { closeObjects } from './close-objects.ts'
import type { JsonSchema } from './json-schema.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'
import { isObject, placesSchemas } from './subschemas.ts'

export interface ToJsonSchemaOptions {
  /**
   * `input`: what a model is to send, objects closed. `output`: what the schema makes of it, as the
   * library says it. Default `input`.
   */
  readonly io?: 'input' | 'output'
}

/**
 * The JSON Schema (draft 2020-12) of a schema.
 *
 * @example
 * toJsonSchema(z.object({ city: z.string() }))
 * // { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
 */
export function toJsonSchema(
  schema: StandardSchema | JsonSchema,
  options: ToJsonSchemaOptions = {},
): JsonSchema {
  const io = options.io ?? 'input'
  const json = isStandardSchema(schema) ? converted(schema, io) : plain(schema)
  const { $schema: _dialect, ...rest } = json
  return io === 'input' ? closeObjects(rest) : rest
}

function converted(schema: StandardSchema, io: 'input' | 'output'): JsonSchema {
  const { jsonSchema, vendor } = schema['~standard']
  if (!jsonSchema) throw invalid(withoutConverter(vendor))
  let json: unknown
  try {
    json = jsonSchema[io]({ target: 'draft-2020-12' })
  } catch (cause) {
    const reason = messageOfThrown(cause).replace(/\.$/, '')
    throw invalid(`The ${vendor} schema has no JSON Schema: ${reason}.${instead(reason)}`, cause)
  }
  if (!isObject(json)) throw invalid(`The ${vendor} schema gave no JSON Schema object.`)
  return json as JsonSchema
}

function withoutConverter(vendor: string): string {
  return vendor === 'valibot'
    ? 'A valibot schema cannot give its JSON Schema by itself: wrap it with toStandardJsonSchema(schema) of @valibot/to-json-schema.'
    : `The ${vendor} schema cannot give its JSON Schema: use a version with ~standard.jsonSchema (zod 4.2 or newer, arktype 2.1.28 or newer), or a plain JSON Schema.`
}

function instead(reason: string): string {
  if (/date/i.test(reason)) return ' A date travels as text: use z.iso.datetime(), or a string.'
  if (/bigint/i.test(reason)) return ' A bigint travels as text: use a string.'
  return ''
}

function plain(schema: unknown): JsonSchema {
  if (!isObject(schema)) throw invalid(`A schema is an object, not ${kindOf(schema)}.`)
  if (typeof schema.then === 'function') throw invalid('The schema is a promise: await it first.')
  const keywords = Object.keys(schema)
  if (keywords.some((key) => isStandardSchema(schema[key]))) {
    throw invalid('The schema is a record of schemas: wrap it, e.g. z.object({ ... }).')
  }
  if (keywords.length > 0 && !keywords.some(isKeyword)) {
    throw invalid(
      `The schema has no keyword of JSON Schema: put ${keywords.slice(0, 3).join(', ')} under properties.`,
    )
  }
  return schema as JsonSchema
}

const isKeyword = (key: string): boolean =>
  key.startsWith('$') ||
  placesSchemas(key) ||
  /^(?:type|enum|const|title|description|default|examples|format|pattern|required|deprecated|m(?:ax|in)[A-Z]\w+|(?:exclusiveM|m)(?:ax|in)imum|multipleOf|uniqueItems|readOnly|writeOnly|x-.*)$/.test(
    key,
  )

function kindOf(x: unknown): string {
  if (typeof x === 'function') return `a function or class${x.name === '' ? '' : ` (${x.name})`}`
  if (Array.isArray(x)) return 'an array'
  return x === null ? 'null' : `a ${typeof x}`
}

function invalid(message: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError('invalid-schema', message, cause === undefined ? {} : { cause })
}
