/** The schema of an output that may be absent. */
import type { JsonSchema } from '../../schema/json-schema.ts'

/** Keywords that would refuse null, or mean something else, if only the type were widened. */
const BINDING = ['$ref', '$dynamicRef', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'if'] as const

/** The same or null. An object that does not say otherwise is closed. */
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
