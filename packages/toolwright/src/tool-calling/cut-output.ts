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
    room = text === part.text ? room - UTF8.encode(text).length : 0
    return [{ ...part, text }]
  })
}

function cutText(text: string, maxBytes: number): string {
  // Three bytes a UTF-16 unit is the most there can be: short text needs no counting.
  if (text.length * 3 <= maxBytes) return text
  const bytes = UTF8.encode(text)
  if (bytes.length <= maxBytes) return text
  const marker = `\n\n[... ${bytes.length - maxBytes} of ${bytes.length} bytes left out ...]\n\n`
  const room = Math.max(0, maxBytes - marker.length)
  const tail = Math.floor(room / 3)
  return (
    decodeWhole(bytes.subarray(0, room - tail)) +
    marker +
    decodeWhole(bytes.subarray(bytes.length - tail))
  )
}

const UTF8 = new TextEncoder()

/** Decodes a slice, without the characters that its edges have split. */
function decodeWhole(slice: Uint8Array): string {
  const text = new TextDecoder().decode(slice)
  let start = 0
  let end = text.length
  while (text[start] === '\ufffd') start++
  while (end > start && text[end - 1] === '\ufffd') end--
  return text.slice(start, end)
}
