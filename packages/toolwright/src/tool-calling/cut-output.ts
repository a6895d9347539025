/** Keeps a result within the model's means: head and tail of long text, with a marker between. */
import type { UserPart } from '../messages/message.ts'
import type { ToolOutput } from '../tools/tool-callback.ts'

export function cutOutput(output: ToolOutput, maxBytes: number): ToolOutput {
  // Three bytes a UTF-16 unit is the most there can be: short text needs no counting.
  if (typeof output === 'string')
    return output.length * 3 <= maxBytes ? output : cutText(output, maxBytes)
  let room = maxBytes
  return output.flatMap((part): UserPart[] => {
    if (part.type !== 'text') return [part]
    if (room === 0) return []
    const text = cutText(part.text, room)
    // What had to be cut has used up the room.
    room = text === part.text ? room - bytesIn(text) : 0
    return [{ ...part, text }]
  })
}

function cutText(text: string, maxBytes: number): string {
  // Three bytes a UTF-16 unit is the most there can be: short text needs no counting.
  if (text.length * 3 <= maxBytes) return text
  const bytes = bytesIn(text)
  if (bytes <= maxBytes) return text
  const marker = `\n\n[... ${bytes - maxBytes} of ${bytes} bytes left out ...]\n\n`
  const room = Math.max(0, maxBytes - marker.length)
  const tail = Math.floor(room / 3)
  return startOf(text, room - tail) + marker + endOf(text, tail)
}

const UTF8 = new TextEncoder()
const PIECE = 64 * 1024

/** Counted piece by piece: a text may be a thousand times as long as what is kept of it. */
function bytesIn(text: string): number {
  const buffer = new Uint8Array(Math.min(text.length, PIECE) * 3)
  let bytes = 0
  for (let start = 0; start < text.length;) {
    const { read, written } = UTF8.encodeInto(text.slice(start, start + PIECE), buffer)
    bytes += written
    start += read
  }
  return bytes
}

/** A character has at least one byte, so more characters than bytes are never needed. */
const startOf = (text: string, maxBytes: number): string =>
  decodeWhole(UTF8.encode(text.slice(0, maxBytes)).subarray(0, maxBytes))

function endOf(text: string, maxBytes: number): string {
  const bytes = UTF8.encode(text.slice(Math.max(0, text.length - maxBytes)))
  return decodeWhole(bytes.subarray(Math.max(0, bytes.length - maxBytes)))
}

/** Decodes a slice, without the characters that its edges have split. */
function decodeWhole(slice: Uint8Array): string {
  const text = new TextDecoder().decode(slice)
  let start = 0
  let end = text.length
  while (text[start] === '\ufffd') start++
  while (end > start && text[end - 1] === '\ufffd') end--
  return text.slice(start, end)
}
