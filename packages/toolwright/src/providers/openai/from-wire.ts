/**
 * From a Chat Completions answer to a `ChatResponse`. The parts of a message have the order in which
 * the dialect lists them (reasoning, text, what the provider did itself, calls), streamed or not, so
 * that both ways give the same message.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatResponse, FinishReason, Generation, Usage } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart, ReasoningPart, ToolCall } from '../../messages/message.ts'
import type { WireAnswer, WireChoice, WireMessage, WireToolCall, WireUsage } from './wire-types.ts'

/** What one choice said, collected from a message or from its deltas. */
export interface ChoiceContent {
  readonly text: string
  readonly reasoning: string
  /** Which field the reasoning came in; it goes back in the same. */
  readonly reasoningField: string | undefined
  /** Fields and items that are neither text nor calls of function tools, by kind. */
  readonly extras: ReadonlyMap<string, Json>
  readonly calls: readonly ToolCall[]
  readonly rawFinishReason: string | undefined
  readonly logprobs: Json | undefined
}

/** Fields of a message that become provider parts, `data` untouched. */
export const EXTRA_FIELDS = ['refusal', 'annotations', 'audio', 'executed_tools'] as const
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const

export function fromWire(provider: string, answer: unknown): ChatResponse {
  const { choices } = (isObject(answer) ? answer : {}) as WireAnswer
  if (!Array.isArray(choices) || choices.length === 0) {
    const what = isObject(answer)
      ? `an answer without choices (it has: ${Object.keys(answer).join(', ')})`
      : 'no object'
    throw new ModelResponseError('invalid-response', `${provider} sent ${what}.`)
  }
  const contents = choices.map((choice) => contentOfChoice(provider, choice))
  return toResponse(contents.map(toGeneration), answer as WireAnswer, answer as WireAnswer)
}

/** @param first carries id and model @param last carries usage; for a whole answer they are the same */
export function toResponse(
  results: readonly Generation[],
  first: WireAnswer,
  last: WireAnswer,
): ChatResponse {
  return {
    results,
    usage: usageOf(last.usage ?? last.x_groq?.usage ?? undefined),
    ...(isText(first.model) && { model: first.model }),
    ...(isText(first.id) && { id: first.id }),
    metadata: { ...metadataOf(first), ...(last !== first && metadataOf(last)) },
  }
}

function contentOfChoice(provider: string, choice: WireChoice | null): ChoiceContent {
  const message = choice?.message ?? choice?.delta
  if (!isObject(message)) {
    throw new ModelResponseError('invalid-response', `${provider} sent a choice without a message.`)
  }
  const content = readContent(message.content)
  const reasoningField = REASONING_FIELDS.find((field) => isText(message[field]))
  return {
    text: content.text,
    reasoning:
      reasoningField === undefined ? content.reasoning : (message[reasoningField] as string),
    reasoningField,
    extras: extrasOf(message, content.others),
    calls: functionCalls(message),
    rawFinishReason: isText(choice?.finish_reason) ? choice.finish_reason : undefined,
    logprobs: (choice?.logprobs as Json | null | undefined) ?? undefined,
  }
}

/** Content is a string, or (Mistral) a list of text, thinking and other items. */
export function readContent(content: unknown): {
  text: string
  reasoning: string
  others: readonly Json[]
} {
  const read = {
    text: typeof content === 'string' ? content : '',
    reasoning: '',
    others: [] as Json[],
  }
  if (!Array.isArray(content)) return read
  for (const item of content as readonly Record<string, unknown>[]) {
    if (typeof item?.text === 'string') read.text += item.text
    else if (item?.type === 'thinking') read.reasoning += readContent(item.thinking).text
    else if (isObject(item)) read.others.push(item as Json)
  }
  return read
}

function extrasOf(message: WireMessage, others: readonly Json[]): ReadonlyMap<string, Json> {
  const extras = new Map<string, Json>()
  for (const field of EXTRA_FIELDS)
    addExtra(extras, field, (message as Record<string, unknown>)[field])
  for (const item of others) addExtra(extras, kindOf(item), item)
  for (const call of message.tool_calls ?? []) {
    if (isObject(call) && !isObject(call.function)) addExtra(extras, kindOf(call as Json), [call])
  }
  return extras
}

/** Adds what came to what is there: streams send strings, lists and objects in pieces. */
export function addExtra(extras: Map<string, Json>, kind: string, value: unknown): void {
  if (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
    return
  extras.set(kind, joined(extras.get(kind), value as Json))
}

function joined(before: Json | undefined, next: Json): Json {
  if (before === undefined || before === null) return next
  if (typeof before === 'string' && typeof next === 'string')
    return before === next ? before : before + next
  if (Array.isArray(before) && Array.isArray(next))
    return [...(before as Json[]), ...(next as Json[])]
  if (!isObject(before) || !isObject(next)) return next
  const fields = new Map<string, Json>(Object.entries(before as JsonObject))
  for (const [key, value] of Object.entries(next as JsonObject))
    fields.set(key, joined(fields.get(key), value))
  return Object.fromEntries(fields)
}

export function kindOf(item: Json): string {
  const { type } = item as { type?: unknown }
  return isText(type) ? type : 'item'
}

function functionCalls(message: WireMessage): readonly ToolCall[] {
  const calls = (message.tool_calls ?? []).filter((call) =>
    isObject(call?.function),
  ) as WireToolCall[]
  const legacy = isObject(message.function_call) ? [{ function: message.function_call }] : []
  return [...calls, ...(calls.length === 0 ? legacy : [])].map(toToolCall)
}

function toToolCall(call: WireToolCall): ToolCall {
  return completeCall({
    id: isText(call.id) ? call.id : '',
    name: isText(call.function?.name) ? call.function.name : '',
    arguments: argumentsText(call.function?.arguments),
    extraContent: call.extra_content,
  })
}

export interface CollectedCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly extraContent: Json | undefined
}

export function completeCall(call: CollectedCall): ToolCall {
  return {
    type: 'tool-call',
    id: call.id,
    name: call.name,
    arguments: call.arguments.trim() === '' ? '{}' : call.arguments,
    ...(call.extraContent != null && { providerData: { extra_content: call.extraContent } }),
  }
}

/** The raw text as sent; an object instead of text is serialised. */
export function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given
  return given === undefined || given === null ? '' : JSON.stringify(given)
}

export function toGeneration(content: ChoiceContent): Generation {
  const parts = partsOf(content)
  const [only] = parts
  const finishReason = finishReasonOf(content)
  const { rawFinishReason } = content
  return {
    message: {
      role: 'assistant',
      content:
        parts.length === 0 ? '' : parts.length === 1 && only!.type === 'text' ? only!.text : parts,
    },
    finishReason,
    ...(rawFinishReason !== undefined && rawFinishReason !== finishReason && { rawFinishReason }),
    metadata: content.logprobs === undefined ? {} : { logprobs: content.logprobs },
  }
}

function partsOf(content: ChoiceContent): readonly AssistantPart[] {
  const parts: AssistantPart[] = []
  if (content.reasoning !== '') parts.push(reasoningPart(content))
  if (content.text !== '') parts.push({ type: 'text', text: content.text })
  for (const [kind, data] of content.extras) parts.push({ type: 'provider', kind, data })
  parts.push(...content.calls)
  return parts
}

function reasoningPart({ reasoning, reasoningField }: ChoiceContent): ReasoningPart {
  if (reasoningField === undefined) return { type: 'reasoning', text: reasoning }
  return { type: 'reasoning', text: reasoning, providerData: { field: reasoningField } }
}

const FINISH_REASONS: { readonly [raw: string]: FinishReason | undefined } = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  tool_calls: 'stop',
  function_call: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'content-filter',
  error: 'error',
}

/** Whether there are calls decides between `stop` and `tool-calls`: servers say either for both. */
function finishReasonOf({ rawFinishReason, calls }: ChoiceContent): FinishReason {
  const raw = rawFinishReason ?? 'stop'
  const reason = Object.hasOwn(FINISH_REASONS, raw) ? FINISH_REASONS[raw]! : 'other'
  return reason === 'stop' && calls.length > 0 ? 'tool-calls' : reason
}

function usageOf(usage: WireUsage | undefined): Usage {
  if (!isObject(usage)) return {}
  const found: { -readonly [field in keyof Usage]: number } = {}
  const input = usage.prompt_tokens_details
  put(found, 'inputTokens', usage.prompt_tokens)
  put(found, 'outputTokens', usage.completion_tokens)
  put(found, 'totalTokens', usage.total_tokens)
  put(
    found,
    'cacheReadTokens',
    input?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
  )
  put(found, 'cacheWriteTokens', input?.cache_write_tokens)
  put(found, 'reasoningTokens', usage.completion_tokens_details?.reasoning_tokens)
  return found
}

function put(
  usage: { -readonly [field in keyof Usage]: number },
  field: keyof Usage,
  tokens: unknown,
): void {
  if (typeof tokens === 'number') usage[field] = tokens
}

const KNOWN_FIELDS = new Set([
  'id',
  'object',
  'model',
  'choices',
  'usage',
  'usage_breakdown',
  'obfuscation',
])

/** Everything else that the answer says about itself: fingerprint, tier, citations ... */
function metadataOf(answer: WireAnswer): { readonly [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(answer).filter(([key, value]) => !KNOWN_FIELDS.has(key) && value !== null),
  ) as { readonly [key: string]: Json }
}

export function isObject(x: unknown): x is object {
  return typeof x === 'object' && x !== null && !Array.isArray(x)
}

/** A string that says something; servers send blanks where nothing is meant. */
export function isText(x: unknown): x is string {
  return typeof x === 'string' && x.trim() !== ''
}
