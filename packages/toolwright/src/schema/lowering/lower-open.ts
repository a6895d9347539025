/** For a provider that takes JSON Schema as it is: only the top must be an object without alternatives. */
import { wrappedSchema } from '../input-schema.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import type { JsonSchema } from '../json-schema.ts'
import { holdsByName, mapSubschemas } from '../subschemas.ts'
import type { Change } from './lowering-context.ts'
import type { Raising } from './raise.ts'
import type { SchemaPath } from './schema-parts.ts'
import type { OpenRules } from './schema-rules.ts'

export interface LoweredOpen extends Raising {
  readonly changes: readonly Change[]
}

export function lowerOpen(schema: JsonObject, rules: OpenRules): LoweredOpen {
  const changes: Change[] = []
  const listed = rules.needsItems ? withItems(schema, [], changes) : schema
  const top = inlinedTop(listed, changes)
  const isRefused = ['$ref', '$dynamicRef', ...rules.notAtTop].some(
    (keyword) => top[keyword] !== undefined,
  )
  if (top.type === 'object' && !isRefused) return { schema: top, plan: undefined, changes }
  changes.push({ path: [], keyword: 'type', how: 'rewritten' })
  return {
    schema: wrappedSchema(listed as JsonSchema) as JsonObject,
    plan: { kind: 'wrapped', name: 'value', plan: undefined },
    changes,
  }
}

/** A top that only refers to a definition becomes that definition. */
function inlinedTop(schema: JsonObject, changes: Change[]): JsonObject {
  const { $ref, $defs, ...beside } = schema
  const name = /^#\/\$defs\/([^/~%]+)$/.exec(String($ref))?.[1]
  const target =
    name !== undefined && isObject($defs) && Object.hasOwn($defs, name) ? $defs[name] : undefined
  const isAlone = Object.keys(beside).every((key) => /^(?:\$schema|description|title)$/.test(key))
  if (!isObject(target) || !isAlone || target.$ref !== undefined) return schema
  changes.push({ path: [], keyword: '$ref', how: 'rewritten' })
  return { ...target, ...beside, $defs }
}

/** Says of every list that its items may be anything, where it says nothing of them. */
function withItems(schema: JsonObject, path: SchemaPath, changes: Change[]): JsonObject {
  const counts = new Map<string, number>()
  const inner = mapSubschemas(schema, (each, keyword, name) => {
    const index = counts.get(keyword) ?? 0
    counts.set(keyword, index + 1)
    if (!isObject(each)) return each
    const key = Array.isArray(schema[keyword]) ? [index] : holdsByName(keyword) ? [name] : []
    return withItems(each, [...path, keyword, ...key], changes)
  })
  const isList = [schema.type].flat().includes('array')
  if (!isList || schema.items !== undefined) return inner
  changes.push({ path, keyword: 'items', how: 'rewritten' })
  const { unevaluatedItems, ...others } = inner
  // Once items are named, none is left unevaluated.
  if (unevaluatedItems !== undefined)
    changes.push({ path, keyword: 'unevaluatedItems', how: 'dropped' })
  return { ...others, items: {} }
}
