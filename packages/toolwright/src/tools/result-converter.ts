/**
 * The default conversion of a tool's result to what the model reads. It never throws, because the tool has
 * already run: what cannot be converted is described as well as possible.
 */
import { base64 } from '../internal/base64.ts'
import { bytesOf, jsonCopy, jsonText } from '../internal/json-copy.ts'
import type { MediaPart, UserPart } from '../messages/message.ts'
import type { ToolOutput } from './tool-callback.ts'

export function convertResult(result: unknown): ToolOutput {
  if (result === undefined) return 'Done'
  if (typeof result === 'string' || typeof result === 'bigint') return String(result)
  try {
    const bytes = bytesOf(result)
    if (bytes && bytes.length > MOST_BYTES)
      return `[${bytes.length} bytes left out: too many to show]`
    if (bytes) return [mediaOf(bytes)]
    const parts = Array.isArray(result) ? (result as readonly unknown[]) : [result]
    if (areAll(parts, isBarePart)) return parts
  } catch {
    // Something in the result throws when it is read. The rest is still converted.
  }
  return jsonText(result) ?? 'Done'
}

/** The result as JSON; undefined if it has none. */
export const jsonOf = (result: unknown): unknown => jsonCopy(result).value

/** Accepts a custom converter's output if the model can read it; otherwise converts it. */
export function asOutput(output: unknown): ToolOutput {
  return Array.isArray(output) && areAll(output, isPart) ? output : convertResult(output)
}

/** Ends at the first that is none: a list may have gaps, and more of them than can be counted. */
function areAll(
  items: readonly unknown[],
  isOne: (x: unknown) => x is UserPart,
): items is readonly UserPart[] {
  for (let index = 0; index < items.length; index++) if (!isOne(items[index])) return false
  return items.length > 0
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

/** More than any provider takes of one file. */
const MOST_BYTES = 64 * 1024 * 1024

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
