/**
 * Lossless repairs of what models get wrong about types, and nothing else: "42" is 42, "true" is true,
 * stringified JSON is what it says, and one value is a list of one. No key is added, no text becomes
 * null, and no number or truth value becomes text.
 */
import { parseJson } from '../internal/parse-json.ts'
import { isOfType, typesNamedBy } from './json-type.ts'
import type { Visit, Walk } from './keyword.ts'

type Types = readonly unknown[]

/** What the value becomes before the other keywords see it. */
export function coercedType({ schema, value }: Visit, walk: Walk): unknown {
  const types = typesNamedBy(schema)
  if (!types || isOfType(value, types)) return value
  const read = typeof value === 'string' ? readText(value, types) : value
  // One value is wrapped once: the inner schema may want a list again.
  const isWrappable = types.includes('array') && walk.wrapped !== value && mayBeItem(value)
  if (read !== value || !isWrappable) return read
  const { wrapped } = walk
  walk.wrapped = value
  const list = walk.visit(schema, [value]).value
  walk.wrapped = wrapped
  return walk.test(schema, list).fits ? list : value
}

/** Nothing is not an item, and text that starts a list was meant as a list. */
function mayBeItem(value: unknown): boolean {
  return typeof value === 'string' ? !/^\s*\[/.test(value) : value !== undefined && value !== null
}

/** The value that a text writes, if nothing is lost by reading it. Nothing becomes null or text. */
function readText(text: string, types: Types): unknown {
  const isStructure = /^\s*[[{]/.test(text)
  if (!isStructure && !/^(?:true$|false$|-?\d)/.test(text)) return text
  const parsed = parseJson(text, { maxBytes: Infinity, maxDepth: 200 })
  if (!parsed.ok || !isOfType(parsed.value, types)) return text
  const { value } = parsed
  const isSafe = !Number.isInteger(value) || Number.isSafeInteger(value)
  // Writing a number must give the same text again.
  return isStructure || (isSafe && String(value) === text) ? value : text
}
