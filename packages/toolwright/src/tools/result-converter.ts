/**
 * The default way from what a tool returned to what the model reads. Never throws: the effect has
 * already happened, so whatever came back is said as well as it can be.
 */
import type { MediaPart, UserPart } from '../messages/message.ts'
import type { ToolOutput } from './tool-callback.ts'

export function convertResult(result: unknown): ToolOutput {
  if (result === undefined) return 'Done'
  if (typeof result === 'string') return result
  try {
    if (result instanceof Uint8Array || result instanceof ArrayBuffer) return [mediaOfBytes(result)]
    return partsOf(result) ?? toText(result)
  } catch {
    // Something in it throws when it is looked at; what can be read is still said.
    return toText(result)
  }
}

/** What somebody else's converter gave, if the model can read it; else as well as it can be said. */
export function asOutput(output: unknown): ToolOutput {
  const isOutput = Array.isArray(output) && output.length > 0 && output.every(isPart)
  return isOutput ? (output as readonly UserPart[]) : convertResult(output)
}

/** Whether a value is a list of parts (or one part) that the model can see as it is. */
function partsOf(result: unknown): ToolOutput | undefined {
  if (isResultPart(result)) return [result]
  if (Array.isArray(result) && result.length > 0 && result.every(isResultPart)) return result
  return undefined
}

const MEDIA_TYPES = new Set(['image', 'audio', 'file'])

/** A record with a type and a text may be somebody's data: only the bare pair is taken for a part. */
const isResultPart = (x: unknown): x is UserPart =>
  isPart(x) && (x.type !== 'text' || Object.keys(x).length === 2)

function isPart(x: unknown): x is UserPart {
  if (typeof x !== 'object' || x === null || !('type' in x)) return false
  if (x.type === 'text') return 'text' in x && typeof x.text === 'string'
  if (typeof x.type !== 'string' || !MEDIA_TYPES.has(x.type)) return false
  if (!('mediaType' in x) || typeof x.mediaType !== 'string') return false
  return ('data' in x && typeof x.data === 'string') || ('url' in x && typeof x.url === 'string')
}

const SIGNATURES: readonly (readonly [mediaType: string, start: readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46]],
  ['application/pdf', [0x25, 0x50, 0x44, 0x46]],
]

function mediaOfBytes(result: Uint8Array | ArrayBuffer): MediaPart {
  const bytes = result instanceof Uint8Array ? result : new Uint8Array(result)
  const known = SIGNATURES.find(([, start]) => start.every((byte, index) => bytes[index] === byte))
  const mediaType = known?.[0] ?? 'application/octet-stream'
  return { type: mediaType.startsWith('image/') ? 'image' : 'file', mediaType, data: base64(bytes) }
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  // In slices: the argument list of one call is limited.
  for (let at = 0; at < bytes.length; at += 32_768) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  }
  return btoa(binary)
}

function toText(result: unknown): string {
  try {
    if (typeof result === 'bigint' || typeof result === 'symbol') return String(result)
    return JSON.stringify(plain(result, [])) ?? String(result)
  } catch {
    return 'The tool returned a value that cannot be shown.'
  }
}

const DEEPEST = 200

/** A JSON-ready copy: dates, maps, sets, bigints and errors in their plain form, cycles and depth cut. */
function plain(value: unknown, above: readonly unknown[]): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'symbol') return String(value)
  if (typeof value === 'function') return `[function ${value.name}]`
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) return '[circular]'
  if (above.length >= DEEPEST) return '[too deep]'
  const path = [...above, value]
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Error) return { name: value.name, message: value.message }
  if (value instanceof Map) return plainMap(value, path)
  if (value instanceof Set) return [...value].map((item) => plain(item, path))
  if (value instanceof Uint8Array) return base64(value)
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value))
  if (ArrayBuffer.isView(value)) return plainView(value, path)
  if (Array.isArray(value)) return value.map((item) => plain(item, path) ?? null)
  return plainObject(value, path)
}

function plainMap(map: Map<unknown, unknown>, path: readonly unknown[]): unknown {
  const entries = [...map].map(([key, item]) => [plain(key, path), plain(item, path)] as const)
  const isNamed = [...map.keys()].every((key) => typeof key === 'string')
  return isNamed
    ? (Object.fromEntries(entries as (readonly [string, unknown])[]) as unknown)
    : entries
}

function plainView(view: ArrayBufferView, path: readonly unknown[]): unknown {
  if (view instanceof DataView)
    return base64(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
  return Array.from(view as unknown as Iterable<unknown>, (item) => plain(item, path))
}

function plainObject(value: object, path: readonly unknown[]): unknown {
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    try {
      return plain(value.toJSON(), path)
    } catch {
      return '[unreadable]'
    }
  }
  return Object.fromEntries(Object.keys(value).map((key) => [key, read(value, key, path)]))
}

function read(value: object, key: string, path: readonly unknown[]): unknown {
  try {
    return plain((value as Record<string, unknown>)[key], path)
  } catch {
    return '[unreadable]'
  }
}
