/**
 * The Messages API as far as this adapter reads it. Only the fields it needs have names: everything
 * else a block or message carries is kept as it came.
 */
import type { JsonObject } from '../../messages/json.ts'
import { isJsonObject } from '../wire/wire-value.ts'

/** The name of this provider: `ChatModel.provider`, and the key of its `providerOptions`. */
export const PROVIDER = 'anthropic'

/** One entry of a message's `content`: text, thinking, tool_use, and whatever the provider adds. */
export interface WireBlock extends JsonObject {
  readonly type: string
}

/** What is said of an answer besides its content. In a stream it comes in two parts, at start and end. */
export type WireMessage = JsonObject & {
  readonly id?: string
  readonly model?: string
  readonly stop_reason?: string | null
  readonly usage?: JsonObject
}

export function isWireBlock(x: unknown): x is WireBlock {
  return isJsonObject(x) && typeof x['type'] === 'string'
}

/** What is sent, apart from `providerOptions`, which may add any field: everything short of a request. */
export interface SentSettings {
  readonly model: string
  readonly max_tokens: number
  /** Only where the caller sets it, like the next two: older models take them. */
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  readonly top_k?: number | undefined
  readonly stop_sequences?: readonly string[] | undefined
  readonly tool_choice?: SentChoice | undefined
  readonly stream?: true | undefined
}

export type SentChoice =
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: boolean }
  | {
      readonly type: 'tool'
      readonly name: string
      readonly disable_parallel_tool_use?: boolean
    }
  | { readonly type: 'none' }

export interface SentTool {
  readonly name: string
  readonly description?: string | undefined
  readonly input_schema: unknown
  readonly input_examples?: unknown
  readonly defer_loading?: boolean
}

export type SentSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
  | { readonly type: 'url'; readonly url: string }

export interface SentText {
  readonly type: 'text'
  readonly text: string
}
export interface SentCall {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
}
export interface SentResult {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly is_error?: boolean
}
