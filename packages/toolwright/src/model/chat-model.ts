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

/** Settings of one request. A missing setting means the model's default. */
export interface ChatOptions {
  /** Another model of the same provider. */
  readonly model?: string
  /** How much chance there is in the choice of words; 0 is least. */
  readonly temperature?: number
  /** Chooses among the likeliest words whose probabilities sum to this. */
  readonly topP?: number
  /** Chooses among this many of the likeliest words. */
  readonly topK?: number
  /** The most tokens of one answer; a longer one ends with finish reason `length`. */
  readonly maxTokens?: number
  /** Texts at which the answer ends. */
  readonly stopSequences?: readonly string[]
  /** Makes answers repeatable, as far as the provider can. */
  readonly seed?: number
  /**
   * The answer must be JSON that fits this schema. Only models with the capability `structuredOutput` take
   * it; for any other, the client puts it into the prompt. A JSON Schema: `toJsonSchema()` makes one of a
   * Standard Schema.
   */
  readonly outputSchema?: JsonSchema
  /** Options for one provider, passed on unchanged, keyed by the provider's name. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject }
  /**
   * A client passes the model a flat list of callbacks. As defaults of a model, the tools are shared by all
   * its users.
   */
  readonly tools?: readonly ToolSource[]
  /** Tools by name, found by the client's or the model's resolver. Together with `tools` they are one set. */
  readonly toolNames?: readonly string[]
  /** Values for the tools. They are never sent to the model. */
  readonly toolContext?: { readonly [key: string]: unknown }
  /** A forced choice applies to the first round only. */
  readonly toolChoice?: ToolChoice
  /** False: at most one tool call in each answer, where the provider supports it. */
  readonly parallelToolCalls?: boolean
  /**
   * Names of tools that the model does not see until it searches for them. Only models with the capability
   * `nativeToolSearch` take them.
   */
  readonly deferredTools?: readonly string[]
  /**
   * `false`: a model made by `withToolExecution` returns its calls unexecuted. The client's loop sets this.
   */
  readonly internalToolExecution?: boolean
}

export interface Prompt {
  readonly messages: readonly Message[]
  readonly options?: ChatOptions
}

/** What a model supports. A missing field means yes for tools, and no for everything else. */
export interface ModelCapabilities {
  readonly tools?: boolean
  /** The model takes a `toolChoice` that forces a call: `required`, or one tool. */
  readonly toolChoice?: boolean
  /** The model takes `parallelToolCalls: false`. */
  readonly parallelOff?: boolean
  /** The provider holds the arguments of calls to the schemas of the tools. */
  readonly strictTools?: boolean
  /** The model takes `outputSchema`, also together with tools. */
  readonly structuredOutput?: boolean
  /** The model thinks before it answers, and shows it or wants it back. */
  readonly reasoning?: boolean
  /** Images in the user's messages. */
  readonly media?: boolean
  /** Documents, PDF above all, in the user's messages. */
  readonly files?: boolean
  /** Images in the results of tools. Elsewhere they follow in a message of the user. */
  readonly mediaInResults?: boolean
  /** The provider has tools that it executes itself; they are given through `providerOptions`. */
  readonly providerTools?: boolean
  /** Repeated beginnings of a conversation are kept by the provider, by itself or where it is told to. */
  readonly promptCaching?: boolean
  /** The model takes `deferredTools`: the provider searches them itself. */
  readonly nativeToolSearch?: boolean
}

export interface ModelRun {
  readonly signal?: AbortSignal
  /** Receives the notices of a `call`. A stream yields its notices instead. */
  readonly emit?: (notice: ChatEvent) => void
}

/** Where a model is asked: a host and its port, and nothing else of an address. */
export interface ModelServer {
  readonly address: string
  readonly port: number
}

export interface ChatModel {
  /** The provider's name, e.g. `openai`; also the key of its `providerOptions`. */
  readonly provider: string
  readonly model: string
  /** The server that is asked, for whoever observes. Absent: not known, not always the same, or there is none. */
  readonly server?: ModelServer
  readonly capabilities: ModelCapabilities
  /** What another model of the same provider can do: the one that `options.model` names. Absent: the same. */
  capabilitiesOf?(model: string): ModelCapabilities
  /**
   * The model's defaults. The prompt's options override them field by field. Tools among them are shared by
   * all users of the model.
   */
  readonly options: ChatOptions
  /** Finds the tools that the options name. A client without a resolver uses it too. */
  readonly resolver?: ToolCallbackResolver
  /** Makes one exchange. Rejects with an error of the catalogue, or with the signal's reason. */
  call(prompt: Prompt, run?: ModelRun): Promise<ChatResponse>
  /**
   * Makes the same exchange in pieces: deltas, `tool-call-start`, complete `tool-call` and `part` events in
   * the order of the message's parts, and finally one `response`. Leaving the iteration closes it.
   */
  stream(prompt: Prompt, run?: ModelRun): AsyncIterable<ChatEvent>
}
