/** Reads a JSON Schema that was written as JSON text. */
import { parseJson } from '../internal/parse-json.ts'
import { describeValue } from './describe-value.ts'
import { invalidSchema } from './invalid-schema.ts'
import { isObject } from './json-object.ts'
import type { JsonSchema } from './json-schema.ts'

export function jsonSchemaOf(text: string): JsonSchema {
  const parsed = parseJson(text, { maxBytes: Infinity, maxDepth: 256 })
  if (parsed.ok && text.trim() !== '' && isObject(parsed.value)) return parsed.value
  throw invalidSchema(
    `The inputSchema ${describeValue(text)} is not the JSON text of an object, such as {"type":"object"}.`,
  )
}
