/**
 * From a Gemini answer to a `ChatResponse`: parts in the order sent, each with what has to go back with it. A
 * whole answer and an assembled stream take the same way.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatResponse, FinishReason, Generation, Usage } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { AssistantPart, MediaPart, ToolCall } from '../../messages/message.ts'
import { shorten } from '../../schema/describe-value.ts'
import { finishReason } from '../wire/finish-reason.ts'
import { completeCall } from '../wire/tool-call-assembler.ts'
import { usageOf } from '../wire/usage-of.ts'
import {
  argumentsText,
  fieldsIn,
  isJsonObject,
  isText,
  otherFields,
  textField,
} from '../wire/wire-value.ts'
import {
  partsIn,
  PROVIDER,
  type WireAnswer,
  type WireCandidate,
  type WireFunctionCall,
  type WirePart,
  type WireUsage,
} from './wire-types.ts'

/** The body of an answer that was not streamed. */
export function fromWire(body: unknown): ChatResponse {
  const answer: WireAnswer = fieldsIn(body)
  const { candidates } = answer
  const listed = Array.isArray(candidates) ? candidates.filter(isJsonObject) : []
  if (listed.length === 0 && blockReason(answer) === undefined)
    throw new ModelResponseError('invalid-response', 'The answer has no candidates.')
  const [first] = listed as readonly WireCandidate[]
  if (first !== undefined) refuseBroken(first, textIn(partsIn(first)))
  return toResponse(
    listed.map((candidate) => toGeneration(candidate, joinedTexts(partsIn(candidate)).map(toPart))),
    answer,
  )
}

const textIn = (parts: readonly WirePart[]): string =>
  parts.map((part) => (part.thought === true ? '' : textField(part, 'text'))).join('')

/** Neighbours that are one text become one part; a stream has them in pieces. */
function joinedTexts(parts: readonly WirePart[]): readonly WirePart[] {
  const joined: WirePart[] = []
  for (const part of parts.filter(saysSomething)) {
    const last = joined.at(-1)
    if (last !== undefined && continues(last, part))
      joined[joined.length - 1] = {
        ...last,
        text: textField(last, 'text') + textField(part, 'text'),
      }
    else joined.push(part)
  }
  return joined
}

/** Streams end with an empty text. One that is signed has to go back all the same. */
export function saysSomething(part: WirePart): boolean {
  const { text, functionCall } = part
  if (isJsonObject(functionCall)) return Object.keys(functionCall).length > 0
  if (typeof text === 'string' && text !== '') return true
  return Object.keys(part).some((field) => !isAboutText(field) && field !== 'functionCall')
}

const isAboutText = (field: string): boolean => field === 'text' || field === 'thought'

/** Whether a text goes on in the next part: of the same kind, and nothing but text. A signature is of one part only. */
export function continues(before: WirePart, next: WirePart): boolean {
  return isPlainText(before) && isPlainText(next) && before.thought === next.thought
}

const isPlainText = (part: WirePart): boolean =>
  typeof part.text === 'string' && Object.keys(part).every(isAboutText)

/** A complete part. What is no text, thought, media or call of our tools stays whole, named by its field. */
export function toPart(part: WirePart): AssistantPart {
  if (isJsonObject(part.functionCall)) return toCall(part)
  if (part.thought === true) return toThought(part)
  return toMedia(part) ?? toText(part) ?? toProviderPart(part)
}

/** Fields that say something about the data of a part, and are none. */
const ABOUT_DATA = new Set([
  'thought',
  'thoughtSignature',
  'partMetadata',
  'mediaResolution',
  'videoMetadata',
  'mediaProcessing',
  'speechMetadata',
])

function toText(part: WirePart): AssistantPart | undefined {
  const { text, ...extra } = part
  if (typeof text !== 'string' && dataFieldOf(part) !== undefined) return undefined
  return { type: 'text', text: textField(part, 'text'), ...optionsOf(extra) }
}

const optionsOf = (
  extra: JsonObject,
): { readonly providerOptions?: { readonly [provider: string]: JsonObject } } =>
  Object.keys(extra).length === 0 ? {} : { providerOptions: { [PROVIDER]: extra } }

/** A thought in pictures is no part of the answer. */
function toThought(part: WirePart): AssistantPart {
  const { text, ...providerData } = part
  if (typeof text !== 'string' && dataFieldOf(part) !== undefined) return toProviderPart(part)
  return { type: 'reasoning', text: textField(part, 'text'), providerData }
}

function toMedia(part: WirePart): MediaPart | undefined {
  const { inlineData, fileData, ...extra } = part
  const given = isJsonObject(inlineData) ? inlineData : fileData
  if (!isJsonObject(given)) return undefined
  const mediaType = textField(given, 'mimeType')
  const kind = /^(?:image|audio)(?=\/)/.exec(mediaType)?.[0] as 'image' | 'audio' | undefined
  const name = textField(given, 'displayName')
  return {
    type: kind ?? 'file',
    mediaType,
    ...(given === inlineData
      ? { data: textField(given, 'data') }
      : { url: textField(given, 'fileUri') }),
    ...(name !== '' && { name }),
    ...optionsOf(extra),
  }
}

function toProviderPart(part: WirePart): AssistantPart {
  return { type: 'provider', kind: dataFieldOf(part) ?? 'part', data: withObjects(part) }
}

const dataFieldOf = (part: WirePart): string | undefined =>
  Object.keys(part).find((field) => !ABOUT_DATA.has(field))

/** Arguments of the provider's own tools are objects again, where they came to us as text to stay exact. */
function withObjects(part: WirePart): WirePart {
  const { toolCall } = part
  const args = isJsonObject(toolCall) ? toolCall['args'] : undefined
  if (typeof args !== 'string') return part
  try {
    return { ...part, toolCall: { ...(toolCall as JsonObject), args: JSON.parse(args) as Json } }
  } catch {
    return part
  }
}

function toCall({ functionCall, ...extra }: WirePart): ToolCall {
  const { args, ...call } = functionCall as JsonObject
  return toToolCall({ call, extra }, argumentsText(args))
}

/** What is known of a call besides its arguments. */
export interface CallHead {
  readonly call: JsonObject & WireFunctionCall
  /** The other fields of its part. */
  readonly extra: JsonObject
}

/** `functionCall` marks whose data it is. The id stands there because only one that was given goes back. */
export function toToolCall({ call, extra }: CallHead, argumentText: string): ToolCall {
  const { name, args: _args, partialArgs: _partial, willContinue: _more, ...more } = call
  const { id } = more
  const functionCall = Object.fromEntries(
    Object.entries(more).filter(([, value]) => value !== '' && value !== null),
  )
  const isBare = Object.keys(functionCall).length === 0 && Object.keys(extra).length === 0
  return completeCall({
    id: isText(id) ? id : undefined,
    name: isText(name) ? name : undefined,
    arguments: argumentText,
    providerData: isBare ? undefined : ({ functionCall, ...extra } as JsonObject),
  })
}

/** The fields of a candidate that have a place of their own; all others are metadata. */
const CANDIDATE_FIELDS = new Set([
  'content',
  'index',
  'finishReason',
  'groundingMetadata',
  'urlContextMetadata',
])

export function toGeneration(
  candidate: WireCandidate,
  parts: readonly AssistantPart[],
): Generation {
  const content = [...parts, ...groundingOf(candidate)]
  const raw = isText(candidate.finishReason) ? candidate.finishReason : undefined
  const hasCalls = content.some((part) => part.type === 'tool-call')
  const reason = finishReason(FINISH_REASONS, raw, hasCalls)
  return {
    message: { role: 'assistant', content },
    finishReason: reason,
    ...(raw !== undefined && { rawFinishReason: raw }),
    metadata: {
      ...otherFields(candidate, CANDIDATE_FIELDS),
      ...(reason === 'content-filter' && { refusal: stopWords(candidate) }),
    },
  }
}

const stopWords = ({ finishMessage, finishReason: raw }: WireCandidate): string =>
  isText(finishMessage) ? finishMessage : `The answer was stopped: ${String(raw)}.`

/** What the provider's own search and reading of pages found. Nothing of it goes back. */
export function groundingOf(candidate: WireCandidate): readonly AssistantPart[] {
  return (['groundingMetadata', 'urlContextMetadata'] as const).flatMap((kind) => {
    const data = candidate[kind]
    if (!isJsonObject(data) || Object.keys(data).length === 0) return []
    return [{ type: 'provider' as const, kind, data }]
  })
}

/** The fields of an answer that have a place of their own; all others, usage among them, are metadata. */
const ANSWER_FIELDS = new Set(['candidates', 'modelVersion', 'responseId'])

/** Everything around the candidates. A blocked prompt has none, and is a refusal. */
export function toResponse(results: readonly Generation[], answer: WireAnswer): ChatResponse {
  const { modelVersion, responseId, usageMetadata } = answer
  const blocked = blockReason(answer)
  return {
    results: results.length === 0 && blocked !== undefined ? [blocked] : results,
    usage: toUsage(fieldsIn(usageMetadata)),
    ...(isText(modelVersion) && { model: modelVersion }),
    ...(isText(responseId) && { id: responseId }),
    metadata: otherFields(answer, ANSWER_FIELDS),
  }
}

export function blockReason({ promptFeedback }: WireAnswer): Generation | undefined {
  const { blockReason: raw, blockReasonMessage: words } = fieldsIn(promptFeedback)
  if (!isText(raw)) return undefined
  return {
    message: { role: 'assistant', content: [] },
    finishReason: 'content-filter',
    rawFinishReason: raw,
    metadata: { refusal: isText(words) ? words : `The prompt was blocked: ${raw}.` },
  }
}

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['CONTINUATION', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['MALFORMED_RESPONSE', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
  ['TOO_MANY_TOOL_CALLS', 'error'],
  ['MISSING_THOUGHT_SIGNATURE', 'error'],
] as const)

/** Whether a call that was still coming may end with this: the answer was cut, and no call of it runs. */
export function isCut(raw: string): boolean {
  const reason = FINISH_REASONS.get(raw)
  return reason === 'length' || reason === 'content-filter'
}

/** Chance decides whether the model fails so again. The others are answers to the request as it is. */
const BY_CHANCE = /^(?:MALFORMED_|UNEXPECTED_)/

/** An answer that the provider gave up in the middle: what there is of it must not pass for one. */
export function refuseBroken(
  { finishReason: raw, finishMessage }: WireCandidate,
  partial: string,
): void {
  if (!isText(raw) || FINISH_REASONS.get(raw) !== 'error') return
  const why = isText(finishMessage) ? `: ${shorten(finishMessage.trim(), 300)}` : ''
  throw new ModelResponseError('broken-answer', `The answer ended with ${raw}${why}.`, {
    partial,
    retryable: BY_CHANCE.test(raw),
  })
}

/** Input counts what the provider's own tools returned, output what was thought: both are billed so. */
function toUsage(usage: WireUsage): Usage {
  return usageOf({
    inputTokens: sum(usage.promptTokenCount, usage.toolUsePromptTokenCount),
    outputTokens: sum(usage.candidatesTokenCount, usage.thoughtsTokenCount),
    totalTokens: usage.totalTokenCount,
    cacheReadTokens: usage.cachedContentTokenCount,
    reasoningTokens: usage.thoughtsTokenCount,
  })
}

function sum(...counts: readonly unknown[]): number | undefined {
  const known = counts.filter((count) => typeof count === 'number')
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0)
}
