/** Two schemas that both hold, as one. The first has the say in words; where limits differ, the narrower one holds. */
import type { JsonSchema, JsonSchemaType } from 'toolwright'

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const

export function mergeSchemas(first: JsonSchema, second: JsonSchema): JsonSchema {
  const types = sharedTypes(first, second)
  if (types?.length === 0) return { ...first, type: undefined, not: {} }
  return {
    ...second,
    ...defined(first),
    ...Object.fromEntries(LOWER.flatMap((key) => limit(key, Math.max, [first[key], second[key]]))),
    ...Object.fromEntries(UPPER.flatMap((key) => limit(key, Math.min, [first[key], second[key]]))),
    ...(types ? { type: types.length === 1 ? types[0] : types } : {}),
    ...mergedProperties(first, second),
  }
}

export const typesOf = ({ type }: JsonSchema): readonly JsonSchemaType[] | undefined =>
  type === undefined ? undefined : Array.isArray(type) ? type : [type as JsonSchemaType]

function sharedTypes(first: JsonSchema, second: JsonSchema): readonly JsonSchemaType[] | undefined {
  const mine = typesOf(first)
  const theirs = typesOf(second)
  if (!mine || !theirs) return mine ?? theirs
  // An integer is a number too.
  const narrowed = mine.map((type) =>
    type === 'number' && theirs.includes('integer') && !theirs.includes('number')
      ? 'integer'
      : type,
  )
  return narrowed.filter(
    (type) => theirs.includes(type) || (type === 'integer' && theirs.includes('number')),
  )
}

function mergedProperties(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = {}
  if (first.properties && second.properties) {
    const both = { ...first.properties }
    for (const [name, node] of Object.entries(second.properties)) {
      both[name] = both[name] === undefined ? node : { allOf: [both[name], node] }
    }
    merged['properties'] = both
  }
  if (first.required && second.required) {
    merged['required'] = [...new Set([...first.required, ...second.required])]
  }
  return merged as JsonSchema
}

const limit = (
  key: string,
  narrower: (...numbers: number[]) => number,
  limits: readonly (number | undefined)[],
): readonly (readonly [string, number])[] => {
  const given = limits.filter((each) => each !== undefined)
  return given.length === 0 ? [] : [[key, narrower(...given)]]
}

const defined = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
