/**
 * From a Messages API answer to a `ChatResponse`: blocks become parts in the order sent. A whole
 * answer and an assembled stream take the same way. Nothing is judged here, only carried over.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatResponse, FinishReason, Usage } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart } from '../../messages/message.ts'
import {
  PROVIDER,
  isJsonObject,
  isWireBlock,
  textField,
  type WireBlock,
  type WireMessage,
} from './wire-types.ts'

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
      return { type: 'provider', kind: block.type, data: block }
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
    arguments: inputText.trim() === '' ? argumentsOf(input) : inputText,
  } as const
  // The type marks whose data it is, so that no other provider's extras are sent back here.
  return hasKeys(extra) ? { ...call, providerData: { type, ...extra } } : call
}

function argumentsOf(input: Json | undefined): string {
  if (input === undefined || input === null) return '{}'
  if (typeof input === 'string') return input.trim() === '' ? '{}' : input
  return JSON.stringify(input)
}

const hasKeys = (object: JsonObject): boolean => Object.keys(object).length > 0

/** The fields every answer has; all others are metadata. */
const NAMED_FIELDS = new Set(['id', 'type', 'role', 'model', 'content', 'stop_reason'])

/** Everything around the parts. Container, context edits, stop details and raw usage become metadata, as sent. */
export function toResponse(message: WireMessage, parts: readonly AssistantPart[]): ChatResponse {
  const extra = Object.entries(message).filter(
    ([key, value]) => !NAMED_FIELDS.has(key) && value !== null,
  )
  const raw = message.stop_reason
  return {
    results: [
      {
        message: { role: 'assistant', content: parts },
        finishReason: toFinishReason(raw, parts),
        ...(typeof raw === 'string' ? { rawFinishReason: raw } : {}),
        metadata: {},
      },
    ],
    usage: toUsage(message.usage),
    ...(typeof message.model === 'string' ? { model: message.model } : {}),
    ...(typeof message.id === 'string' ? { id: message.id } : {}),
    metadata: Object.fromEntries(extra),
  }
}

/** `pause_turn` is `other`: the provider wants its unfinished turn back as it is, and then goes on. */
const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
] as const)

function toFinishReason(raw: unknown, parts: readonly AssistantPart[]): FinishReason {
  const reason = FINISH_REASONS.get(raw) ?? 'other'
  // Compatible servers end a turn with calls as if it were an answer.
  return reason === 'stop' && parts.some((part) => part.type === 'tool-call')
    ? 'tool-calls'
    : reason
}

/** `inputTokens` is as sent: without what was read from or written to the cache. The total has all four. */
function toUsage(usage: JsonObject | undefined): Usage {
  if (!isJsonObject(usage)) return {}
  const details = usage['output_tokens_details']
  const counts = {
    inputTokens: tokens(usage['input_tokens']),
    outputTokens: tokens(usage['output_tokens']),
    cacheReadTokens: tokens(usage['cache_read_input_tokens']),
    cacheWriteTokens: tokens(usage['cache_creation_input_tokens']),
  }
  const known = Object.values(counts).filter((count) => count !== undefined)
  const totalTokens = known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0)
  const reasoningTokens = isJsonObject(details) ? tokens(details['thinking_tokens']) : undefined
  return withoutAbsent({ ...counts, totalTokens, reasoningTokens })
}

const tokens = (count: Json | undefined): number | undefined =>
  typeof count === 'number' ? count : undefined

function withoutAbsent(usage: { readonly [field in keyof Usage]: number | undefined }): Usage {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined))
}
