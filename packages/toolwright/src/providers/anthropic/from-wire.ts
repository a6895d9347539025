/**
 * From a Messages API answer to a `ChatResponse`: blocks become parts in the order sent. A whole
 * answer and an assembled stream take the same way. Nothing is judged here, only carried over.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatResponse, FinishReason, Usage } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart } from '../../messages/message.ts'
import { finishReason } from '../wire/finish-reason.ts'
import { usageOf } from '../wire/usage-of.ts'
import {
  argumentsText,
  completeArguments,
  isJsonObject,
  otherFields,
  textField,
} from '../wire/wire-value.ts'
import { isWireBlock, PROVIDER, type WireBlock, type WireMessage } from './wire-types.ts'

/** The body of an answer that was not streamed. */
export function fromWire(body: unknown): ChatResponse {
  if (!isJsonObject(body) || !Array.isArray(body['content'])) {
    throw new ModelResponseError('invalid-response', 'The answer is no message: it has no content.')
  }
  const { content, ...message } = body
  const parts = (content as readonly Json[]).map((block) => toPart(checkedBlock(block)))
  return toResponse(message as WireMessage, parts)
}

export function checkedBlock(block: unknown): WireBlock {
  if (isWireBlock(block)) return block
  throw new ModelResponseError('invalid-response', 'The answer has a content block without a type.')
}

/**
 * A complete block. `inputText` is the raw JSON text of a streamed tool input, kept as sent.
 * Blocks that are no text, thinking or client tool call stay whole, under their own type name.
 */
export function toPart(block: WireBlock, inputText = ''): AssistantPart {
  switch (block.type) {
    case 'text':
      return toTextPart(block)
    case 'thinking':
    case 'redacted_thinking':
      return { type: 'reasoning', text: textField(block, 'thinking'), providerData: block }
    case 'tool_use':
      return toToolCall(block, inputText)
    default:
      return { type: 'provider', kind: block.type, data: withInput(block) }
  }
}

/** The input of a tool that the provider runs itself is an object again, where it came to us as text. */
export function withInput(block: WireBlock, inputText: Json = block['input'] ?? ''): WireBlock {
  if (typeof inputText !== 'string' || !inputText.trimStart().startsWith('{')) return block
  try {
    return { ...block, input: JSON.parse(inputText) as Json }
  } catch {
    // One that was cut by the token limit stays as it started.
    return { input: {}, ...block }
  }
}

function toTextPart(block: WireBlock): AssistantPart {
  const { type: _type, text: _text, ...extra } = block
  const part = { type: 'text', text: textField(block, 'text') } as const
  return hasKeys(extra) ? { ...part, providerOptions: { [PROVIDER]: extra } } : part
}

function toToolCall(block: WireBlock, inputText: string): AssistantPart {
  const { type, id: _id, name: _name, input, ...extra } = block
  const call = {
    type: 'tool-call',
    id: textField(block, 'id'),
    name: textField(block, 'name'),
    arguments: completeArguments(inputText.trim() === '' ? argumentsText(input) : inputText),
  } as const
  // The type marks whose data it is, so that no other provider's extras are sent back here.
  return hasKeys(extra) ? { ...call, providerData: { type, ...extra } } : call
}

const hasKeys = (object: JsonObject): boolean => Object.keys(object).length > 0

/** The fields every answer has; all others are metadata. */
const NAMED_FIELDS = new Set(['id', 'type', 'role', 'model', 'content', 'stop_reason'])

/** Everything around the parts. Container, context edits, stop details and raw usage become metadata, as sent. */
export function toResponse(message: WireMessage, parts: readonly AssistantPart[]): ChatResponse {
  const { stop_reason: stop } = message
  const raw = typeof stop === 'string' ? stop : undefined
  const hasCalls = parts.some((part) => part.type === 'tool-call')
  return {
    results: [
      {
        message: { role: 'assistant', content: parts },
        finishReason: finishReason(FINISH_REASONS, raw, hasCalls),
        ...(raw === undefined ? {} : { rawFinishReason: raw }),
        metadata: raw === 'refusal' ? refusalOf(message['stop_details']) : {},
      },
    ],
    usage: toUsage(message.usage),
    ...(typeof message.model === 'string' ? { model: message.model } : {}),
    ...(typeof message.id === 'string' ? { id: message.id } : {}),
    metadata: otherFields(message, NAMED_FIELDS),
  }
}

/** Why a request was refused, where the provider says so. */
function refusalOf(details: Json | undefined): { readonly refusal?: string } {
  const explanation = isJsonObject(details) ? textField(details, 'explanation') : ''
  return explanation === '' ? {} : { refusal: explanation }
}

/** `pause_turn` is `other`: the provider wants its unfinished turn back as it is, and then goes on. */
const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
] as const)

/** `inputTokens` is as sent: without what was read from or written to the cache. The total has all four. */
function toUsage(usage: JsonObject | undefined): Usage {
  if (!isJsonObject(usage)) return {}
  const details = usage['output_tokens_details']
  const counts = usageOf({
    inputTokens: usage['input_tokens'],
    outputTokens: usage['output_tokens'],
    cacheReadTokens: usage['cache_read_input_tokens'],
    cacheWriteTokens: usage['cache_creation_input_tokens'],
  })
  const known: readonly number[] = Object.values(counts)
  const totalTokens = known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0)
  const reasoningTokens = isJsonObject(details) ? details['thinking_tokens'] : undefined
  return { ...counts, ...usageOf({ totalTokens, reasoningTokens }) }
}
