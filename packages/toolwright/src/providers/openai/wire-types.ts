/**
 * The Responses API as far as this adapter speaks it. What is sent has exact types, which are checked against
 * those of OpenAI's own client. Of what is read only the needed fields have names, and none of them is trusted:
 * other servers speak the dialect too.
 */
import type { Json, JsonObject } from '../../messages/json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { isJsonObject, isText } from '../wire/wire-value.ts'

/** The name of this provider: `ChatModel.provider`, and the key of its `providerOptions`. */
export const PROVIDER = 'openai'

/** Content that a user or a tool brings. */
export type SentContent =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url?: string; readonly detail: 'auto' }
  | {
      readonly type: 'input_file'
      readonly filename?: string
      readonly file_data?: string
      readonly file_url?: string
    }

/** A message of a user or of the system, or one of an assistant that this API did not make. */
export interface SentSpoken {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly SentContent[]
}

/** Content of a message that the model has given before. */
export type SentSaid =
  | { readonly type: 'output_text'; readonly text: string; readonly annotations: readonly never[] }
  | { readonly type: 'refusal'; readonly refusal: string }

export interface SentCall {
  readonly type: 'function_call'
  readonly call_id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

export interface SentResult {
  readonly type: 'function_call_output'
  readonly call_id: string
  readonly output: string | readonly SentContent[]
}

export interface SentTool {
  readonly type: 'function'
  readonly name: string
  readonly description?: string | undefined
  readonly parameters: JsonSchema
  readonly strict: boolean
}

export type SentChoice =
  'auto' | 'none' | 'required' | { readonly type: 'function'; readonly name: string }

export interface SentFormat {
  readonly type: 'json_schema'
  readonly name: string
  readonly schema: JsonSchema
  readonly strict: boolean
}

/** Everything of a request but its tools and its input. */
export interface SentParameters {
  readonly model: string
  readonly max_output_tokens?: number | undefined
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  readonly tool_choice?: SentChoice | undefined
  readonly parallel_tool_calls?: boolean | undefined
  readonly store: boolean
  readonly stream?: boolean | undefined
}

/** One entry of `output`: a message, a thought, a call, and whatever the provider adds. */
export interface WireItem extends JsonObject {
  readonly type: string
}

/** What is said of an answer besides its items. A stream says it at the start and, completely, at the end. */
export type WireResponse = JsonObject & {
  readonly id?: Json
  readonly model?: Json
  readonly status?: Json
  readonly incomplete_details?: Json
  readonly usage?: Json
}

/** Servers leave the type of a message out, as a request may. Undefined for what is no item. */
export function toItem(x: unknown): WireItem | undefined {
  if (!isJsonObject(x)) return undefined
  if (isText(x['type'])) return x as WireItem
  return isText(x['role']) ? { ...x, type: 'message' } : undefined
}
