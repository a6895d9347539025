/** The config that an agent takes, and the result that it returns. */
import type { ChatClientOptions } from '../client/client-settings.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { Usage } from '../messages/chat-response.ts'
import type { Decisions, RunState } from '../messages/run-state.ts'
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { ChatModel } from '../model/chat-model.ts'
import type { InferInput } from '../schema/infer-schema.ts'
import type { SchemaSource } from '../tools/tool.ts'
import type { AgentMessage, Call, CallError, Meta, SavedRequest } from './agent-message.ts'
import type { AgentRegistry } from './registry/agent-registry.ts'
import type { CompositionOptions } from './compose/compose-schema.ts'
import type { ModelOptions } from './session/model-options.ts'

/**
 * Finds a saved request by the name in a tool's `_delegate`. Nothing is fetched unless this function does
 * it.
 */
export type ResolveDelegate = (
  reference: string,
) => SavedRequest | undefined | Promise<SavedRequest | undefined>

/**
 * The model, its options (`temperature`, `maxTokens` ...), and every option of a chat client except the
 * settings of the loop: limits, policy, tools, tool context, advisors, chat options, ports. `reasoning`
 * defaults to `optional` here.
 */
export interface AgentConfig
  extends Omit<ChatClientOptions, 'toolCalling'>, CompositionOptions, ModelOptions {
  /** Who is asked. */
  readonly model: ChatModel
  /** Model requests in a run, corrections included. Default 10. */
  readonly maxTurns?: number | 'unlimited'
  /** Default: that of `Tool.register` and `Activity.register`. A run takes a snapshot of it. */
  readonly registry?: AgentRegistry
  /** Finds delegates that the registry does not hold. */
  readonly resolveDelegate?: ResolveDelegate
  /** How deep delegates may run within delegates. Default 5. */
  readonly maxDelegateDepth?: number
  /** What becomes of results without `_outputPath`: data of kind `result` (default), or nothing. */
  readonly resultsWithoutPath?: 'append' | 'forget'
  /** Tells the model how to answer, besides the schema. Replaces the built-in instructions. */
  readonly instructions?: string
  /** The conversation that the run belongs to, for a memory advisor. */
  readonly conversation?: ConversationKey
  /** Aborts the run. */
  readonly signal?: AbortSignal
  /** Receives every event of the run as it happens; events of delegates carry `parentCallId`. */
  readonly onEvent?: (event: ChatEvent) => void
  /** Continues a suspended run. Give the same output schema and context as before. */
  readonly resume?: { readonly state: RunState; readonly decisions: Decisions }
}

/** The type that an output schema describes; without a schema the output is null. */
export type OutputOf<Output> = [Output] extends [undefined] ? null : InferInput<Output>

export interface AgentResult<Output = unknown> {
  readonly output: Output
  /** Every call that the model made, in its order. */
  readonly calls: readonly Call[]
  readonly meta: Meta
  /** The context at the end: the messages given, and what the calls appended. */
  readonly messages: readonly AgentMessage[]
  /** How many model requests were made. */
  readonly turns: number
  /** Calls that failed, including those that the model corrected later. */
  readonly errors: readonly CallError[]
  /** Sum over all turns, without delegates. */
  readonly usage: Usage
}

/** The schema of an agent's output, or undefined when the caller wants none. */
export type OutputSource = SchemaSource | undefined
