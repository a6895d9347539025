/**
 * From a prompt to the body of a Chat Completions request, put together from cached fragments. The
 * dialect has no media in tool results: there the model reads a placeholder, and the media follow in
 * a user message of their own.
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
import type { ChatOptions, ModelCapabilities, ToolChoice } from '../../model/chat-model.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import { fragmentCache } from '../wire/fragment-cache.ts'
import { mediaNote } from '../wire/media-note.ts'
import { toolWireCache } from '../wire/tool-wire-cache.ts'
import { argumentsOnWire, wellFormedJson } from '../wire/well-formed-json.ts'
import { strictSchema } from './strict-schema.ts'

export interface WireQuestion {
  readonly messages: readonly Message[]
  /** Already merged with the model's defaults. */
  readonly options: ChatOptions
  readonly tools: readonly ToolCallback[]
  readonly stream: boolean
}

export interface ToWireOptions {
  /** Key of `providerOptions`. */
  readonly provider: string
  readonly model: string
  readonly capabilities: ModelCapabilities
}

/** Makes the serialiser of one model; its caches live as long as the messages and tools they remember. */
export function toWire({
  provider,
  model,
  capabilities,
}: ToWireOptions): (question: WireQuestion) => string {
  const toMessages = fragmentCache<Message>((message) => messageFragment(message, provider))
  const toTools = toolWireCache((definition) => wireTool(definition, provider))
  return ({ messages, options, tools, stream }) => {
    const own: JsonObject = options.providerOptions?.[provider] ?? {}
    const settings = {
      ...parameters(options, capabilities),
      ...toolParameters(options, tools),
      ...own,
    }
    const head = wellFormedJson({
      model: options.model ?? model,
      ...streaming(stream),
      ...settings,
    })
    let body = head.slice(0, -1)
    if (!('messages' in own)) body += `,"messages":[${messages.map(toMessages).join(',')}]`
    if (tools.length > 0 && !('tools' in own)) body += `,"tools":${toTools(tools)}`
    return `${body}}`
  }
}

function streaming(stream: boolean): JsonObject {
  return stream ? { stream: true, stream_options: { include_usage: true } } : {}
}

function parameters(
  options: ChatOptions,
  capabilities: ModelCapabilities,
): { [name: string]: unknown } {
  const { outputSchema } = options
  return {
    max_tokens: options.maxTokens,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    stop: options.stopSequences,
    seed: options.seed,
    ...(outputSchema !== undefined &&
      capabilities.structuredOutput && {
        response_format: { type: 'json_schema', json_schema: answerSchema(outputSchema) },
      }),
  }
}

/** Without `strict` a server keeps to the schema as well as it can. */
function answerSchema(schema: JsonSchema): object {
  const strict = strictSchema(schema)
  return strict ? { name: 'answer', strict: true, schema: strict } : { name: 'answer', schema }
}

/** Without tools, servers refuse what is said about them. */
function toolParameters(
  options: ChatOptions,
  tools: readonly ToolCallback[],
): { [name: string]: unknown } {
  if (tools.length === 0) return {}
  const { toolChoice } = options
  return {
    tool_choice: toolChoice === undefined ? undefined : wireToolChoice(toolChoice, tools),
    parallel_tool_calls: options.parallelToolCalls,
  }
}

function wireToolChoice(choice: ToolChoice, tools: readonly ToolCallback[]): Json {
  if (typeof choice === 'string') return choice
  if (!tools.some((tool) => tool.definition.name === choice.tool)) {
    throw new ConfigurationError(
      'unknown-tool-name',
      `toolChoice names "${choice.tool}", which is not offered.`,
    )
  }
  return { type: 'function', function: { name: choice.tool } }
}

function wireTool(definition: ToolDefinition, provider: string): unknown {
  const { name, description, inputSchema, providerOptions } = definition
  return {
    type: 'function',
    function: { name, description, parameters: inputSchema, ...providerOptions?.[provider] },
  }
}

/** One message of ours; a tool message becomes several of theirs. */
function messageFragment(message: Message, provider: string): string {
  if (message.role === 'tool') return toolMessages(message, provider).map(wellFormedJson).join(',')
  const wire = message.role === 'assistant' ? assistantMessage(message) : spoken(message, provider)
  return wellFormedJson({ ...wire, ...own(message, provider) })
}

function spoken(
  message: Exclude<Message, AssistantMessage | ToolMessage>,
  provider: string,
): object {
  const { role, content } = message
  return {
    role,
    content:
      typeof content === 'string' ? content : content.map((part) => userPart(part, provider)),
  }
}

function own(annotated: Annotations, provider: string): JsonObject | undefined {
  return annotated.providerOptions?.[provider]
}

function userPart(part: UserPart, provider: string): object {
  const wire = part.type === 'text' ? { type: 'text', text: part.text } : mediaPart(part)
  return { ...wire, ...own(part, provider) }
}

function mediaPart(part: MediaPart): object {
  if (part.type === 'image') return { type: 'image_url', image_url: { url: addressOf(part) } }
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
  return { type: 'file', file: { filename: part.name ?? 'file', file_data: addressOf(part) } }
}

function addressOf({ type, data, url, mediaType }: MediaPart): string {
  if (data !== undefined) return `data:${mediaType};base64,${data}`
  if (url !== undefined) return url
  throw new ConfigurationError('invalid-message', `An ${type} part has neither data nor url.`)
}

function audioFormat(mediaType: string): string {
  const format = mediaType.replace(/^audio\/(?:x-)?/, '')
  return format === 'mpeg' ? 'mp3' : format === 'wave' ? 'wav' : format
}

function assistantMessage({ content }: AssistantMessage): object {
  const parts: readonly AssistantPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const calls = parts.filter((part) => part.type === 'tool-call')
  const text = textOfContent(parts)
  const refusal = parts.find((part) => part.type === 'provider' && part.kind === 'refusal')
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && reasoningFields(parts)),
    ...(refusal?.type === 'provider' && { refusal: refusal.data }),
    ...(calls.length > 0 && { tool_calls: calls.map(wireCall) }),
  }
}

/**
 * Servers that think between tool calls want the thought back with them; elsewhere it is refused or
 * wasted. Reasoning that came from another dialect has no `field` and stays here.
 */
function reasoningFields(parts: readonly AssistantPart[]): { readonly [field: string]: string } {
  const fields: Record<string, string> = {}
  for (const part of parts) {
    if (part.type !== 'reasoning') continue
    const field = (part.providerData as { field?: unknown } | null | undefined)?.field
    if (field === 'reasoning_content' || field === 'reasoning')
      fields[field] = (fields[field] ?? '') + part.text
  }
  return fields
}

function wireCall(call: ToolCall): object {
  const extra = (call.providerData as { extra_content?: Json } | null | undefined)?.extra_content
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentsOnWire(call.arguments) },
    ...(extra !== undefined && { extra_content: extra }),
  }
}

function toolMessages(message: ToolMessage, provider: string): readonly object[] {
  const messages: object[] = message.responses.map((response) => ({
    role: 'tool',
    tool_call_id: response.id,
    content: responseText(response),
    ...own(response, provider),
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

function mediaOf({ name, id, content }: ToolResponse, provider: string): readonly object[] {
  if (typeof content === 'string') return []
  const media = content.filter((part) => part.type !== 'text').filter(isShown)
  if (media.length === 0) return []
  const title = { type: 'text', text: `Result of tool ${name} (${id}):` }
  return [title, ...media.map((part) => userPart(part, provider))]
}
