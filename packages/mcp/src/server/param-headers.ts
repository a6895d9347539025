/**
 * Arguments that also stand in headers (`x-mcp-header`), so that what stands between can route by them. Both must say the
 * same: otherwise a call could be routed, or let through, by another value than the one that it runs with.
 */
import { fromBase64 } from '../content/base64.ts'

interface Declared {
  readonly header: string
  readonly path: readonly string[]
  readonly type: unknown
}

type Node = { readonly [key: string]: unknown }

/** What is wrong with the headers of a call; undefined if nothing. */
export function headerMismatch(
  schema: object,
  given: unknown,
  headers: Headers,
): string | undefined {
  for (const { header, path, type } of declaredIn(schema)) {
    const value = path.reduce<unknown>((node, key) => (Object(node) as Node)[key], given)
    if (value === undefined || value === null) continue
    const name = `Mcp-Param-${header}`
    const sent = headers.get(name)
    if (sent === null) return `The header ${name} is missing, but the arguments have its value.`
    const decoded = decode(sent)
    if (decoded === undefined) return `The header ${name} is not valid base64.`
    const isSame = type === 'integer' ? Number(decoded) === value : decoded === String(value)
    if (!isSame) return `The header ${name} has another value than the arguments.`
  }
  return undefined
}

/** Only what is reached through `properties` can be in a header. */
function declaredIn(schema: object, path: readonly string[] = []): readonly Declared[] {
  const { properties } = schema as Node
  const inner = Object.entries(Object(properties) as Node)
  return inner.flatMap(([key, property]) => {
    if (typeof property !== 'object' || property === null) return []
    const here = [...path, key]
    const { 'x-mcp-header': header, type } = property as Node
    const own =
      typeof header === 'string' && HEADER.test(header) ? [{ header, path: here, type }] : []
    return [...own, ...declaredIn(property, here)]
  })
}

const HEADER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** What a header cannot hold is written as `=?base64?…?=`. Undefined for what is no base64. */
function decode(sent: string): string | undefined {
  const [, data] = /^=\?base64\?(.*)\?=$/.exec(sent) ?? []
  if (data === undefined) return sent
  if (!BASE64.test(data)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(data))
  } catch {
    return undefined
  }
}
