/** The keywords that apply other schemas to the same value, its members or its items. */
import { meansAbsent } from './coerce-type.ts'
import { has, keysOf, type JsonObject } from './json-object.ts'
import type { Keywords, Visit, Walk } from './keyword.ts'
import { LEAST, limit, MOST } from './keywords-assertion.ts'
import { union } from './union.ts'

const listOf = (x: unknown): readonly unknown[] => (Array.isArray(x) ? x : [])

/** Applies to each item the schema for its index, if there is one. */
function eachItem(visit: Visit, walk: Walk, schemaAt: (index: number) => unknown): void {
  for (const index of listOf(visit.value).keys()) {
    const schema = schemaAt(index)
    if (schema !== undefined) walk.child(visit, index, schema)
  }
}

export const APPLICATORS: Keywords = {
  $ref: (visit, reference, walk) =>
    walk.refer(visit, walk.index.resolve(String(reference), visit.schema)),
  $dynamicRef(visit, reference, walk) {
    const name = String(reference).replace(/^[^#]*#/, '')
    const first = walk.index.resolve(String(reference), visit.schema)
    // Without this dynamic anchor at its first target, it is an ordinary reference.
    const isDynamic = has(first, '$dynamicAnchor') && first.$dynamicAnchor === name
    const outermost = walk.scope.find((outer) => walk.index.dynamicAnchor(outer, name))
    walk.apply(visit, isDynamic ? walk.index.dynamicAnchor(outermost, name) : first)
  },
  properties(visit, schemas, walk) {
    for (const key of keysOf(schemas)) {
      if (!has(visit.value, key)) continue
      if (walk.mode === 'coerce' && meansAbsent(visit, key, walk)) walk.drop(visit, key)
      else walk.child(visit, key, (schemas as JsonObject)[key])
    }
  },
  patternProperties(visit, schemas, walk) {
    for (const source of keysOf(schemas)) {
      for (const key of keysOf(visit.value)) {
        if (walk.pattern(source).test(key)) walk.child(visit, key, (schemas as JsonObject)[source])
      }
    }
  },
  additionalProperties(visit, schema, walk) {
    const { properties, patternProperties } = visit.schema
    const patterns = keysOf(patternProperties).map((source) => walk.pattern(source))
    for (const key of keysOf(visit.value)) {
      const isNamed = has(properties, key) || patterns.some((pattern) => pattern.test(key))
      if (!isNamed) walk.child(visit, key, schema)
    }
  },
  propertyNames(visit, schema, walk) {
    for (const key of keysOf(visit.value)) walk.name(visit, key, schema)
  },
  dependentSchemas(visit, schemas, walk) {
    for (const key of keysOf(schemas)) {
      if (has(visit.value, key)) walk.apply(visit, (schemas as JsonObject)[key])
    }
  },
  prefixItems: (visit, schemas, walk) => eachItem(visit, walk, (index) => listOf(schemas)[index]),
  items(visit, schema, walk) {
    const { length } = listOf(visit.schema.prefixItems)
    // A list here is the older form of prefixItems.
    eachItem(visit, walk, (index) =>
      Array.isArray(schema) ? schema[index] : index < length ? undefined : schema,
    )
  },
  additionalItems(visit, schema, walk) {
    const { items } = visit.schema
    eachItem(visit, walk, (index) =>
      Array.isArray(items) && index >= items.length ? schema : undefined,
    )
  },
  contains(visit, schema, walk) {
    if (!Array.isArray(visit.value)) return
    const fitting = [...visit.value.keys()].filter(
      (index) => walk.test(schema, (visit.value as unknown[])[index]).fits,
    )
    for (const index of fitting) visit.evaluated?.add(index)
    const { minContains = 1, maxContains } = visit.schema
    limit(LEAST, [' fitting item', () => fitting.length])(visit, minContains, walk)
    limit(MOST, [' fitting item', () => fitting.length])(visit, maxContains, walk)
  },
  allOf(visit, schemas, walk) {
    for (const schema of listOf(schemas)) walk.apply(visit, schema)
  },
  if(visit, condition, walk) {
    const tested = walk.test(condition, visit.value)
    if (tested.fits) walk.adopt(visit, tested)
    walk.apply(visit, (tested.fits ? visit.schema.then : visit.schema.else) ?? true)
  },
  not(visit, schema, walk) {
    if (walk.test(schema, visit.value).fits) {
      walk.fail(visit, () => 'a value that the schema does not exclude')
    }
  },
  anyOf: union(false),
  oneOf: union(true),
  // These keywords depend on what all others have evaluated.
  unevaluatedProperties(visit, schema, walk) {
    for (const key of keysOf(visit.value)) {
      if (visit.evaluated?.has(key) === false) walk.child(visit, key, schema)
    }
  },
  unevaluatedItems: (visit, schema, walk) =>
    eachItem(visit, walk, (index) => (visit.evaluated?.has(index) === false ? schema : undefined)),
}
