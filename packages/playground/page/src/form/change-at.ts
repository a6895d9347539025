/** Copies of objects and lists with one thing changed. */
import type { Json, JsonObject } from 'toolwright'

/** Undefined takes the key away. The order of the keys stays. */
export function withKey(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...object, [key]: value }
  const { [key]: _, ...rest } = object
  return rest
}

/** Those of these keys that are there, in this order, and then the others. */
export function withKeysFirst(object: JsonObject, keys: readonly string[]): JsonObject {
  const first = keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]!])
  return { ...(Object.fromEntries(first) as JsonObject), ...object }
}

export const withKeyRenamed = (object: JsonObject, from: string, to: string): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]))

export const withItem = <T>(list: readonly T[], index: number, item: T): readonly T[] =>
  list.map((each, at) => (at === index ? item : each))

export const withoutItem = <T>(list: readonly T[], index: number): readonly T[] =>
  list.filter((_, at) => at !== index)

/** Out of the list nothing moves. */
export function withItemMoved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  if (to < 0 || to >= list.length) return list
  const rest = withoutItem(list, from)
  return [...rest.slice(0, to), list[from]!, ...rest.slice(to)]
}

/** A key that is not there yet. */
export function freeKey(object: JsonObject, base = 'key'): string {
  let number = 1
  while (Object.hasOwn(object, `${base}${number}`)) number += 1
  return `${base}${number}`
}
