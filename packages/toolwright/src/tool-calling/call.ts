/** The data of the walk: a batch under way, and what becomes of each of its calls from step to step. */
import type { Issue } from '../errors/issue.ts'
import type { HeldKey } from '../internal/held-locks.ts'
import type { Generation } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { Label, ToolCall } from '../messages/message.ts'
import type { CallJournal } from '../messages/run-state.ts'
import type { Prompt } from '../model/chat-model.ts'
import type { RefusalCode } from '../observation/observer.ts'
import type { Watched, WatchedCallOutcome, Watcher } from '../observation/watcher.ts'
import type { Durability } from '../ports/durability.ts'
import type { RunSettings } from '../run/run-settings.ts'
import type { DefaultToolContext } from '../tools/default-tool-context.ts'
import type { ToolCallback, ToolOutput } from '../tools/tool-callback.ts'
import type { InsideRun, NestedFailureCode } from '../tools/nested-call.ts'
import type { ConvertedResult } from '../tools/to-output.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { CallCounter } from './call-counter.ts'
import type { ManagerSettings } from './manager-options.ts'
import type { ToolExecutionRun } from './tool-calling-manager.ts'

/** What the loop tells its manager besides the public contract. A manager that wraps another passes it on. */
export interface BatchRun extends ToolExecutionRun {
  /** The run's settings. Default: the manager's own. */
  readonly settings?: RunSettings | undefined
  /** The observation that the tools belong to. Default: the observer and logger of the settings. */
  readonly watcher?: Watcher | undefined
  /** The conversation's key. Results are not shared between tenants. */
  readonly conversation?: Json | undefined
}

/** Everything that the steps of a call can read. */
export interface Batch {
  /** How this manager permits calls and explains failures. */
  readonly manager: ManagerSettings
  readonly settings: RunSettings
  readonly prompt: Prompt
  readonly generation: Generation
  readonly run: BatchRun
  /** Those that were offered. */
  readonly tools: readonly ToolCallback[]
  readonly counter: CallCounter
  /** What the request gave for the tools, frozen. */
  readonly values: { readonly [key: string]: unknown }
  /** The contexts of running tools; an abort of the batch aborts them. */
  readonly running: Set<DefaultToolContext>
  readonly watcher: Watcher | undefined
  /** The locks of the calls that this one is made inside of. */
  readonly held?: readonly HeldKey[] | undefined
  /** How its calls run if the run is durable. Undefined if it is not. */
  readonly durable: DurableCalls | undefined
  /** There if tools of it call tools: what all these calls share. */
  readonly shared?: SharedByCalls
  /** There if a policy is asked, or tools of it call tools: what the run has met besides the messages of the prompt, so far. */
  readonly mark?: LiveMark
  /** Of calls that a tool makes. */
  readonly nesting?: Nesting
  /** There if tools that call tools go on with a suspended run. */
  readonly reopened?: ReopenedCalls
}

/** What the calls of a batch share with the calls that its tools make. */
export interface SharedByCalls {
  readonly walk: CallWalk
  readonly places: CallPlaces
}

/** Those of calls that may run at once. */
export interface CallPlaces {
  /** Waits for a free place; gives what frees it again. An abort of the run rejects. */
  take(batch: Batch, ready: ReadyCall): Promise<() => void>
}

/** The way of a call, for whoever makes one. */
export interface CallWalk {
  prepare(batch: Batch, call: ToolCall): Promise<PreparedCall>
  settle(batch: Batch, prepared: PreparedCall): CallOutcome | Promise<CallOutcome>
}

/** The labels that a run meets, joined as they come. */
export interface LiveMark {
  readonly label: Label | undefined
  raise(label: Label): void
}

/** What the walk of a call that a tool makes has besides. */
export interface Nesting {
  readonly parentCallId: string
  /** What the tool that made the call gets besides the response. */
  told(settled: SettlingCall, outcome: ToldOutcome): NestedTold
}

/** What an outcome tells the tool that made the call. */
export interface NestedTold {
  /** What a model would read of the result, uncut, as JSON text. */
  readonly json?: string
  readonly code?: NestedFailureCode
}

export interface ToldOutcome {
  readonly output?: ToolOutput
  readonly checked?: unknown
  readonly error?: unknown
}

/** The calls that tools have made and that wait, when the run goes on. Every decision about them was found good. */
export interface ReopenedCalls {
  /** The tools that the tool of this call may call, if it has waited. */
  toolsOf(callId: string): readonly ToolCallback[] | undefined
  /** Those of them that it has called. */
  usedBy(callId: string): readonly ToolDefinition[]
  /** A call that waited, or whose tool's calls did; undefined if it is a new one. */
  prepare(batch: Batch, call: ToolCall): Promise<PreparedCall> | undefined
}

/** Found, parsed, checked and permitted: the call runs next. */
export interface ReadyCall {
  readonly kind: 'ready'
  readonly call: ToolCall
  readonly tool: ToolCallback
  /** The checked input, as the tool gets it. */
  readonly input: unknown
  /** What was checked: the arguments as JSON text. */
  readonly text: string
  /** What the tool may see of the request's tool context. */
  readonly values: { readonly [key: string]: unknown }
  /** What was answered to the tool's own questions so far. */
  readonly answers: readonly Json[]
  /** What the tool kept with the question that the last of the answers was given to. */
  readonly kept?: Json | undefined
  /** The arguments that run, as JSON, if whoever approved the call changed them. */
  readonly edited?: Json | undefined
  /** Set when it is settled under observation: a copy with it would cost more than the rest of watching. */
  watched?: Watched
  /** Its place among the calls that run beside it, if the run is durable. */
  readonly turn?: CallTurn
  /** The calls that its tool makes. Set when it begins, if it may make some. */
  inside?: InsideCall
  /** What a run inside its tool has met, if the tool is no `inside`. */
  marked?: Label
}

/** A call whose tool makes calls. */
export interface InsideCall extends InsideRun {
  /** The tool starts, with the locks of this batch. */
  begin(batch: Batch): void
  /** Of what the tool says: its own, and what the results of its calls brought. */
  readonly label: Label | undefined
}

type SettlingCall = ReadyCall | SuppliedCall | RefusedCall

export interface ToolResult extends ConvertedResult {
  /** Instead of the tool's own: a run inside it has met more. */
  readonly label?: Label
}

/** One attempt to run a call. */
export interface Attempt {
  /** From 1. */
  readonly number: number
  /** The time it has, if that is not the tool's own. */
  readonly timeoutMs?: number | undefined
  /** Told of the tool's work, which may go on after the attempt was given up. */
  readonly onStarted?: (running: Promise<unknown>) => void
}

export type RunAttempt<T> = (batch: Batch, ready: ReadyCall, attempt: Attempt) => Promise<T>

/** The application gave the result. */
export interface SuppliedCall {
  readonly kind: 'supplied'
  readonly call: ToolCall
  readonly tool: ToolCallback
  readonly value: unknown
  /** The arguments that it ran with, as JSON, if whoever approved it changed them. */
  readonly edited?: Json | undefined
}

/** The call does not run, and the model reads why. */
export interface RefusedCall {
  readonly kind: 'refused'
  readonly call: ToolCall
  readonly why: string
  /** The same for whoever watches. */
  readonly code: RefusalCode
  /** What is wrong with its arguments, in words for a person too. */
  readonly problem?: string
  /** The same place by place. */
  readonly issues?: readonly Issue[]
  /** Somebody said no to it. */
  readonly isDenied?: true
  /** Tells the tool that the question it waited with was denied. */
  readonly tell?: () => void
}

/** Answered before, or waiting for a decision. */
export interface SettledCall {
  readonly kind: 'settled'
  readonly call: ToolCall
  readonly outcome: CallOutcome
}

export type PreparedCall = ReadyCall | SuppliedCall | RefusedCall | SettledCall

/** What the model is to read of a call that ran; of a call that a tool made, what that tool reads. */
export interface StepOutcome extends NestedTold {
  readonly output: ToolOutput
  readonly isError?: true
}

/** What has become of a call: a response, or the decisions that it waits for. */
export interface CallOutcome extends WatchedCallOutcome, NestedTold {
  /** With `pending`: what tools that call tools left. */
  readonly left?: LeftByTools
}

/** What tools left whose calls wait. */
export interface LeftByTools {
  readonly calls: readonly LeftCall[]
  /** Answers given to calls that tools made and that ask again. */
  readonly answers: readonly (readonly [callId: string, given: readonly Json[]])[]
}

export interface LeftCall {
  readonly callId: string
  readonly journal: CallJournal
  /** The tools that it has called. */
  readonly used: readonly ToolDefinition[]
}

/** How the calls of a durable run run: each is a step, and so is the order in which their results were taken. */
export interface DurableCalls {
  readonly step: Durability['step']
  /** Runs one call as a step. `run` is the tool's own part, with its gates and attempts. */
  runAsStep(batch: Batch, ready: ReadyCall, run: () => Promise<ToolResult>): Promise<CallOutcome>
  /** Settles several calls. The steps are started in call order, before anything is waited for. */
  settleInOrder(
    batch: Batch,
    prepared: readonly PreparedCall[],
    settle: (batch: Batch, prepared: PreparedCall) => CallOutcome | Promise<CallOutcome>,
  ): Promise<readonly CallOutcome[]>
}

/** One call among those of its batch that run side by side as durable steps. */
export interface CallTurn {
  /** The work of its step begins. Waits until one more call may run; gives what frees the place again. */
  begin(): Promise<() => void>
  /** Records its result when it is its turn: at once where something runs, in the recorded order at a replay. */
  take(record: () => CallOutcome): Promise<CallOutcome>
}
