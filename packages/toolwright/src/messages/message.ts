/**
 * The data that flows between a program, a model and its tools. Plain readonly JSON: nothing here
 * has behaviour, so a conversation can be stored, signed, sent and compared as it is.
 */
import type { Json, JsonObject } from './json.ts'

/** Where content came from and how far it may travel. A run keeps the high-water mark of all labels it met. */
export interface Label {
  readonly trust: 'trusted' | 'untrusted'
  readonly private?: true
  readonly source?: string
}

/** What any message, part, response or tool may carry besides its content. */
export interface Annotations {
  /** Settings for one provider, keyed by its name, e.g. `{ anthropic: { cache_control: {...} } }`. Others ignore them. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject }
  readonly label?: Label
}

export interface TextPart extends Annotations {
  readonly type: 'text'
  readonly text: string
}

/** What the model thought. `providerData` holds its signature or encrypted form and goes back untouched, in place. */
export interface ReasoningPart extends Annotations {
  readonly type: 'reasoning'
  readonly text: string
  readonly providerData?: Json
}

/** The model's wish to run a function tool. `arguments` is the raw JSON text as sent; it may be invalid. */
export interface ToolCall extends Annotations {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly providerData?: Json
}

/** An image, a sound or a file, inline as base64 `data` or by `url`. */
export interface MediaPart extends Annotations {
  readonly type: 'image' | 'audio' | 'file'
  readonly mediaType: string
  readonly data?: string
  readonly url?: string
  readonly name?: string
}

/** What the provider did itself (web search, code, refusal). `kind` is its own type name, `data` its item untouched. */
export interface ProviderPart extends Annotations {
  readonly type: 'provider'
  readonly kind: string
  readonly data: Json
}

export type UserPart = TextPart | MediaPart
export type AssistantPart = TextPart | ReasoningPart | ToolCall | MediaPart | ProviderPart

/** What the model is told a tool answered. */
export interface ToolResponse extends Annotations {
  /** The id of the call it answers. */
  readonly id: string
  readonly name: string
  readonly content: string | readonly UserPart[]
  readonly isError?: boolean
}

export interface SystemMessage extends Annotations {
  readonly role: 'system'
  readonly content: string
}
export interface UserMessage extends Annotations {
  readonly role: 'user'
  readonly content: string | readonly UserPart[]
}
/** Parts stay in the model's order: providers sign it. */
export interface AssistantMessage extends Annotations {
  readonly role: 'assistant'
  readonly content: string | readonly AssistantPart[]
}
/** One message holds all results of one assistant turn, in call order. */
export interface ToolMessage extends Annotations {
  readonly role: 'tool'
  readonly responses: readonly ToolResponse[]
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage
