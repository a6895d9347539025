/** Values from outside: only own keys count, and one that holds `undefined` is absent, as in JSON. */
export type JsonObject = { readonly [key: string]: unknown }

/** Not null, not an array. */
export function isObject(x: unknown): x is JsonObject {
  return typeof x === 'object' && x !== null && !Array.isArray(x)
}

export function has(x: unknown, key: string): x is JsonObject {
  return isObject(x) && Object.hasOwn(x, key) && x[key] !== undefined
}

/** None for what is no object. */
export function keysOf(x: unknown): string[] {
  return isObject(x) ? Object.keys(x).filter((key) => x[key] !== undefined) : []
}

/** What is found by following own keys. */
export function valueAt(x: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce(
    (place, key) => (Object.hasOwn(Object(place), key) ? (place as never)[key] : undefined),
    x,
  )
}
