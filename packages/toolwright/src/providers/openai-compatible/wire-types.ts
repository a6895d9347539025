/**
 * The Chat Completions dialect as its many servers send it, and as we send it to them. Of an answer nothing is
 * trusted: every field may be missing, null or of another kind, so readers check what they use.
 */
import type { Json } from '../../messages/json.ts'

export interface WireFunction {
  readonly name?: unknown
  /** JSON text; some servers send the object itself. */
  readonly arguments?: unknown
}

/** A call, or a piece of one: streams send it in deltas. */
export interface WireToolCall {
  readonly index?: unknown
  readonly id?: unknown
  readonly type?: unknown
  readonly function?: WireFunction | null
  /** What some servers want back with the call, e.g. a thought signature. */
  readonly extra_content?: Json
}

/** A message, or a delta of one. */
export interface WireMessage {
  readonly content?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly tool_calls?: readonly (WireToolCall | null)[] | null
  /** How calls looked before there were several. */
  readonly function_call?: WireFunction | null
  readonly refusal?: unknown
}

export interface WireChoice {
  readonly index?: unknown
  readonly message?: WireMessage | null
  readonly delta?: WireMessage | null
  readonly finish_reason?: unknown
  readonly logprobs?: unknown
}

export interface WireUsage {
  readonly prompt_tokens?: unknown
  readonly completion_tokens?: unknown
  readonly total_tokens?: unknown
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: unknown
    readonly cache_write_tokens?: unknown
  } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null
  /** DeepSeek's and Moonshot's older names for cached input. */
  readonly prompt_cache_hit_tokens?: unknown
  readonly cached_tokens?: unknown
}

/** A whole answer, or one event of a streamed one. */
export interface WireAnswer {
  readonly id?: unknown
  readonly model?: unknown
  readonly choices?: readonly (WireChoice | null)[] | null
  readonly usage?: WireUsage | null
  readonly x_groq?: { readonly usage?: WireUsage | null } | null
}

/** What is sent, apart from `providerOptions`, which may add any field. */
export type SentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | {
      readonly type: 'input_audio'
      readonly input_audio: { readonly data: string; readonly format: string }
    }
  | {
      readonly type: 'file'
      readonly file: { readonly filename: string; readonly file_data: string }
    }

export interface SentCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  /** Where it came with the call. */
  readonly extra_content?: Json
}

export interface SentAssistant {
  readonly role: 'assistant'
  /** Parts only where one of them has options. */
  readonly content: string | readonly SentPart[] | null
  readonly refusal?: Json
  readonly tool_calls?: readonly SentCall[]
  /** Where the server sent its thoughts so. */
  readonly reasoning_content?: string
  readonly reasoning?: string
}

export interface SentSpoken {
  readonly role: 'system' | 'user'
  readonly content: string | readonly SentPart[]
}

export interface SentResult {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly content: string
}

/** Everything short of a request. */
export interface SentParameters {
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage: boolean }
  readonly max_tokens?: number | undefined
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  /** Only where the caller sets it: servers of open models take it. */
  readonly top_k?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly seed?: number | undefined
  readonly tool_choice?: SentChoice | undefined
  readonly parallel_tool_calls?: boolean | undefined
}

export type SentChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }
