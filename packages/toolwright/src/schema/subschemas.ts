/** Where schemas stand inside a schema, in one table; for whoever walks one. */
type Shape = 'one' | 'list' | 'map'

const PLACES: { readonly [keyword: string]: Shape } = {
  $defs: 'map',
  definitions: 'map',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  items: 'one',
  contains: 'one',
  additionalProperties: 'one',
  propertyNames: 'one',
  unevaluatedItems: 'one',
  unevaluatedProperties: 'one',
  not: 'one',
  if: 'one',
  then: 'one',
  else: 'one',
  contentSchema: 'one',
}

export type SchemaObject = { readonly [keyword: string]: unknown }

/** A JSON object: not null, not an array. */
export function isObject(x: unknown): x is SchemaObject {
  return typeof x === 'object' && x !== null && !Array.isArray(x)
}

export function placesSchemas(keyword: string): boolean {
  return Object.hasOwn(PLACES, keyword)
}

/** The keyword's value with each schema in it replaced by what `change` returns. */
export function mapSubschemas(
  keyword: string,
  value: unknown,
  change: (schema: unknown) => unknown,
): unknown {
  if (!placesSchemas(keyword)) return value
  // A list under a keyword that takes one schema is the older spelling of prefixItems.
  if (Array.isArray(value)) return PLACES[keyword] === 'map' ? value : value.map(change)
  if (PLACES[keyword] === 'list') return value
  if (PLACES[keyword] === 'one' || !isObject(value)) return change(value)
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, change(schema)]))
}

/** Calls `visit` for each schema directly inside this one. */
export function eachSubschema(schema: SchemaObject, visit: (schema: unknown) => void): void {
  for (const [keyword, value] of Object.entries(schema)) mapSubschemas(keyword, value, visit)
}
