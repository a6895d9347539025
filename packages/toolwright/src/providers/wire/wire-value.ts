/** Reading what a provider sent. Nothing of it is trusted: a field may be missing, null or of another kind. */
import type { Json, JsonObject } from '../../messages/json.ts'

export function isJsonObject(x: unknown): x is JsonObject {
  return typeof x === 'object' && x !== null && !Array.isArray(x)
}

/** The fields of an object; of anything else none. */
export const fieldsIn = (x: unknown): JsonObject => (isJsonObject(x) ? x : {})

/** A string that says something: servers send blanks where nothing is meant. */
export function isText(x: unknown): x is string {
  return typeof x === 'string' && x.trim() !== ''
}

/** The text of a field, or the empty string. */
export function textField(object: JsonObject, field: string): string {
  const value: Json | undefined = object[field]
  return typeof value === 'string' ? value : ''
}

/** What an answer says besides the fields that have a place of their own: fingerprints, tiers, citations. */
export function otherFields(
  answer: object,
  named: ReadonlySet<string>,
): { readonly [key: string]: Json } {
  const others: OwnFields = {}
  for (const key of Object.keys(answer)) {
    if (named.has(key) || key === '__proto__') continue
    const value = (answer as JsonObject)[key]
    if (value !== null && value !== undefined) others[key] = value
  }
  return others
}

/** Fields that are ours since they were parsed, and may change. */
export type OwnFields = { [field: string]: Json }

/** In place: copying all fields for each piece that adds to them would be quadratic. */
export function addFields(fields: OwnFields, more: JsonObject): void {
  for (const key of Object.keys(more)) if (key !== '__proto__') fields[key] = more[key]!
}

/** The raw text of arguments as sent; some servers send the object itself instead of its text. */
export function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given
  return given === undefined || given === null ? '' : JSON.stringify(given)
}

/** A function without parameters is called without arguments, with blanks, or with `{}`: all mean the same. */
export function completeArguments(text: string): string {
  return text.trim() === '' ? '{}' : text
}
