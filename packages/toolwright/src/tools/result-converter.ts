/**
 * The default way from what a tool returned to what the model reads. Never throws: the effect has
 * already happened, so whatever came back is said as well as it can be.
 */
import { base64 } from '../internal/base64.ts'
import type { MediaPart, UserPart } from '../messages/message.ts'
import type { ToolOutput } from './tool-callback.ts'

export function convertResult(result: unknown): ToolOutput {
  if (result === undefined) return 'Done'
  if (typeof result === 'string' || typeof result === 'bigint') return String(result)
  try {
    const bytes = bytesOf(result)
    if (bytes) return [mediaOf(bytes)]
    const parts = [result].flat()
    if (parts.length > 0 && parts.every(isBarePart)) return parts
  } catch {
    // Something in it throws when it is looked at; what can be read is still said.
  }
  return jsonText(result) ?? 'Done'
}

const jsonText = (result: unknown): string | undefined => JSON.stringify(plain([result], 0, []))

/** The JSON a result becomes; undefined when it becomes none. */
export function jsonOf(result: unknown): unknown {
  const text = jsonText(result)
  return text === undefined ? undefined : JSON.parse(text)
}

/** What somebody else's converter gave, if the model can read it; else as well as it can be said. */
export function asOutput(output: unknown): ToolOutput {
  const isOutput = Array.isArray(output) && output.length > 0 && output.every(isPart)
  return isOutput ? (output as readonly UserPart[]) : convertResult(output)
}

/** A record with a type and a text may be somebody's data: only the bare pair is taken for a part. */
const isBarePart = (x: unknown): x is UserPart =>
  isPart(x) && (x.type !== 'text' || Object.keys(x).length === 2)

function isPart(x: unknown): x is UserPart {
  const { type, text, mediaType, data, url } = (x ?? {}) as { readonly [key: string]: unknown }
  if (type === 'text') return typeof text === 'string'
  const isMedia = type === 'image' || type === 'audio' || type === 'file'
  return isMedia && typeof mediaType === 'string' && typeof (data ?? url) === 'string'
}

/** How the files of a type begin, in base64. */
const BEGINNINGS = {
  'image/png': /^iVBORw/,
  'image/jpeg': /^\/9j\//,
  'image/gif': /^R0lGOD/,
  'image/webp': /^UklGR.{7}RUJQ/,
  'application/pdf': /^JVBERi/,
}

function mediaOf(bytes: Uint8Array): MediaPart {
  const data = base64(bytes)
  const known = Object.entries(BEGINNINGS).find(([, beginning]) => beginning.test(data))
  const mediaType = known?.[0] ?? 'application/octet-stream'
  return { type: mediaType.startsWith('image') ? 'image' : 'file', mediaType, data }
}

function bytesOf(x: unknown): Uint8Array | undefined {
  if (x instanceof Uint8Array) return x
  if (x instanceof ArrayBuffer) return new Uint8Array(x)
  return x instanceof DataView ? new Uint8Array(x.buffer, x.byteOffset, x.byteLength) : undefined
}

const DEEPEST = 200

/** A JSON-ready copy of what `holder` has under `key`: cycles and depth cut, what throws left out. */
function plain(holder: object, key: string | number, above: readonly unknown[]): unknown {
  try {
    const value = (holder as { readonly [key: string]: unknown })[key]
    if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
      return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (above.includes(value)) return '[circular]'
    return above.length < DEEPEST ? plainObject(value, [...above, value]) : '[too deep]'
  } catch {
    return '[unreadable]'
  }
}

function plainObject(value: object, path: readonly unknown[]): unknown {
  const bytes = bytesOf(value)
  if (bytes) return base64(bytes)
  const items = itemsOf(value)
  if ('toJSON' in items && typeof items.toJSON === 'function')
    return plain([items.toJSON()], 0, path)
  return Array.isArray(items)
    ? items.map((_item, index) => plain(items, index, path))
    : Object.fromEntries(Object.keys(items).map((key) => [key, plain(items, key, path)]))
}

/** The same as an array or an object. An error's own `toJSON` may tell too much. */
function itemsOf(value: object): object {
  if (value instanceof Error) return { name: value.name, message: value.message }
  const isNamed = value instanceof Map && [...value.keys()].every((key) => typeof key === 'string')
  if (isNamed) return Object.fromEntries(value) as object
  const isList = value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)
  return isList ? [...(value as Iterable<unknown>)] : value
}
