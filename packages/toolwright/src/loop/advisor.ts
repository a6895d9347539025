/**
 * The contract of everything that stands between a client and its model. An advisor is an async function
 * from a request to the answer. Events take one road, `request.emit`: an advisor that wants to see or change
 * them passes a wrapped `emit` on. One form serves `call()` and `stream()`.
 */
import type { EmitEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Message } from '../messages/message.ts'
import type { Decisions, PendingCall, RunState } from '../messages/run-state.ts'
import type { ChatModel, Prompt } from '../model/chat-model.ts'
import type { Durability } from '../ports/durability.ts'
import type { ToolCallingManager } from '../tool-calling/tool-calling-manager.ts'

export interface AdvisedRequest {
  readonly prompt: Prompt
  /** What the request set with `.param()`, and the conversation id. */
  readonly params: { readonly [key: string]: unknown; readonly conversation?: Json }
  /** One JSON object per run, shared by all advisors and kept in a suspended state. Write to it freely. */
  readonly context: { [key: string]: Json }
  readonly mode: 'call' | 'stream'
  /** `resume`: a suspended run goes on; its user message was seen before. */
  readonly phase: 'start' | 'resume'
  readonly resume?: { readonly state: RunState; readonly decisions: Decisions }
  readonly model: ChatModel
  readonly signal: AbortSignal
  readonly runId: string
  /** The model call under way, from 1; inside the loop it counts up. */
  readonly round: number
  /**
   * Takes every event of the run towards its readers, at once. To see or change what comes from further in,
   * pass a wrapped one on: `next({ ...request, emit: (event) => request.emit(changed(event)) })`. It is
   * synchronous: nobody waits for it. Once the advisor's turn has ended, its `emit` does nothing but a notice.
   */
  readonly emit: EmitEvent
  /** For I/O: runs once per key of this advisor and round, also when a durable run is replayed. The result must be JSON. */
  step: Durability['step']
}

export interface AdvisedResponse {
  /** Usage is the sum over all rounds. */
  readonly response: ChatResponse
  /** The whole conversation, the answer included. */
  readonly messages: readonly Message[]
  readonly rounds: readonly ChatResponse[]
  readonly pending?: readonly PendingCall[]
  readonly state?: RunState
}

export type NextAdvisor = (request: AdvisedRequest) => Promise<AdvisedResponse>

export interface Advisor {
  readonly name: string
  /** Lower is further out. From `ORDER.first` to `ORDER.last`; equal orders keep the order they were given in. */
  readonly order: number
  /**
   * What makes an advisor special to the chain it stands in. `loop`: it runs the model's tool calls; a chain
   * has at most one. `memory`: it remembers the conversation; inside the loop it replaces the loop's own
   * history. Default: neither.
   */
  readonly role?: 'loop' | 'memory'
  /**
   * Awaits `next(request)` and returns the answer; one that changes nothing returns `next(request)`. Asking
   * again after an answer or a failure is a retry; asking twice at once is an error.
   */
  advise(request: AdvisedRequest, next: NextAdvisor): Promise<AdvisedResponse>
}

/** What the chain around a loop must know of it. */
export interface LoopSettings {
  /** Runs the calls. Default: the client's. */
  readonly manager?: ToolCallingManager
  /** Off: each round sends the system message and the newest tool message only, for a memory advisor inside the loop. */
  readonly conversationHistory?: boolean
  /**
   * Whether the text of rounds that call tools belongs to the answer. Unset: a stream's `content()` passes all
   * text live, a blank line between two rounds, and `call().content()` is the text of the last round. `true`:
   * both have the text of all rounds. `false`: both have only the final answer; a stream holds the text of a
   * round back until the round turns out to be the last. `events()` is complete in any case.
   */
  readonly streamToolCallResponses?: boolean
}

/** The advisor that owns the loop. */
export interface LoopAdvisor extends Advisor {
  readonly role: 'loop'
  readonly toolCalling?: LoopSettings
  /** The same advisor with another manager: a client gives its own to one that was made without. */
  withManager?(manager: ToolCallingManager): LoopAdvisor
}

export interface MemoryAdvisor extends Advisor {
  readonly role: 'memory'
  /**
   * The other half of a memory that stands inside the loop, to stand outside at `loopOrder`: a loop may end
   * with results of its tools, which no round inside has passed on.
   */
  outsideLoop?(loopOrder: number): Advisor
}

export const isLoopAdvisor = (advisor: Advisor): advisor is LoopAdvisor => advisor.role === 'loop'

export const isMemoryAdvisor = (advisor: Advisor): advisor is MemoryAdvisor =>
  advisor.role === 'memory'

/** Where the built-in advisors stand. */
export const ORDER = {
  first: 0,
  memory: 200,
  toolCalling: 300,
  structuredOutput: 400,
  last: 1000,
} as const
