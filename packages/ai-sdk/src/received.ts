/**
 * Reading what a language model of the AI SDK gave. Its types promise much, but many people write
 * providers: a field may be missing or of another kind, and values need not be JSON.
 */
import type { Json } from 'toolwright'

export type Received = { readonly [field: string]: unknown }

/** The fields of an object; of anything else none. */
export function received(x: unknown): Received {
  return typeof x === 'object' && x !== null ? (x as Received) : {}
}

export const textOr = (x: unknown, otherwise: string): string =>
  typeof x === 'string' ? x : otherwise

/** Metadata of a provider, or nothing if it says nothing. */
export function metadataOf({
  providerMetadata,
}: Received): { [provider: string]: Json } | undefined {
  if (typeof providerMetadata !== 'object' || providerMetadata === null) return undefined
  return toJson(providerMetadata) as { [provider: string]: Json }
}

/** A value as plain JSON: bytes as base64, what JSON cannot hold left out. */
export function toJson(value: unknown): Json {
  try {
    return (JSON.parse(JSON.stringify(value, plain) ?? 'null') as Json) ?? null
  } catch {
    // Nested too deeply, or a circle: its text would be too.
    return null
  }
}

/** Looks at the value itself: a Buffer of Node has turned itself into an object of numbers before. */
function plain(this: Received, key: string, value: unknown): unknown {
  const given = this[key]
  if (given instanceof Uint8Array) return base64(given)
  return typeof value === 'bigint' ? String(value) : value
}

/** In pieces, because a function takes only so many arguments. */
const PIECE = 8192

export function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += PIECE)
    binary += String.fromCharCode(...bytes.subarray(start, start + PIECE))
  return btoa(binary)
}
