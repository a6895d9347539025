/** The contract of running a model's tool calls. The default is in default-tool-calling-manager.ts. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Label, Message, ToolResponse } from '../messages/message.ts'
import type {
  CallCounters,
  Decisions,
  PendingCall,
  RunProgress,
  RunState,
} from '../messages/run-state.ts'
import type { ChatOptions, Prompt } from '../model/chat-model.ts'
import type { Durability } from '../ports/durability.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { ManagerSettings } from './manager-options.ts'
import type { LimitName } from '../run/limits.ts'

export interface ToolExecutionRun {
  readonly signal?: AbortSignal
  readonly emit?: (event: ChatEvent) => void
  /** A suspended run that goes on; used up once every decision was found good. */
  readonly state?: RunState
  readonly decisions?: Decisions
  /** Responses of this batch that are already there. */
  readonly answered?: readonly ToolResponse[]
  /** The high-water mark of what the run has met and the prompt's messages do not hold. */
  readonly label?: Label | undefined
  /** What this user turn has counted so far. */
  readonly counters?: CallCounters
  /** How the run is asked; a tool that is a run of its own is asked the same way. Default `call`. */
  readonly mode?: 'call' | 'stream'
  /** Names the run in idempotency keys. */
  readonly runId?: string
  /** The run's scoped durability; default: the manager's. */
  readonly step?: Durability['step']
}

export interface ToolExecutionResult {
  /** In call order. With `pending`, only those that are there. */
  readonly responses: readonly ToolResponse[]
  /** The prompt's messages, the assistant message and, when nothing is pending, its tool message. */
  readonly conversationHistory: readonly Message[]
  /** Every call asked for return direct and none failed. */
  readonly returnDirect: boolean
  readonly pending?: readonly PendingCall[]
  readonly counters?: CallCounters
  /** The call limit this batch met. */
  readonly limit?: LimitName
  /** With `pending`: what tools that call tools left, by call id. */
  readonly journals?: RunProgress['journals']
  /** With `journals`: the tools that they have called. Their definitions are sealed too. */
  readonly nestedTools?: { readonly [callId: string]: readonly ToolDefinition[] }
  /** Answers given to tools that ask again, by call id. */
  readonly answers?: { readonly [callId: string]: readonly Json[] }
}

export interface ToolCallingManager {
  /** Its normalised options, by which the runs that it serves are run; a manager without them gets the defaults. */
  readonly settings?: ManagerSettings
  /**
   * What the model sees: asked in every round, with the options that the round offers its tools in. A tool that
   * it leaves out is neither sent nor run; a changed definition is sent as it is, and the tool of that name runs;
   * one that no offered tool has is sent too, and its calls are for `executeToolCalls` to answer.
   */
  resolveToolDefinitions(options: ChatOptions): Promise<readonly ToolDefinition[]>
  /**
   * Runs the calls of the first generation that has some. `prompt` is the round's own, so that only what was
   * offered runs. Tool failures are responses; it rejects for wrong configuration, aborts, and what the
   * exception processor throws.
   */
  executeToolCalls(
    prompt: Prompt,
    response: ChatResponse,
    run?: ToolExecutionRun,
  ): Promise<ToolExecutionResult>
}
