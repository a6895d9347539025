/** Words for media that a dialect has no place for. What a tool returned must not end the conversation. */
import type { MediaPart } from '../../messages/message.ts'

export function mediaNote({ type, name, mediaType, url }: MediaPart): string {
  const called = name === undefined ? '' : ` "${name}"`
  const place = url === undefined || url.startsWith('data:') ? '' : ` at ${url}`
  return `[${type}${called} (${mediaType})${place} left out: it cannot be shown here]`
}
