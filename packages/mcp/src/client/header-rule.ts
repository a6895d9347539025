/**
 * The rule for `x-mcp-header`: on a string, integer or boolean that is reached through `properties` only, a name that a
 * header may have, each once. A tool that breaks it must not be offered over HTTP; the SDK sends the headers.
 */
const HEADER = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean']

/** Why a schema breaks the rule; undefined if it does not. */
export function headerFault(schema: object): string | undefined {
  const seen = new Set<string>()
  const allowed = new Set<object>()
  const fault = lookThroughProperties(schema, seen, allowed)
  if (fault !== undefined) return fault
  return hasOther(schema, allowed)
    ? `${HEADER} stands where a header cannot take its value from`
    : undefined
}

type Node = { readonly [key: string]: unknown }

function lookThroughProperties(
  node: object,
  seen: Set<string>,
  allowed: Set<object>,
): string | undefined {
  const { properties } = node as Node
  if (typeof properties !== 'object' || properties === null) return undefined
  for (const property of Object.values(properties) as readonly unknown[]) {
    if (typeof property !== 'object' || property === null) continue
    const fault = faultOf(property as Node, seen) ?? lookThroughProperties(property, seen, allowed)
    if (fault !== undefined) return fault
    allowed.add(property)
  }
  return undefined
}

function faultOf(property: Node, seen: Set<string>): string | undefined {
  const name = property[HEADER]
  if (name === undefined) return undefined
  if (typeof name !== 'string' || !TOKEN.test(name)) return `${HEADER} is not the name of a header`
  if (!TYPES.includes(property.type))
    return `${HEADER} stands on what is no string, integer or boolean`
  if (seen.has(name.toLowerCase())) return `${HEADER} names ${JSON.stringify(name)} twice`
  seen.add(name.toLowerCase())
  return undefined
}

/** Whether the keyword stands on a schema that was not reached. A property may have that name; its value is a schema. */
function hasOther(node: unknown, allowed: ReadonlySet<object>): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (!allowed.has(node) && typeof (node as Node)[HEADER] === 'string') return true
  return Object.values(node).some((inner) => hasOther(inner, allowed))
}
