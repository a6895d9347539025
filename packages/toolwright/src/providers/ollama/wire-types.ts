/**
 * Ollama's `/api/chat` as far as this adapter speaks and reads it. What is read is not trusted: every field may
 * be missing or of another kind. Both halves are held against the types of the official client
 * (test/types/ollama-wire.test-d.ts).
 */
import type { JsonObject } from '../../messages/json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'

/** The name of this provider: `ChatModel.provider`, and the key of its `providerOptions`. */
export const PROVIDER = 'ollama'

/** The address of a server, also where it was given with the path of the API, as older clients write it. */
export const serverAddress = (baseUrl: string): string => baseUrl.replace(/\/+api$/, '')

/** The body of a request, before what the caller gave for this provider is added. */
export interface SentRequest {
  readonly model: string
  readonly messages: readonly SentMessage[]
  readonly tools?: readonly SentTool[]
  /** Always said: without it Ollama streams. */
  readonly stream: boolean
  /** A JSON Schema. */
  readonly format?: JsonObject
  readonly options?: SentOptions
}

/** What runs the model. Everything else that Ollama knows goes in through `providerOptions.ollama.options`. */
export interface SentOptions {
  readonly num_predict?: number
  readonly temperature?: number
  readonly top_p?: number
  readonly top_k?: number
  readonly seed?: number
  readonly stop?: readonly string[]
}

export interface SentMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly thinking?: string
  /** Base64, without anything around it. */
  readonly images?: readonly string[]
  readonly tool_calls?: readonly SentCall[]
  /** Which tool a message of role `tool` is the result of. */
  readonly tool_name?: string
  /** Which call it answers; older servers know only the name. */
  readonly tool_call_id?: string
}

export interface SentCall {
  readonly id?: string
  readonly function: { readonly name: string; readonly arguments: JsonObject }
}

export interface SentTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters: JsonSchema
  }
}

/** A call is always whole. */
export interface WireCall {
  /** Newer servers only. */
  readonly id?: unknown
  readonly function?: WireFunction | null
}

export interface WireFunction {
  /** The number of the call in its answer. Newer servers only, and some models leave it at 0. */
  readonly index?: unknown
  readonly name?: unknown
  /** An object; some models make it a text, or the text of a text. */
  readonly arguments?: unknown
}

/** A message, or the next piece of one. */
export interface WireMessage {
  readonly content?: unknown
  readonly thinking?: unknown
  readonly tool_calls?: unknown
  /** Of models that draw. */
  readonly images?: unknown
}

/** A whole answer, or one line of a streamed one. Reason, counts and durations stand in the last line. */
export interface WireAnswer {
  readonly model?: unknown
  readonly message?: unknown
  readonly done?: unknown
  readonly done_reason?: unknown
  readonly prompt_eval_count?: unknown
  readonly eval_count?: unknown
  readonly logprobs?: unknown
}
