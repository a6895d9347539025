/** The content of a message of AG-UI, in the form that `fromUntrustedMessages` checks. */
import { PageError } from '../../errors/errors.ts'
import { isObject, type JsonObject } from '../../schema/json-object.ts'
import { mediaKind } from '../page/media-of-url.ts'

export function contentOf(content: unknown): string | readonly JsonObject[] {
  if (typeof content === 'string') return content
  if (!Array.isArray(content))
    throw new PageError('page-body', 'The content of a message is neither text nor parts.')
  return content.map(partOf)
}

function partOf(part: unknown): JsonObject {
  const { type, text, source } = isObject(part) ? part : ({} as JsonObject)
  if (type === 'text') return { type, text }
  const { type: from, value, mimeType } = isObject(source) ? source : ({} as JsonObject)
  const media = { type: mediaKind(mimeType ?? `${String(type)}/*`), mediaType: mimeType }
  if (from === 'data') return { ...media, data: value }
  if (from === 'url') return { ...media, mediaType: mimeType ?? `${String(type)}/*`, url: value }
  throw new PageError('page-body', 'A part of a message is neither text nor a file or its address.')
}
