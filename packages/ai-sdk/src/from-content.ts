/** Parts of an answer of the AI SDK as parts of a message, for whole answers and for streams. */
import type { AssistantPart, Json, MediaPart, ProviderPart, ToolCall } from 'toolwright'
import { asData, asOptions } from './own-data.ts'
import { base64, metadataOf, received, textOr, toJson, type Received } from './received.ts'

/** Begins the `kind` of every provider part that the bridge makes, and makes it known again on its way back. */
export const KIND = 'ai-sdk.'

/** Which parts become what. A type that is not listed becomes a provider part, its data untouched. */
export const CONTENT: { readonly [type: string]: (part: Received) => readonly AssistantPart[] } = {
  text: textParts,
  reasoning: reasoningParts,
  'tool-call': (part) => [part.providerExecuted ? providerPart(part) : toolCall(part)],
  // Previews are replaced by the result that follows.
  'tool-result': (part) => (part.preliminary ? [] : [providerPart(part)]),
  file: (part) => [mediaPart(part)],
  'reasoning-file': (part) => [providerPart(part)],
  source: (part) => [providerPart(part)],
  custom: (part) => [providerPart(part)],
  'tool-approval-request': (part) => [providerPart(part)],
}

export function fromContent(content: readonly unknown[]): readonly AssistantPart[] {
  return content.map(received).flatMap((part) => {
    const type = textOr(part.type, 'unknown')
    return Object.hasOwn(CONTENT, type) ? CONTENT[type]!(part) : [providerPart(part)]
  })
}

export function textParts(part: Received): readonly AssistantPart[] {
  const text = textOr(part.text, '')
  const metadata = metadataOf(part)
  const { citations } = part
  return [
    ...(text === '' && !metadata ? [] : [{ type: 'text' as const, text, ...asOptions(metadata) }]),
    ...(Array.isArray(citations) && citations.length > 0
      ? [{ type: 'provider' as const, kind: `${KIND}citations`, data: toJson(citations) }]
      : []),
  ]
}

export function reasoningParts(part: Received): readonly AssistantPart[] {
  const text = textOr(part.text, '')
  const metadata = metadataOf(part)
  // Marked also without metadata: reasoning goes back only to where it came from.
  return text === '' && !metadata ? [] : [{ type: 'reasoning', text, ...asData(metadata ?? {}) }]
}

function toolCall(part: Received): ToolCall {
  return {
    type: 'tool-call',
    id: textOr(part.toolCallId, ''),
    name: textOr(part.toolName, ''),
    arguments: argumentsOf(part.input),
    ...asData(metadataOf(part)),
  }
}

/** Blank arguments and none at all are a call without arguments; some providers give a value instead of its text. */
function argumentsOf(input: unknown): string {
  const text = typeof input === 'string' ? input : JSON.stringify(toJson(input ?? {}))
  return text.trim() === '' ? '{}' : text
}

function mediaPart(part: Received): MediaPart {
  const mediaType = textOr(part.mediaType, 'application/octet-stream')
  const kind = /^(image|audio)\//.exec(mediaType)?.[1] as 'image' | 'audio' | undefined
  return {
    type: kind ?? 'file',
    mediaType,
    ...fileContent(part.data),
    ...asOptions(metadataOf(part)),
  }
}

/** Base64 text or bytes; from v4 on inside an object that says which, or an address. */
function fileContent(data: unknown): { readonly data: string } | { readonly url: string } {
  if (typeof data === 'string') return { data }
  if (data instanceof Uint8Array) return { data: base64(data) }
  const { type, data: inner, url } = received(data)
  return type === 'url' ? { url: String(url) } : fileContent(inner ?? '')
}

function providerPart(part: Received): ProviderPart {
  return {
    type: 'provider',
    kind: KIND + textOr(part.type, 'unknown'),
    data: toJson(part) as Json,
  }
}
