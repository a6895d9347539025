/**
 * The default conversion of a tool's result to what the model reads. It never throws, because the tool has
 * already run: what cannot be converted is described as well as possible.
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
    // Something in the result throws when it is read. The rest is still converted.
  }
  return jsonText(result) ?? 'Done'
}

const jsonText = (result: unknown): string | undefined => JSON.stringify(jsonCopy([result], 0, []))

/** The result as JSON; undefined if it has none. */
export function jsonOf(result: unknown): unknown {
  const text = jsonText(result)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Accepts a custom converter's output if the model can read it; otherwise converts it. */
export function asOutput(output: unknown): ToolOutput {
  const isOutput = Array.isArray(output) && output.length > 0 && output.every(isPart)
  return isOutput ? (output as readonly UserPart[]) : convertResult(output)
}

/** Only an object with exactly `type` and `text` counts as a part: a larger one may be the tool's data. */
const isBarePart = (x: unknown): x is UserPart =>
  isPart(x) && (x.type !== 'text' || Object.keys(x).length === 2)

function isPart(x: unknown): x is UserPart {
  const { type, text, mediaType, data, url } = (x ?? {}) as { readonly [key: string]: unknown }
  if (type === 'text') return typeof text === 'string'
  const isMedia = type === 'image' || type === 'audio' || type === 'file'
  return isMedia && typeof mediaType === 'string' && typeof (data ?? url) === 'string'
}

/** The first characters of each file type, in base64. */
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

/** Copies what `holder` has under `key` as JSON. Cycles, great depth and getters that throw are marked. */
function jsonCopy(holder: object, key: string | number, ancestors: readonly unknown[]): unknown {
  try {
    const value = (holder as { readonly [key: string]: unknown })[key]
    if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
      return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (ancestors.includes(value)) return '[circular]'
    return ancestors.length < DEEPEST
      ? jsonCopyOfObject(value, [...ancestors, value])
      : '[too deep]'
  } catch {
    return '[unreadable]'
  }
}

function jsonCopyOfObject(value: object, path: readonly unknown[]): unknown {
  const bytes = bytesOf(value)
  if (bytes) return base64(bytes)
  const items = itemsOf(value)
  if ('toJSON' in items && typeof items.toJSON === 'function')
    return jsonCopy([items.toJSON()], 0, path)
  return Array.isArray(items)
    ? items.map((_item, index) => jsonCopy(items, index, path))
    : Object.fromEntries(Object.keys(items).map((key) => [key, jsonCopy(items, key, path)]))
}

/** The value as an array or object. The `toJSON` of an error is not used, because it may reveal too much. */
function itemsOf(value: object): object {
  if (value instanceof Error) return { name: value.name, message: value.message }
  const isNamed = value instanceof Map && [...value.keys()].every((key) => typeof key === 'string')
  if (isNamed) return Object.fromEntries(value) as object
  const isList = value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)
  return isList ? [...(value as Iterable<unknown>)] : value
}
