/**
 * The form that strict structured-output modes demand: every object closed, every property required, and
 * formerly optional properties nullable.
 */
import { isObject, type JsonObject } from '../../schema/json-object.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { mapSubschemas } from '../../schema/subschemas.ts'
import { nullableSchema } from './nullable-schema.ts'

export const strictSchema = (schema: JsonSchema): JsonSchema => strictNode(schema) as JsonSchema

function strictNode(node: unknown): unknown {
  if (!isObject(node)) return node
  const inner = mapSubschemas(node, strictNode)
  const { properties } = inner
  if (!isObject(properties)) return inner
  const required: readonly unknown[] = Array.isArray(node.required) ? node.required : []
  const all = Object.entries(properties).map(([name, property]) => [
    name,
    required.includes(name) || !isObject(property)
      ? property
      : nullableSchema(property as JsonSchema),
  ])
  return {
    ...inner,
    properties: Object.fromEntries(all) as JsonObject,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}
