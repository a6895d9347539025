/** What tools and models gave, as far as a page shows it. */
import type { Json, MediaPart, UserPart } from 'toolwright'
import type { ShownContent, ShownPart } from '../protocol/shown-content.ts'

/** More of a result is not shown, in bytes. */
const MOST_TEXT = 256 * 1024
/** Larger files are only named. */
const MOST_MEDIA = 4 * 1024 * 1024

export function shownContent(content: string | readonly UserPart[]): ShownContent {
  const given = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  let room = MOST_TEXT
  let whole = 0
  const parts: ShownPart[] = []
  for (const part of given) {
    if (part.type !== 'text') {
      parts.push(shownMedia(part))
      continue
    }
    const { text, bytes } = beginningOf(part.text, room)
    whole += bytes
    if (text !== '' || bytes === 0) parts.push({ type: 'text', text })
    room = Math.max(0, room - bytes)
  }
  return { parts, ...(whole > MOST_TEXT && { cutFrom: whole }) }
}

export function shownMedia({ mediaType, data, url, name }: MediaPart): ShownPart {
  const isSmall = data !== undefined && (data.length * 3) / 4 <= MOST_MEDIA
  return {
    type: 'media',
    mediaType,
    ...(isSmall && { data }),
    ...(url !== undefined && { url }),
    ...(name !== undefined && { name }),
  }
}

/** Whatever a tool gave as its progress. */
export const shownValue = (value: unknown): ShownContent =>
  shownContent(typeof value === 'string' ? value : JSON.stringify(shownJson(value)))

/** As JSON; what is too large is the beginning of its text, what has no JSON a word. */
export function shownJson(value: unknown): Json {
  const text = textOfValue(value)
  if (text === undefined) return null
  if (Buffer.byteLength(text) <= MOST_TEXT) return JSON.parse(text) as Json
  return `${beginningOf(text, MOST_TEXT).text}…`
}

function textOfValue(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_key, inner: unknown) => {
      if (typeof inner === 'bigint') return String(inner)
      return isState(inner) ? undefined : inner
    }) as string | undefined
  } catch {
    return JSON.stringify(Object.prototype.toString.call(value))
  }
}

/** A tool may pass on the suspended run of another; whoever has its state could go on with it. */
function isState(value: unknown): boolean {
  const { signature, messages, pending } = Object(value) as { readonly [key: string]: unknown }
  return typeof signature === 'string' && Array.isArray(messages) && Array.isArray(pending)
}

/** So many bytes of a text, without a half character at the end, and how many it has. */
function beginningOf(
  text: string,
  most: number,
): { readonly text: string; readonly bytes: number } {
  const bytes = Buffer.byteLength(text)
  if (bytes <= most) return { text, bytes }
  const beginning = Buffer.from(text.slice(0, most)).subarray(0, most)
  return { text: new TextDecoder().decode(beginning, { stream: true }), bytes }
}
