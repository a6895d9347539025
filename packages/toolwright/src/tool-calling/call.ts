/** The data of the walk: a batch under way, and what becomes of each of its calls from step to step. */
import type { HeldKey } from '../internal/held-locks.ts'
import type { Generation } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import type { ToolCall } from '../messages/message.ts'
import type { Prompt } from '../model/chat-model.ts'
import type { Watched, WatchedCallOutcome, Watcher } from '../observation/watcher.ts'
import type { RunSettings } from '../run/run-settings.ts'
import type { DefaultToolContext } from '../tools/default-tool-context.ts'
import type { ToolCallback, ToolOutput } from '../tools/tool-callback.ts'
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
  /** The tools that running tools called inside, to be sealed if the run is suspended. Made with the first. */
  nested?: Set<ToolDefinition>
  /** Takes a call that a running tool makes through the same walk, in this batch. */
  readonly callInside: (
    batch: Batch,
    call: ToolCall,
    tools: readonly ToolCallback[],
  ) => Promise<CallOutcome>
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
  /** The question that the last of the answers was given to. */
  readonly asked?: Json
  /** Whoever approved the call changed its arguments. */
  readonly edited?: true
  readonly watched?: Watched
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
}

/** The call does not run, and the model reads why. */
export interface RefusedCall {
  readonly kind: 'refused'
  readonly call: ToolCall
  readonly why: string
}

/** Answered before, or waiting for a decision. */
export interface SettledCall {
  readonly kind: 'settled'
  readonly call: ToolCall
  readonly outcome: CallOutcome
}

export type PreparedCall = ReadyCall | SuppliedCall | RefusedCall | SettledCall

/** What a durable step records of a call. */
export interface StepOutcome {
  readonly output: ToolOutput
  readonly isError?: true
}

/** What has become of a call: a response, or a decision that it waits for. */
export type CallOutcome = WatchedCallOutcome
