/**
 * The Gemini API as far as this adapter reads it. Fields that are not trusted are `unknown`; whatever else a
 * part or a candidate carries is kept as it came.
 */
import type { Json, JsonObject } from '../../messages/json.ts'
import { isJsonObject } from '../wire/wire-value.ts'

/** The name of this provider: `ChatModel.provider`, and the key of its `providerOptions`. */
export const PROVIDER = 'google'

/** A call, or a piece of one where a server streams arguments. */
export interface WireFunctionCall {
  /** Newer models give one. */
  readonly id?: unknown
  readonly name?: unknown
  /** An object; a text where parsing would have changed it. */
  readonly args?: unknown
  readonly partialArgs?: unknown
  /** More of this call follows. */
  readonly willContinue?: unknown
}

/** A value of streamed arguments, or a piece of a text among them. */
export interface WirePartialArg {
  readonly jsonPath?: unknown
  readonly stringValue?: unknown
  readonly numberValue?: unknown
  readonly boolValue?: unknown
  readonly nullValue?: unknown
  readonly willContinue?: unknown
}

/** One part of a content. It has one of the fields with data, and any of those about it. */
export type WirePart = JsonObject & {
  readonly text?: Json
  readonly functionCall?: Json
  readonly inlineData?: Json
  readonly fileData?: Json
  /** The text is a summary of what the model thought. */
  readonly thought?: Json
  /** Goes back with this very part. */
  readonly thoughtSignature?: Json
}

export interface WireCandidate {
  readonly index?: unknown
  readonly content?: unknown
  readonly finishReason?: unknown
  readonly finishMessage?: unknown
  readonly groundingMetadata?: unknown
  readonly urlContextMetadata?: unknown
}

export interface WireUsage {
  readonly promptTokenCount?: unknown
  readonly toolUsePromptTokenCount?: unknown
  readonly candidatesTokenCount?: unknown
  readonly thoughtsTokenCount?: unknown
  readonly cachedContentTokenCount?: unknown
  readonly totalTokenCount?: unknown
}

/** A whole answer, or one chunk of a streamed one. */
export interface WireAnswer {
  readonly candidates?: unknown
  readonly promptFeedback?: unknown
  readonly usageMetadata?: unknown
  readonly modelVersion?: unknown
  readonly responseId?: unknown
}

/** Media as they are sent, inline or by address. */
export type SentMedia =
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } }
  | { readonly fileData: { readonly mimeType: string; readonly fileUri: string } }

/** The result of a call as it is sent, without its id and the caller's own options. */
export interface SentResult {
  readonly name: string
  readonly response: { readonly output: string } | { readonly error: string }
  readonly parts?: readonly SentMedia[]
}

export interface SentDeclaration {
  readonly name: string
  readonly description: string | undefined
  readonly parametersJsonSchema: unknown
}

export interface SentCalling {
  readonly mode?: 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED'
  readonly allowedFunctionNames?: readonly string[]
}

export interface SentToolConfig {
  readonly functionCallingConfig: SentCalling | undefined
  readonly includeServerSideToolInvocations: true | undefined
}

export interface SentGeneration {
  readonly maxOutputTokens: number | undefined
  readonly temperature: number | undefined
  readonly topP: number | undefined
  readonly topK: number | undefined
  readonly stopSequences: readonly string[] | undefined
  readonly seed: number | undefined
  readonly responseMimeType?: string
  readonly responseJsonSchema?: unknown
}

/** The parts of a candidate. Some servers write every field that a part may have, as null where it has none. */
export function partsIn({ content }: WireCandidate): readonly WirePart[] {
  const parts = isJsonObject(content) ? content['parts'] : undefined
  return Array.isArray(parts) ? parts.filter(isJsonObject).map(withoutNulls) : []
}

/** The same object where it has none. */
function withoutNulls(object: JsonObject): JsonObject {
  for (const field in object)
    if (object[field] === null)
      return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
  return object
}

/** Before Gemini 3 there were neither signed calls nor the provider's own tools beside ours. */
export const isBeforeGemini3 = (model: string): boolean =>
  /gemini-(?:[a-z]+-)*[12](?![0-9])|gemma|learnlm/.test(model)

/** The first open models take neither tools nor a system prompt. */
export const OLD_GEMMA = /gemma-(?:[123](?![0-9])|3n)/
