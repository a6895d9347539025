/** The address of media as dialects take it that know only addresses: a `data:` URL where the data is given. */
import { ConfigurationError } from '../../errors/errors.ts'
import type { MediaPart } from '../../messages/message.ts'

export function mediaAddress(part: MediaPart): string {
  if (part.data !== undefined) return `data:${part.mediaType};base64,${part.data}`
  if (part.url !== undefined) return part.url
  throw withoutMedia(part)
}

/** The error for a part that says what it is, and has nothing of it. */
export function withoutMedia({ type }: MediaPart): ConfigurationError {
  return new ConfigurationError(
    'invalid-message',
    `A part of type "${type}" has neither data nor url.`,
  )
}
