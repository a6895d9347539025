/** What a page reads of a result: what the model reads of it. */
import { publicJson } from '../../internal/public-json.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ToolResponse, UserPart } from '../../messages/message.ts'
import type { PageStreamOptions, ToolResultEvent } from '../stream/page-stream-options.ts'

export function shownResult(event: ToolResultEvent, { output }: PageStreamOptions): Json {
  if (output) return shownJson(output(event))
  const { content, label } = event.response
  if (label?.private) return null
  return typeof content === 'string' ? parsedText(content) : publicParts(content)
}

/** As JSON without suspended states; what has no form is null, because a missing field is an error to a page. */
export const shownJson = (value: unknown): Json => publicJson(value) ?? null

/** Objects and lists are text only on the way to the model. A cut one stays text. */
function parsedText(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Without settings for providers and labels, and without what is private. */
function publicParts(parts: Exclude<ToolResponse['content'], string>): Json {
  return parts.filter(({ label }) => !label?.private).map(publicPart)
}

function publicPart(part: UserPart): Json {
  if (part.type === 'text') return { type: part.type, text: part.text }
  const { type, mediaType, data, url, name } = part
  const source: JsonObject = data === undefined ? { url: url ?? '' } : { data }
  return { type, mediaType, ...source, ...(name !== undefined && { name }) }
}
