/**
 * The Chat Completions dialect as its many servers send it. Nothing is trusted: every field may be
 * missing, null or of another kind, so readers check what they use.
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
