/** Contents of messages as people read them, and how much of them is shown at once. */
import type { AssistantPart, MediaPart, ToolCall, UserPart } from 'toolwright'
import { printable } from '../terminal/printable.ts'

export const ARGUMENTS_SHOWN = { characters: 800, lines: 8 }
export const RESULT_SHOWN = { characters: 800, lines: 10 }

export const inWords = (content: string | readonly UserPart[]): string =>
  typeof content === 'string' ? content : content.map(partInWords).join('\n')

export function partInWords(part: Exclude<AssistantPart, ToolCall>): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  return part.type === 'provider' ? `[${printable(part.kind)}]` : mediaInWords(part)
}

function mediaInWords({ type, mediaType, data, url, name }: MediaPart): string {
  const size = data === undefined ? url : `${Math.ceil((data.length * 3) / 4096)} kB`
  return printable(`[${[type, name, mediaType, size].filter(Boolean).join(', ')}]`)
}
