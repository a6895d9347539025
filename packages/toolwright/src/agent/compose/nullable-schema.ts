/** Makes a schema accept null. */
import type { JsonSchema } from '../../schema/json-schema.ts'

/** Keywords that would still reject null, or change their meaning, if only the type were widened. */
const BINDING = ['$ref', '$dynamicRef', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'if'] as const

/** The schema, or null. An object schema without `additionalProperties` is closed. */
export function nullableSchema(schema: JsonSchema): JsonSchema {
  const { type, enum: members } = schema
  const isBound = BINDING.some((keyword) => schema[keyword] !== undefined)
  if (isBound || (type === undefined && members === undefined))
    return { anyOf: [schema, { type: 'null' }] }
  const types = [type ?? []].flat()
  return {
    ...schema,
    ...(type !== undefined && { type: [...new Set([...types, 'null' as const])] }),
    ...(members && { enum: members.includes(null) ? members : [...members, null] }),
    ...(types.includes('object') && { additionalProperties: schema.additionalProperties ?? false }),
  }
}
