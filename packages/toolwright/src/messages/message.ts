/**
 * The data that flows between a program, a model and its tools. Plain readonly JSON: nothing here
 * has behaviour, so a conversation can be stored, signed, sent and compared as it is.
 */
import type { Json, JsonObject } from './json.ts'

/** Where content came from, and who may see it. A run keeps the high-water mark of all labels it has met. */
export interface Label {
  readonly trust: 'trusted' | 'untrusted'
  readonly private?: true
  readonly source?: string
}

/** Fields that any message, part, response or tool may have besides its content. */
export interface Annotations {
  /**
   * Settings for one provider, keyed by its name, e.g. `{ anthropic: { cache_control: {...} } }`. Other
   * providers ignore them.
   */
  readonly providerOptions?: { readonly [provider: string]: JsonObject }
  readonly label?: Label
}

export interface TextPart extends Annotations {
  readonly type: 'text'
  readonly text: string
}

/**
 * The model's reasoning. `providerData` holds its signature or encrypted form, and is sent back unchanged
 * and in place.
 */
export interface ReasoningPart extends Annotations {
  readonly type: 'reasoning'
  readonly text: string
  readonly providerData?: Json
}

/**
 * The model's request to run a tool. `arguments` is the raw JSON text that the model sent; it may be
 * invalid.
 */
export interface ToolCall extends Annotations {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly providerData?: Json
}

/** An image, audio or a file, inline as base64 `data` or by `url`. */
export interface MediaPart extends Annotations {
  readonly type: 'image' | 'audio' | 'file'
  readonly mediaType: string
  readonly data?: string
  readonly url?: string
  readonly name?: string
}

/**
 * Something that the provider did itself (web search, code, refusal). `kind` is the provider's name for it,
 * `data` the provider's item, unchanged.
 */
export interface ProviderPart extends Annotations {
  readonly type: 'provider'
  readonly kind: string
  readonly data: Json
}

export type UserPart = TextPart | MediaPart
export type AssistantPart = TextPart | ReasoningPart | ToolCall | MediaPart | ProviderPart

/** A tool's result as the model gets it. */
export interface ToolResponse extends Annotations {
  /** The id of the call that it answers. */
  readonly id: string
  readonly name: string
  readonly content: string | readonly UserPart[]
  readonly isError?: boolean
  /** Somebody said no to the call when it waited for approval. It is an error, too. */
  readonly denied?: true
}

export interface SystemMessage extends Annotations {
  readonly role: 'system'
  readonly content: string
}
export interface UserMessage extends Annotations {
  readonly role: 'user'
  readonly content: string | readonly UserPart[]
}
/**
 * Ids of calls are unique in a run. Where several runs write into one conversation, a memory inside the loop marks
 * calls and their responses with the run, so that equal ids of two runs do not mix.
 */
interface OfRun {
  readonly runId?: string
}

/** The parts stay in the model's order, because providers sign it. */
export interface AssistantMessage extends Annotations, OfRun {
  readonly role: 'assistant'
  readonly content: string | readonly AssistantPart[]
  /**
   * The high-water mark of the run that said it, written by a memory: what the run has read is not all in the
   * conversation that goes on. Unlike `label` it keeps nobody from seeing the message.
   */
  readonly mark?: Label
}
/** One message holds all responses to one assistant message, in call order. */
export interface ToolMessage extends Annotations, OfRun {
  readonly role: 'tool'
  readonly responses: readonly ToolResponse[]
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage
