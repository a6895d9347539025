/**
 * Repairs type mistakes of models, without loss: "42" becomes 42, "true" becomes true, stringified JSON is
 * parsed, a single value becomes a list of one, and a null for what is optional is no value. It never adds a
 * key, turns text into null, or turns a number or boolean into text.
 */
import { parseJson } from '../internal/parse-json.ts'
import type { JsonObject } from './json-object.ts'
import { isOfType, typesNamedBy } from './json-type.ts'
import type { Visit, Walk } from './keyword.ts'

type Types = readonly unknown[]

/** The value that the other keywords check. */
export function coercedType({ schema, value }: Visit, walk: Walk): unknown {
  const types = typesNamedBy(schema)
  if (!types || isOfType(value, types)) return value
  const parsed = typeof value === 'string' ? readText(value, types) : value
  // A value is wrapped only once, because the inner schema may expect a list again.
  const isWrappable = types.includes('array') && walk.wrapped !== value && mayBeItem(value)
  if (parsed !== value || !isWrappable) return parsed
  const { wrapped } = walk
  walk.wrapped = value
  const list = walk.visit(schema, [value]).value
  walk.wrapped = wrapped
  return walk.test(schema, list).fits ? list : value
}

/** Whether a null stands for a missing property: one that may be missing and may not be null. */
export function meansAbsent({ schema, value }: Visit, key: string, walk: Walk): boolean {
  const { properties, required } = schema as { readonly [keyword: string]: JsonObject | undefined }
  const isRequired = Array.isArray(required) && required.includes(key)
  return (
    (value as JsonObject)[key] === null && !isRequired && !walk.test(properties![key], null).fits
  )
}

/** Null and undefined are not items, and text that starts like a list was meant as a list. */
function mayBeItem(value: unknown): boolean {
  return typeof value === 'string' ? !/^\s*\[/.test(value) : value !== undefined && value !== null
}

/** Parses a text as a value of one of the types, if that loses nothing. It never returns null or text. */
function readText(text: string, types: Types): unknown {
  const isStructure = /^\s*[[{]/.test(text)
  if (!isStructure && !/^(?:true$|false$|-?\d)/.test(text)) return text
  const parsed = parseJson(text, { maxBytes: Infinity, maxDepth: 200 })
  if (!parsed.ok || !isOfType(parsed.value, types)) return text
  const { value } = parsed
  const isSafe = !Number.isInteger(value) || Number.isSafeInteger(value)
  // A number must convert back to the same text.
  return isStructure || (isSafe && String(value) === text) ? value : text
}
