/**
 * A suspended run as a value: plain JSON, signed, free of tools, context values and secrets. It can
 * wait in a database and go on in another process.
 */
import type { ChatResponse, Usage } from './chat-response.ts'
import type { Json, JsonObject } from './json.ts'
import type { Message, ToolResponse } from './message.ts'

/** A call that waits for somebody. */
export interface PendingCall {
  readonly callId: string
  readonly toolName: string
  /** The checked input, as JSON. */
  readonly input: Json
  /** `approval`: may it run? `result`: the application runs it. `question`: the tool asks something. */
  readonly kind: 'approval' | 'result' | 'question'
  readonly reason?: string
  /** What the tool's `preview` says would happen. */
  readonly preview?: Json
  readonly question?: Json
}

/** Somebody's answer to a pending call. */
export type Decision =
  | 'approve'
  | { readonly deny: string }
  | { readonly edit: Json }
  | { readonly result: unknown }
  | { readonly answer: Json }
export type Decisions = { readonly [callId: string]: Decision }

/** What the limits have counted so far in this user turn. */
export interface CallCounters {
  readonly total: number
  readonly perTool: { readonly [toolName: string]: number }
  /** The last call with its result, and how often it came in a row. */
  readonly repeated?: {
    readonly signature: string
    readonly result: string
    readonly count: number
  }
}

/** Where a run stands between two steps. */
export interface RunProgress {
  /** The conversation as the model saw it, up to the newest message. */
  readonly messages: readonly Message[]
  /** Every model answer so far. */
  readonly rounds: readonly ChatResponse[]
  /** Sum over all rounds. */
  readonly usage: Usage
  readonly counters: CallCounters
  /** Responses of the open batch that are already there. */
  readonly answered: readonly ToolResponse[]
  readonly pending: readonly PendingCall[]
  /** Answers already given to a tool's own questions, by call id, in the order it asked. */
  readonly answers: { readonly [callId: string]: readonly Json[] }
  /** The advisors' shared JSON object. */
  readonly context: JsonObject
}

export interface RunState extends RunProgress {
  readonly version: 1
  /** Single use: each suspension makes a new one. */
  readonly id: string
  readonly runId: string
  /** The conversation the run belongs to, as the request named it. */
  readonly conversation?: Json
  /** Tools offered in the suspended round: name to hash of the whole definition. */
  readonly tools: { readonly [toolName: string]: string }
  readonly signature: string
}
