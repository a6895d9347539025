/**
 * Reads untrusted values: only own keys count, and a key with the value `undefined` is missing, as in JSON.
 */
export type JsonObject = { readonly [key: string]: unknown }

/** Whether a value is an object: neither null nor an array. */
export function isObject(x: unknown): x is JsonObject {
  return typeof x === 'object' && x !== null && !Array.isArray(x)
}

export function has(x: unknown, key: string): x is JsonObject {
  return isObject(x) && Object.hasOwn(x, key) && x[key] !== undefined
}

/** The keys of an object; none for other values. */
export function keysOf(x: unknown): string[] {
  return isObject(x) ? Object.keys(x).filter((key) => x[key] !== undefined) : []
}

/** The value at a path of own keys. */
export function valueAt(x: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce(
    (place, key) => (Object.hasOwn(Object(place), key) ? (place as never)[key] : undefined),
    x,
  )
}
