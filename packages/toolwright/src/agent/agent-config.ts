/** What an agent is given, and what it gives back. */
import type { ChatClientOptions } from '../client/client-settings.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { Usage } from '../messages/chat-response.ts'
import type { Decisions, RunState } from '../messages/run-state.ts'
import type { ConversationKey } from '../memory/chat-memory.ts'
import type { ChatModel } from '../model/chat-model.ts'
import type { InferInput } from '../schema/infer-schema.ts'
import type { SchemaSource } from '../tools/tool.ts'
import type { AgentMessage, Call, CallError, Meta, SavedRequest } from './agent-message.ts'
import type { AgentRegistry } from './registry/agent-registry.ts'
import type { CompositionOptions } from './compose/compose-schema.ts'

/** Finds a saved request by the name a tool's `_delegate` gives. Nothing is fetched unless this does it. */
export type ResolveDelegate = (
  reference: string,
) => SavedRequest | undefined | Promise<SavedRequest | undefined>

/**
 * The model, and everything a chat client takes but the loop's own settings: limits, policy, tools,
 * tool context, advisors, chat options, ports. `reasoning` is `optional` here unless said otherwise.
 */
export interface AgentConfig extends Omit<ChatClientOptions, 'toolCalling'>, CompositionOptions {
  readonly model: ChatModel
  /** Model requests in a run, corrections included. Default 10. */
  readonly maxTurns?: number | 'unlimited'
  /** Default: that of `Tool.register` and `Activity.register`. A run takes a snapshot of it. */
  readonly registry?: AgentRegistry
  /** Asked for delegates that the registry does not hold. */
  readonly resolveDelegate?: ResolveDelegate
  /** Delegates within delegates. Default 5. */
  readonly maxDelegateDepth?: number
  /** What becomes of results without `_outputPath`: data of kind `result` (default), or nothing. */
  readonly resultsWithoutPath?: 'append' | 'forget'
  /** What the model is told about answering, besides the schema. Replaces the built-in words. */
  readonly instructions?: string
  /** Which conversation it belongs to, for a memory advisor. */
  readonly conversation?: ConversationKey
  readonly signal?: AbortSignal
  /** Everything that happens, as it happens; events of delegates carry `parentCallId`. */
  readonly onEvent?: (event: ChatEvent) => void
  /** Goes on with a suspended run. Give the same output schema and context as before. */
  readonly resume?: { readonly state: RunState; readonly decisions: Decisions }
}

/** What a schema of an output stands for; without a schema there is no output. */
export type OutputOf<Output> = [Output] extends [undefined] ? null : InferInput<Output>

export interface AgentResult<Output = unknown> {
  readonly output: Output
  /** Every call that was made, in the order it was asked for. */
  readonly calls: readonly Call[]
  readonly meta: Meta
  /** The context as it is now: what was given, and what the calls appended. */
  readonly messages: readonly AgentMessage[]
  /** Model requests made. */
  readonly turns: number
  /** Calls that failed, also those the model corrected later. */
  readonly errors: readonly CallError[]
  /** Sum over all turns; delegates not included. */
  readonly usage: Usage
}

/** What can be asked of an agent: the schema of its output, or nothing. */
export type OutputSource = SchemaSource | undefined
