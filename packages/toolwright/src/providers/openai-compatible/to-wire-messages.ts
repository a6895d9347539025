/**
 * Messages as Chat Completions takes them. The dialect has no media in tool results: there the model reads
 * a note, and the media follow in a user message of their own.
 */
import { ConfigurationError } from '../../errors/errors.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type {
  Annotations,
  AssistantMessage,
  AssistantPart,
  MediaPart,
  Message,
  ToolCall,
  ToolMessage,
  ToolResponse,
  UserPart,
} from '../../messages/message.ts'
import { textOfContent } from '../../messages/reading.ts'
import { mediaAddress } from '../wire/media-address.ts'
import { mediaNote } from '../wire/media-note.ts'
import { argumentsOnWire, wellFormedJson } from '../wire/well-formed-json.ts'
import { isJsonObject } from '../wire/wire-value.ts'
import type { SentAssistant, SentCall, SentPart, SentResult, SentSpoken } from './wire-types.ts'

/** The JSON of one message of ours; a tool message becomes several of theirs, separated by commas. */
export function messageToWire(message: Message, provider: string): string {
  if (message.role === 'tool') return toolMessages(message, provider).map(wellFormedJson).join(',')
  const wire =
    message.role === 'assistant' ? assistantMessage(message, provider) : spoken(message, provider)
  return wellFormedJson({ ...wire, ...providerOptionsOf(message, provider) })
}

function spoken(
  message: Exclude<Message, AssistantMessage | ToolMessage>,
  provider: string,
): SentSpoken {
  const { role, content } = message
  return {
    role,
    content:
      typeof content === 'string' ? content : content.map((part) => userPart(part, provider)),
  }
}

function providerOptionsOf(annotated: Annotations, provider: string): JsonObject | undefined {
  return annotated.providerOptions?.[provider]
}

function userPart(part: UserPart, provider: string): SentPart {
  const wire: SentPart = part.type === 'text' ? { type: 'text', text: part.text } : mediaPart(part)
  return { ...wire, ...providerOptionsOf(part, provider) }
}

function mediaPart(part: MediaPart): SentPart {
  if (part.type === 'image') return { type: 'image_url', image_url: { url: mediaAddress(part) } }
  if (part.data === undefined) {
    throw new ConfigurationError(
      'invalid-message',
      `An ${part.type} part needs data: this dialect takes no url for it.`,
    )
  }
  if (part.type === 'audio') {
    return {
      type: 'input_audio',
      input_audio: { data: part.data, format: audioFormat(part.mediaType) },
    }
  }
  return { type: 'file', file: { filename: part.name ?? 'file', file_data: mediaAddress(part) } }
}

function audioFormat(mediaType: string): string {
  const format = mediaType.replace(/^audio\/(?:x-)?/, '')
  return format === 'mpeg' ? 'mp3' : format === 'wave' ? 'wav' : format
}

function assistantMessage({ content }: AssistantMessage, provider: string): SentAssistant {
  const parts: readonly AssistantPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const calls = parts.filter((part) => part.type === 'tool-call')
  const text = textOfContent(parts)
  const refusal = parts.find((part) => part.type === 'provider' && part.kind === 'refusal')
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : (markedTexts(parts, provider) ?? text),
    ...(calls.length > 0 && reasoningFields(parts)),
    ...(refusal?.type === 'provider' && { refusal: refusalText(refusal.data) }),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => wireCall(call, provider)) }),
  }
}

/** In the words of another dialect a refusal is an object. */
function refusalText(data: Json): Json {
  return isJsonObject(data) && typeof data['refusal'] === 'string' ? data['refusal'] : data
}

/**
 * Servers that think between tool calls want the thought back with them; elsewhere it is refused or
 * wasted. Reasoning that came from another dialect has no `field` and stays here.
 */
type Thoughts = { [field in 'reasoning_content' | 'reasoning']?: string }

function reasoningFields(parts: readonly AssistantPart[]): Thoughts {
  const fields: Thoughts = {}
  for (const part of parts) {
    if (part.type !== 'reasoning') continue
    const field = (part.providerData as { field?: unknown } | null | undefined)?.field
    if (field === 'reasoning_content' || field === 'reasoning')
      fields[field] = (fields[field] ?? '') + part.text
  }
  return fields
}

function wireCall(call: ToolCall, provider: string): SentCall {
  const extra = (call.providerData as { extra_content?: Json } | null | undefined)?.extra_content
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentsOnWire(call) },
    ...(extra !== undefined && { extra_content: extra }),
    ...providerOptionsOf(call, provider),
  }
}

/** The texts one by one where one of them has options, such as a mark for the cache. */
function markedTexts(
  parts: readonly AssistantPart[],
  provider: string,
): readonly SentPart[] | undefined {
  const texts = parts.filter((part) => part.type === 'text')
  if (texts.every((part) => providerOptionsOf(part, provider) === undefined)) return undefined
  return texts.map((part) => userPart(part, provider))
}

function toolMessages(
  message: ToolMessage,
  provider: string,
): readonly (SentResult | SentSpoken)[] {
  const { responses } = message
  const messages: (SentResult | SentSpoken)[] = responses.map((response, index) => ({
    role: 'tool',
    tool_call_id: response.id,
    content: responseText(response),
    // Options of the whole message belong to its last response: that is where a mark for the cache goes.
    ...(index === responses.length - 1 && providerOptionsOf(message, provider)),
    ...providerOptionsOf(response, provider),
  }))
  const media = message.responses.flatMap((response) => mediaOf(response, provider))
  if (media.length > 0) messages.push({ role: 'user', content: media })
  return messages
}

function responseText({ content }: ToolResponse): string {
  if (typeof content === 'string') return content
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text
    if (!isShown(part)) return mediaNote(part)
    return `[${part.type}${part.name ? ` ${part.name}` : ''}: in the next user message]`
  })
  return texts.join('\n')
}

/** Whether servers take it from a user; of what a tool returned the rest is only named. */
function isShown({ type, mediaType, data, url }: MediaPart): boolean {
  if (type === 'file') return data !== undefined && mediaType === 'application/pdf'
  if (data === undefined) return type === 'image' && url !== undefined
  return type === 'audio' || /^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)
}

function mediaOf({ name, id, content }: ToolResponse, provider: string): readonly SentPart[] {
  if (typeof content === 'string') return []
  const media = content.filter((part) => part.type !== 'text').filter(isShown)
  if (media.length === 0) return []
  const title: SentPart = { type: 'text', text: `Result of tool ${name} (${id}):` }
  return [title, ...media.map((part) => userPart(part, provider))]
}
