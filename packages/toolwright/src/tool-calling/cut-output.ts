/** Keeps a result within the model's means: head and tail of long text, with a marker between. */
import type { ToolOutput } from '../tools/tool-callback.ts'

export function cutOutput(output: ToolOutput, maxBytes: number): ToolOutput {
  if (typeof output === 'string') return cutText(output, maxBytes)
  let room = maxBytes
  return output.flatMap((part) => {
    if (part.type !== 'text' || part.text === '') return [part]
    if (room === 0) return []
    const text = cutText(part.text, room)
    // What had to be cut has used up the room.
    room = text === part.text ? room - byteLength(text) : 0
    return [text === part.text ? part : { ...part, text }]
  })
}

const byteLength = (text: string): number =>
  text.length === 0 ? 0 : new TextEncoder().encode(text).length

function cutText(text: string, maxBytes: number): string {
  // Three bytes a UTF-16 unit is the most there can be: short text needs no counting.
  if (text.length * 3 <= maxBytes) return text
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return text
  const marker = `\n\n[... ${bytes.length - maxBytes} of ${bytes.length} bytes left out ...]\n\n`
  const room = Math.max(0, maxBytes - marker.length)
  const tailStart = bytes.length - Math.floor(room / 3)
  const head = decodeWhole(bytes.subarray(0, room - Math.floor(room / 3)))
  return head + marker + decodeWhole(bytes.subarray(tailStart))
}

/** Decodes a slice, without the character that its edges may have split. */
function decodeWhole(slice: Uint8Array): string {
  let from = 0
  while (from < slice.length && from < 3 && (slice[from]! & 0xc0) === 0x80) from++
  return new TextDecoder().decode(slice.subarray(from), { stream: true })
}
