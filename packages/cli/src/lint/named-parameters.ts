/** Every named parameter of a schema, at any depth. Each schema is visited once, so that recursion ends. */
import type { JsonSchema } from 'toolwright'

export interface NamedParameter {
  readonly name: string
  /** `order.lines[].price` */
  readonly path: string
  /** The schemas that describe the parameter: its own, and those it refers to. */
  readonly schemas: readonly JsonSchema[]
}

/** In the order of the schema. */
export function namedParameters(schema: JsonSchema): readonly NamedParameter[] {
  const parameters: NamedParameter[] = []
  const seen = new Set<JsonSchema>()
  const visit = (at: unknown, path: string): void => {
    if (!isSchema(at) || seen.has(at)) return
    seen.add(at)
    for (const [name, value] of Object.entries(at.properties ?? {})) {
      if (!isSchema(value)) continue
      const inner = path === '' ? name : `${path}.${name}`
      parameters.push({ name, path: inner, schemas: chainOf(value, schema) })
      visit(value, inner)
    }
    for (const [next, step] of nextOf(at, schema)) visit(next, path + step)
  }
  visit(schema, '')
  return parameters
}

/** The schemas of the same value, then those of its elements. */
function nextOf(at: JsonSchema, root: JsonSchema): readonly (readonly [unknown, string])[] {
  const sameValue = [
    ...(at.anyOf ?? []),
    ...(at.oneOf ?? []),
    ...(at.allOf ?? []),
    referred(at, root),
  ]
  const elements = [at.items, ...(at.prefixItems ?? [])]
  const values = [at.additionalProperties, ...Object.values(at.patternProperties ?? {})]
  return [
    ...sameValue.map((schema) => [schema, ''] as const),
    ...elements.map((schema) => [schema, '[]'] as const),
    ...values.map((schema) => [schema, '.*'] as const),
  ]
}

function chainOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const chain = [schema]
  for (
    let next = referred(schema, root);
    next && !chain.includes(next);
    next = referred(next, root)
  )
    chain.push(next)
  return chain
}

/** Follows only `#/$defs/Name`, the form that generators write. */
function referred({ $ref }: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  if (typeof $ref !== 'string') return undefined
  if ($ref === '#') return root
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec($ref)?.[1]
  const definitions = { ...(root.definitions as JsonSchema['$defs']), ...root.$defs }
  const found = name === undefined ? undefined : definitions[decodePointer(name)]
  return isSchema(found) ? found : undefined
}

const decodePointer = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')

const isSchema = (x: unknown): x is JsonSchema =>
  typeof x === 'object' && x !== null && !Array.isArray(x)
