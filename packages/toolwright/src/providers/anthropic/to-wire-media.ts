/**
 * Images and files as the Messages API takes them: image blocks, and documents for everything else.
 * It has no sound, and none of these in an assistant's message: there a line of text stands for them.
 */
import { ConfigurationError } from '../../errors/errors.ts'
import type { JsonObject } from '../../messages/json.ts'
import type { MediaPart } from '../../messages/message.ts'
import { isJsonObject } from './wire-types.ts'

/** `options` may bring its own `source`, e.g. an uploaded file's id. */
export function toMediaBlock(part: MediaPart, options: JsonObject): JsonObject {
  if (part.type === 'audio') {
    throw new ConfigurationError(
      'invalid-message',
      `Anthropic models take no audio, and a message holds ${part.mediaType}.`,
    )
  }
  const isImage = part.type === 'image' || part.mediaType.startsWith('image/')
  const title: JsonObject = isImage || part.name === undefined ? {} : { title: part.name }
  const source = isJsonObject(options['source']) ? options['source'] : toSource(part)
  return { type: isImage ? 'image' : 'document', source, ...title, ...options }
}

const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp)|text\/.+|application\/(?:pdf|json))$/

/** The same for what a tool returned: undefined when the API would refuse it. */
export function toShownBlock(part: MediaPart, options: JsonObject): JsonObject | undefined {
  const isInline = part.data !== undefined && !isJsonObject(options['source'])
  if (isInline && !SHOWN.test(part.mediaType)) return undefined
  try {
    return toMediaBlock(part, options)
  } catch {
    return undefined
  }
}

function toSource(part: MediaPart): JsonObject {
  const inline = part.data === undefined ? dataOfUrl(part.url) : part
  if (inline !== undefined) return toInlineSource(inline.mediaType, inline.data!)
  if (part.url !== undefined) return { type: 'url', url: part.url }
  throw new ConfigurationError(
    'invalid-message',
    `A part of type "${part.type}" has neither data nor url.`,
  )
}

function dataOfUrl(url: string | undefined): { mediaType: string; data: string } | undefined {
  const match = url === undefined ? null : /^data:([^;,]+)(?:;[^;,]+)*;base64,/i.exec(url)
  return match === null ? undefined : { mediaType: match[1]!, data: url!.slice(match[0].length) }
}

function toInlineSource(mediaType: string, data: string): JsonObject {
  if (!mediaType.startsWith('text/') && mediaType !== 'application/json') {
    return { type: 'base64', media_type: mediaType, data }
  }
  return { type: 'text', media_type: 'text/plain', data: decodedText(data) }
}

function decodedText(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch (cause) {
    throw new ConfigurationError('invalid-message', 'The data of a text file is not base64.', {
      cause,
    })
  }
}
