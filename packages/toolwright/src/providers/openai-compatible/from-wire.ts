/**
 * From a Chat Completions answer to a `ChatResponse`. The parts of a message have the order in which
 * the dialect lists them (reasoning, text, what the provider did itself, calls), streamed or not, so
 * that both ways give the same message.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatResponse, FinishReason, Generation, Usage } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart, ReasoningPart, ToolCall } from '../../messages/message.ts'
import { finishReason } from '../wire/finish-reason.ts'
import { listedCalls } from '../wire/listed-calls.ts'
import { messageContent } from '../wire/message-content.ts'
import { completeCall, type CallPiece } from '../wire/tool-call-assembler.ts'
import { usageOf } from '../wire/usage-of.ts'
import { argumentsText, fieldsIn, isJsonObject, isText, otherFields } from '../wire/wire-value.ts'
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
  const { choices }: WireAnswer = fieldsIn(answer)
  if (!Array.isArray(choices) || choices.length === 0) {
    const what = isJsonObject(answer)
      ? `an answer without choices (it has: ${namesIn(answer)})`
      : 'no object'
    throw new ModelResponseError('invalid-response', `${provider} sent ${what}.`)
  }
  const contents = choices.map((choice) => contentOfChoice(provider, choice))
  return toResponse(contents.map(toGeneration), answer as WireAnswer, answer as WireAnswer)
}

/** The first few that are plain words: a stranger may have put anything there. */
const namesIn = (answer: object): string =>
  Object.keys(answer)
    .filter((name) => /^[a-z_]{1,24}$/i.test(name))
    .slice(0, 10)
    .join(', ') || 'other fields'

/** @param first carries id and model @param last carries usage; for a whole answer they are the same */
export function toResponse(
  results: readonly Generation[],
  first: WireAnswer,
  last: WireAnswer,
): ChatResponse {
  return {
    results,
    usage: toUsage(last.usage ?? last.x_groq?.usage),
    ...(isText(first.model) && { model: first.model }),
    ...(isText(first.id) && { id: first.id }),
    metadata: {
      ...otherFields(first, NAMED_FIELDS),
      ...(last !== first && otherFields(last, NAMED_FIELDS)),
    },
  }
}

function contentOfChoice(provider: string, choice: WireChoice | null): ChoiceContent {
  const message = choice?.message ?? choice?.delta
  if (!isJsonObject(message)) {
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
    else if (isJsonObject(item)) read.others.push(item as Json)
  }
  return read
}

function extrasOf(message: WireMessage, others: readonly Json[]): ReadonlyMap<string, Json> {
  const extras = new Map<string, Json>()
  for (const field of EXTRA_FIELDS)
    addExtra(extras, field, (message as Record<string, unknown>)[field])
  for (const item of others) addExtra(extras, kindOf(item), item)
  for (const call of callsIn(message.tool_calls)) {
    if (isJsonObject(call) && !isJsonObject(call.function))
      addExtra(extras, kindOf(call as Json), [call])
  }
  return extras
}

/** Adds what came to what is there: streams send strings, lists and objects in pieces. */
export function addExtra(extras: Map<string, Json>, kind: string, value: unknown): void {
  if (
    (kind === 'refusal' && typeof value !== 'string' && !isJsonObject(value)) ||
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
    return
  extras.set(kind, mergePiece(extras.get(kind), value as Json))
}

/** Lists and objects are ours since they were parsed, so they grow in place: copying them for each piece would be quadratic. */
function mergePiece(before: Json | undefined, next: Json): Json {
  if (before === undefined || before === null) return next
  if (typeof before === 'string' && typeof next === 'string')
    return before === next ? before : before + next
  if (Array.isArray(before) && Array.isArray(next)) {
    for (const item of next as Json[]) before.push(item)
    return before
  }
  if (!isJsonObject(before) || !isJsonObject(next)) return next
  const fields = before as { [key: string]: Json }
  for (const [key, value] of Object.entries(next as JsonObject))
    // As a key like any other it would change the prototype.
    if (key !== '__proto__')
      fields[key] = mergePiece(Object.hasOwn(fields, key) ? fields[key] : undefined, value)
  return before
}

export function kindOf(item: Json): string {
  const { type } = item as { type?: unknown }
  return isText(type) ? type : 'item'
}

function functionCalls(message: WireMessage): readonly ToolCall[] {
  const calls = callsIn(message.tool_calls).filter((call) => isJsonObject(call?.function))
  const legacy = isJsonObject(message.function_call) ? [{ function: message.function_call }] : []
  return [...calls, ...(calls.length === 0 ? legacy : [])].map((call) =>
    completeCall(callPiece(call)),
  )
}

export const callsIn = (given: unknown): readonly WireToolCall[] =>
  listedCalls(given) as readonly WireToolCall[]

/** A call of a message, or the piece of one in a delta. */
export function callPiece(call: WireToolCall, index?: number): CallPiece {
  const { id, function: called, extra_content: extra } = call
  return {
    id: isText(id) ? id : undefined,
    index,
    name: isText(called?.name) ? called.name : undefined,
    arguments: argumentsText(called?.arguments),
    providerData: extra == null ? undefined : { extra_content: extra },
  }
}

export function toGeneration(content: ChoiceContent): Generation {
  const { rawFinishReason, calls } = content
  const reason = isSaid(content.extras.get('refusal'))
    ? 'content-filter'
    : finishReason(FINISH_REASONS, rawFinishReason ?? 'stop', calls.length > 0)
  return {
    message: { role: 'assistant', content: messageContent(partsOf(content)) },
    finishReason: reason,
    ...(rawFinishReason !== undefined && rawFinishReason !== reason && { rawFinishReason }),
    metadata: content.logprobs === undefined ? {} : { logprobs: content.logprobs },
  }
}

function partsOf(content: ChoiceContent): readonly AssistantPart[] {
  const parts: AssistantPart[] = []
  if (content.reasoning !== '') parts.push(reasoningPart(content))
  if (content.text !== '') parts.push({ type: 'text', text: content.text })
  for (const [kind, data] of content.extras)
    if (kind !== 'refusal' || isSaid(data)) parts.push({ type: 'provider', kind, data })
  return parts.concat(content.calls)
}

/** Servers send a blank refusal where none is meant. */
const isSaid = (refusal: Json | undefined): boolean => isText(refusal) || isJsonObject(refusal)

function reasoningPart({ reasoning, reasoningField }: ChoiceContent): ReasoningPart {
  if (reasoningField === undefined) return { type: 'reasoning', text: reasoning }
  return { type: 'reasoning', text: reasoning, providerData: { field: reasoningField } }
}

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['tool_calls', 'stop'],
  ['function_call', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content-filter'],
  ['error', 'error'],
] as const)

function toUsage(usage: WireUsage | null | undefined): Usage {
  if (typeof usage !== 'object' || usage === null) return {}
  const input = usage.prompt_tokens_details
  return usageOf({
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    cacheReadTokens: input?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
    cacheWriteTokens: input?.cache_write_tokens,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens,
  })
}

const NAMED_FIELDS = new Set([
  'id',
  'object',
  'model',
  'choices',
  'usage',
  'usage_breakdown',
  'obfuscation',
])
