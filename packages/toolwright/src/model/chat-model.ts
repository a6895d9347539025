/**
 * The contract of a chat model. An adapter turns a `Prompt` into one exchange with a provider and
 * back; it knows nothing of loops, memory or execution.
 */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { JsonObject } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { ToolCallbackResolver } from '../tools/tool-callback-resolver.ts'
import type { ToolSource } from '../tools/tool-source.ts'

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string }

/** Settings of one request. Absent means the model's default. */
export interface ChatOptions {
  readonly model?: string
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly maxTokens?: number
  readonly stopSequences?: readonly string[]
  readonly seed?: number
  /**
   * The answer must be JSON of this schema. For a model whose capabilities say `structuredOutput`; any other
   * is asked by words when a client asks it.
   */
  readonly outputSchema?: JsonSchema
  /** Passed to one provider as they are, keyed by its name. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject }
  /** From the client a model gets a flat list of callbacks. As defaults they are shared by everybody who uses the model. */
  readonly tools?: readonly ToolSource[]
  /** One set with `tools`; found by the client's or the model's resolver. */
  readonly toolNames?: readonly string[]
  /** For the tools only. Never sent. */
  readonly toolContext?: { readonly [key: string]: unknown }
  /** A forced choice holds for the first round only. */
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
  /** Names of tools to hold back until the model searches for them. For a model whose capabilities say `nativeToolSearch`. */
  readonly deferredTools?: readonly string[]
  /** `false`: a model made by `withToolExecution` returns its calls unexecuted. The client's loop sets it. */
  readonly internalToolExecution?: boolean
}

export interface Prompt {
  readonly messages: readonly Message[]
  readonly options?: ChatOptions
}

/** What a model can do. Absent means tools yes, everything else no. */
export interface ModelCapabilities {
  readonly tools?: boolean
  /** `outputSchema` is understood, also beside tools. */
  readonly structuredOutput?: boolean
  /** `parallelToolCalls: false` is understood. */
  readonly parallelOff?: boolean
  readonly reasoning?: boolean
  readonly media?: boolean
  /** `deferredTools` is understood: the provider searches them by itself. */
  readonly nativeToolSearch?: boolean
}

export interface ModelRun {
  readonly signal?: AbortSignal
  /** Takes the notices of a `call`, which has no other way to tell them. A stream yields its own. */
  readonly emit?: (notice: ChatEvent) => void
}

export interface ChatModel {
  /** Who answers, e.g. `openai`; also the key of its `providerOptions`. */
  readonly provider: string
  readonly model: string
  readonly capabilities: ModelCapabilities
  /** Its own defaults, overlaid field by field by the prompt's options. Tools among them are shared by all its users. */
  readonly options: ChatOptions
  /** Finds the tools that its options name; a client without a resolver uses it too. */
  readonly resolver?: ToolCallbackResolver
  /** One exchange. Rejects with a catalogue error, or with the signal's reason. */
  call(prompt: Prompt, run?: ModelRun): Promise<ChatResponse>
  /**
   * The same exchange in pieces: deltas, `tool-call-start`, complete `tool-call` and `part` events in
   * the order of the message's parts, and at the end one `response`. Leaving the iteration closes it.
   */
  stream(prompt: Prompt, run?: ModelRun): AsyncIterable<ChatEvent>
}
