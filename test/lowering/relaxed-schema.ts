/**
 * The declared schema without what a report says is no longer held: each keyword that was kept in the description or
 * dropped is taken away at its place. Raised values must fit what is left, and that is what "reported" means.
 */
import { pathText, type PathKey } from '../../packages/toolwright/src/schema/describe-value.ts'
import { isObject } from '../../packages/toolwright/src/schema/json-object.ts'
import { holdsByName, holdsSchemas } from '../../packages/toolwright/src/schema/subschemas.ts'
import type { SchemaChange } from '../../packages/toolwright/src/schema/lowering/schema-change.ts'
import type { Schema } from './schema-arbitrary.ts'

/** Keywords that mean something else once another one is gone. */
const ALONG: { readonly [keyword: string]: readonly string[] } = {
  patternProperties: ['additionalProperties'],
  properties: ['additionalProperties'],
  items: ['additionalItems', 'minItems', 'maxItems'],
  prefixItems: ['items', 'minItems', 'maxItems'],
  $ref: ['type', 'properties', 'required', 'items', 'additionalProperties'],
}
const TRACKED = ['unevaluatedProperties', 'unevaluatedItems']

export function relaxedSchema(schema: Schema, changes: readonly SchemaChange[]): Schema {
  const gone = new Map<string, string[]>()
  for (const { path, keyword, how } of changes)
    if (how !== 'rewritten') gone.set(path, [...(gone.get(path) ?? []), keyword])
  return relaxed(schema, [], gone) as Schema
}

function relaxed(
  node: unknown,
  path: readonly PathKey[],
  gone: ReadonlyMap<string, string[]>,
): unknown {
  if (!isObject(node)) return node
  const keywords = gone.get(pathText(path)) ?? []
  const dropped = new Set([
    ...keywords.filter((keyword) => keyword !== 'oneOf' || node.oneOf === undefined),
    ...keywords.flatMap((keyword) => ALONG[keyword] ?? []),
    ...(keywords.length > 0 ? TRACKED : []),
  ])
  const inner = Object.entries(node)
    .filter(([keyword]) => !dropped.has(keyword))
    .map(([keyword, operand]): [string, unknown] => [
      keyword,
      within(keyword, operand, (each, ...keys) => relaxed(each, [...path, keyword, ...keys], gone)),
    ])
  const kept = Object.fromEntries(inner)
  const isTouched = [...gone.keys()].some((place) => place.startsWith(`${pathText(path)}.oneOf`))
  if ((!keywords.includes('oneOf') && !isTouched) || kept['oneOf'] === undefined) return kept
  // Exactly one of them, said in words, still means one of them; wider alternatives may overlap.
  const { oneOf, ...others } = kept
  return { ...others, allOf: [...((others['allOf'] as unknown[]) ?? []), { anyOf: oneOf }] }
}

/** The operand of a keyword with every schema in it changed. */
function within(
  keyword: string,
  operand: unknown,
  change: (schema: unknown, ...keys: PathKey[]) => unknown,
): unknown {
  if (!holdsSchemas(keyword)) return operand
  if (Array.isArray(operand)) return operand.map((each, at) => change(each, at))
  if (!isObject(operand)) return operand
  if (!holdsByName(keyword)) return change(operand)
  return Object.fromEntries(
    Object.entries(operand).map(([name, each]) => [name, change(each, name)]),
  )
}
