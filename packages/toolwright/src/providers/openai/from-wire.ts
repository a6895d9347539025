/**
 * From a Responses API answer to a `ChatResponse`: items become parts in the order sent, a message as many
 * parts as it has content. A whole answer and an assembled stream take the same way.
 *
 * Every part of a message keeps what the message itself is (`providerOptions.openai.message`: its id, its
 * phase), so that the same item can go back.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatResponse, FinishReason, Usage } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart, ReasoningPart, ToolCall } from '../../messages/message.ts'
import { finishReason } from '../wire/finish-reason.ts'
import { usageOf } from '../wire/usage-of.ts'
import {
  argumentsText,
  completeArguments,
  fieldsIn,
  isJsonObject,
  isText,
  otherFields,
  textField,
} from '../wire/wire-value.ts'
import { PROVIDER, toItem, type WireItem, type WireResponse } from './wire-types.ts'

/** The body of an answer that was not streamed. */
export function fromWire(body: unknown): ChatResponse {
  if (!isJsonObject(body) || !Array.isArray(body['output'])) {
    throw new ModelResponseError('invalid-response', 'The answer is no response: it has no output.')
  }
  const items = (body['output'] as readonly Json[]).map(checkedItem)
  return toResponse(body, items.flatMap(toParts), items)
}

export function checkedItem(x: unknown): WireItem {
  const item = toItem(x)
  if (item !== undefined) return item
  throw new ModelResponseError('invalid-response', 'The answer has an output item without a type.')
}

/** A complete item. What is no message, thought or call of our tools stays whole, under its own type name. */
export function toParts(item: WireItem): readonly AssistantPart[] {
  switch (item.type) {
    case 'message':
      return messageParts(item)
    case 'reasoning':
      return [toReasoning(item)]
    case 'function_call':
      return [toToolCall(item)]
    default:
      return [{ type: 'provider', kind: item.type, data: item }]
  }
}

/** A message without content is one empty text: the thought before it must not go back alone. */
function messageParts(item: WireItem): readonly AssistantPart[] {
  const { type: _type, role: _role, content: _content, ...message } = item
  const contents = contentOf(item)
  const shown = contents.length === 0 ? [asText({})] : contents
  return shown.map((content) => contentPart(content, message))
}

/** Content is a list; some servers send the text itself, or leave its type out. */
export function contentOf({ content }: JsonObject): readonly JsonObject[] {
  if (isText(content)) return [{ type: 'output_text', text: content }]
  return objectsIn(content).map((part) => (isText(part['type']) ? part : asText(part)))
}

const asText = (part: JsonObject): JsonObject => ({ ...part, type: 'output_text' })

export const summaryOf = ({ summary }: JsonObject): readonly JsonObject[] => objectsIn(summary)

const objectsIn = (list: Json | undefined): readonly JsonObject[] =>
  Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : []

function contentPart(content: JsonObject, message: JsonObject): AssistantPart {
  const { type, text: _text, logprobs: _logprobs, ...extra } = content
  if (!isTextContent(content))
    return { type: 'provider', kind: type as string, data: content, ...marked({ message }) }
  return {
    type: 'text',
    text: textField(content, 'text'),
    ...marked({ ...(hasKeys(message) && { message }), ...filled(extra) }),
  }
}

export const isTextContent = ({ type }: JsonObject): boolean =>
  type === 'output_text' || type === 'text'

const marked = (own: JsonObject): { readonly providerOptions?: { readonly openai: JsonObject } } =>
  hasKeys(own) ? { providerOptions: { [PROVIDER]: own } } : {}

const hasKeys = (object: JsonObject): boolean => Object.keys(object).length > 0

/** Without lists that hold nothing: most texts have no annotations. */
const filled = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  )

/** Paragraphs: first what is a summary, then what is the thought itself, where a server shows it. */
function toReasoning(item: WireItem): ReasoningPart {
  const texts = [...summaryOf(item), ...contentOf(item)]
    .map((paragraph) => textField(paragraph, 'text'))
    .filter((text) => text !== '')
  return { type: 'reasoning', text: texts.join(PARAGRAPH), providerData: item }
}

export const PARAGRAPH = '\n\n'

/** Servers that know only one id put it into `id`. */
export function callIdOf(item: JsonObject): string {
  return textField(item, 'call_id') || textField(item, 'id')
}

function toToolCall(item: WireItem): ToolCall {
  const { call_id: _callId, name: _name, arguments: given, ...own } = item
  return {
    type: 'tool-call',
    id: callIdOf(item),
    name: textField(item, 'name'),
    arguments: completeArguments(argumentsText(given)),
    // Its type marks whose data it is, so that no other provider's extras are sent back here.
    ...(Object.keys(own).length > 1 && { providerData: own }),
  }
}

/** Everything around the parts, which were made of the items. */
export function toResponse(
  response: WireResponse,
  parts: readonly AssistantPart[],
  items: readonly WireItem[],
): ChatResponse {
  const raw = rawReason(response)
  const { id, model } = response
  const logprobs = items.flatMap(logprobsIn)
  return {
    results: [
      {
        message: { role: 'assistant', content: parts },
        finishReason: reasonOf(raw, parts),
        rawFinishReason: raw,
        metadata: logprobs.length > 0 ? { logprobs } : {},
      },
    ],
    usage: toUsage(response.usage),
    ...(isText(model) ? { model } : {}),
    ...(isText(id) ? { id } : {}),
    metadata: otherFields(response, NAMED_FIELDS),
  }
}

function reasonOf(raw: string, parts: readonly AssistantPart[]): FinishReason {
  if (parts.some((part) => part.type === 'provider' && part.kind === 'refusal'))
    return 'content-filter'
  const hasCalls = parts.some((part) => part.type === 'tool-call')
  return finishReason(FINISH_REASONS, raw, hasCalls)
}

/** An answer that ended early says why; one that ended well only that it is complete. */
function rawReason({ status, incomplete_details: details }: WireResponse): string {
  if (isJsonObject(details) && isText(details['reason'])) return details['reason']
  return isText(status) ? status : 'completed'
}

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['completed', 'stop'],
  ['max_output_tokens', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content-filter'],
] as const)

/** The logprobs of a text, which some servers always send. They do not go back. */
const logprobsIn = (item: WireItem): readonly Json[] =>
  contentOf(item).flatMap(({ logprobs }) => (Array.isArray(logprobs) ? (logprobs as Json[]) : []))

/** `inputTokens` includes what was read from the cache, as sent. */
function toUsage(usage: Json | undefined): Usage {
  if (!isJsonObject(usage)) return {}
  const input = fieldsIn(usage['input_tokens_details'])
  return usageOf({
    inputTokens: usage['input_tokens'],
    outputTokens: usage['output_tokens'],
    totalTokens: usage['total_tokens'],
    cacheReadTokens: input['cached_tokens'],
    cacheWriteTokens: input['cache_write_tokens'],
    reasoningTokens: fieldsIn(usage['output_tokens_details'])['reasoning_tokens'],
  })
}

/** What has a place of its own, and what the API repeats of the request: all else is metadata. */
const NAMED_FIELDS = new Set([
  'id',
  'object',
  'model',
  'output',
  'output_text',
  'status',
  'error',
  'background',
  'frequency_penalty',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'parallel_tool_calls',
  'presence_penalty',
  'prompt',
  'reasoning',
  'store',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
])
