/**
 * Lossless repairs of what models get wrong about types, and nothing else: "42" is 42, "true" is true,
 * stringified JSON is what it says, and one value is a list of one. No key is added, no text becomes
 * null, and no number or truth value becomes text.
 */
import { parseJson } from '../internal/parse-json.ts'
import type { Coerce, SchemaNode } from './check-run.ts'
import { isOfType, typesNamedBy } from './json-type.ts'
import type { SchemaObject } from './subschemas.ts'

type Types = readonly unknown[]

export function coercionOfType(schema: SchemaObject, node: SchemaNode): Coerce | undefined {
  const types = typesNamedBy(schema)
  if (!types) return undefined
  const listWanted = types.includes('array')
  return (value, run) => {
    if (isOfType(value, types)) return value
    const read = typeof value === 'string' ? readText(value, types) : value
    if (read !== value) return read
    // The inner schema may want a list again: one value is wrapped once.
    if (!listWanted || run.wrapped === value || !mayBeItem(value)) return value
    const { wrapped } = run
    run.wrapped = value
    const list = node.coerce([value], run)
    run.wrapped = wrapped
    return run.silently(node, list) ? list : value
  }
}

function readText(text: string, types: Types): unknown {
  const number = exactNumber(text)
  if (number !== undefined && isOfType(number, types)) return number
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (!/^\s*[[{]/.test(text) || !(types.includes('object') || types.includes('array'))) return text
  const parsed = parseJson(text, { maxBytes: Infinity, maxDepth: 200 })
  return parsed.ok && isOfType(parsed.value, types) ? parsed.value : text
}

/** The number a text writes, if writing that number gives the same text again. */
function exactNumber(text: string): number | undefined {
  const number = Number(text)
  const exact =
    Number.isFinite(number) &&
    String(number) === text &&
    (Number.isSafeInteger(number) || !Number.isInteger(number))
  return exact ? number : undefined
}

/** Nothing is not an item, and text that starts a list was meant as a list. */
function mayBeItem(value: unknown): boolean {
  return (
    value !== null && value !== undefined && !(typeof value === 'string' && /^\s*\[/.test(value))
  )
}
