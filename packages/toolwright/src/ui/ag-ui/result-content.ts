/** A result as AG-UI has it: a text, or parts of a content. */
import type { Json } from '../../messages/json.ts'
import type { MediaPart } from '../../messages/message.ts'
import { shownResult } from '../shown/shown-result.ts'
import type { PageStreamOptions, ToolResultEvent } from '../stream/page-stream-options.ts'

export function resultContent(
  event: ToolResultEvent,
  options: PageStreamOptions,
): string | readonly Json[] {
  const { content, label } = event.response
  if (options.output) return asText(shownResult(event, options))
  if (label?.private) return ''
  if (typeof content === 'string') return content
  const parts = content.filter((part) => !part.label?.private)
  return parts.map((part): Json =>
    part.type === 'text' ? { type: 'text', text: part.text } : mediaContent(part),
  )
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

function mediaContent({ type, mediaType, data, url }: MediaPart): Json {
  const source =
    data === undefined
      ? { type: 'url', value: url ?? '', mimeType: mediaType }
      : { type: 'data', value: data, mimeType: mediaType }
  const kind = mediaType.startsWith('video/') ? 'video' : 'document'
  return { type: type === 'file' ? kind : type, source }
}
