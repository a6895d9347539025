/**
 * A suspended run as a value: plain, signed JSON without tools, context values or secrets. It can be stored
 * in a database and continued in another process.
 */
import type { ChatResponse, Usage } from './chat-response.ts'
import type { Json, JsonObject } from './json.ts'
import type { Label, Message, ToolResponse } from './message.ts'

/** A call that waits for a decision. */
export interface PendingCall {
  readonly callId: string
  /** The call whose tool made this one, if a tool did. */
  readonly parentCallId?: string
  /** Where in its program a tool made the call, if it says so: a line, counted from 1. */
  readonly line?: number
  readonly toolName: string
  /** The checked input, as JSON. */
  readonly input: Json
  /**
   * `approval`: someone must approve the call. `result`: the application supplies the result. `question`:
   * the tool asks a question. `unknown-outcome`: the run was cut off while the tool ran, and nobody knows
   * whether it had its effect.
   */
  readonly kind: 'approval' | 'result' | 'question' | 'unknown-outcome'
  readonly reason?: string
  /** What the tool's `preview` returned. */
  readonly preview?: Json
  readonly question?: Json
  /** In a state only: what the tool keeps for itself while it waits. Those who decide are not shown it. */
  readonly kept?: Json
  /** In a state only, of a call that a tool made: the hash of what it asked, so that a decision is about no other call. */
  readonly made?: string
}

/** What a tool that calls tools left when its run was suspended, for when it runs again. */
export interface CallJournal {
  readonly toolName: string
  /** The call whose tool made this one, if a tool did. */
  readonly parentCallId?: string
  /** Of a call that a tool made, and whose own tool has a journal: its arguments. */
  readonly input?: Json
  /** What the tool gave to `suspend`. */
  readonly journal?: Json
  /** The arguments that it runs with, as JSON, if whoever approved it changed them. */
  readonly edited?: Json
  /** What the results of its calls brought into the run so far. */
  readonly label?: Label
  /** Of a call that a tool made: the hash of what it asked. */
  readonly made?: string
}

/** The decision about a pending call. */
export type Decision =
  | 'approve'
  | 'retry'
  | { readonly deny: string }
  | { readonly edit: Json }
  | { readonly result: unknown }
  | { readonly answer: Json }
export type Decisions = { readonly [callId: string]: Decision }

/** What the limits have counted in this user turn. */
export interface CallCounters {
  readonly total: number
  readonly perTool: { readonly [toolName: string]: number }
  /** The last call with its result, and how often it was repeated. */
  readonly repeated?: {
    readonly signature: string
    readonly result: string
    readonly count: number
  }
}

/** The state of a run between two steps. */
export interface RunProgress {
  /** The conversation as the model saw it, including the newest message. */
  readonly messages: readonly Message[]
  /** All model answers so far. */
  readonly rounds: readonly ChatResponse[]
  /** Sum over all rounds. */
  readonly usage: Usage
  readonly counters: CallCounters
  /** The responses of the open batch that are already known. */
  readonly answered: readonly ToolResponse[]
  readonly pending: readonly PendingCall[]
  /** The answers to a tool's own questions, by call id, in the order of asking. */
  readonly answers: { readonly [callId: string]: readonly Json[] }
  /** What tools that call tools left, by call id; there if one of them waits. */
  readonly journals?: { readonly [callId: string]: CallJournal }
  /** The high-water mark of what the run has met and `messages` does not hold: from a memory inside the loop, or taken out. */
  readonly label?: Label
  /** The JSON object that the advisors share. */
  readonly context: JsonObject
  /** Ids of calls of this run that are in no round here: an advisor outside the loop asked more than once. */
  readonly usedCallIds?: readonly string[]
}

export interface RunState extends RunProgress {
  readonly version: 1
  /** Can be used once: each suspension makes a new id. */
  readonly id: string
  readonly runId: string
  /** The conversation that the run belongs to, as the request named it. */
  readonly conversation?: Json
  /** The tools of the client offered in the suspended round: name to hash of the whole definition. */
  readonly tools: { readonly [toolName: string]: string }
  /** The same of those that advisors and hooks added to the round. They add them again when the run resumes. */
  readonly addedTools?: { readonly [toolName: string]: string }
  /** The same of the tools that tools which wait have called, by the id of the call that called them. */
  readonly nestedTools?: { readonly [callId: string]: { readonly [toolName: string]: string } }
  /** What observers of the run want to have back when it is resumed, by their names. */
  readonly observed?: JsonObject
  readonly signature: string
}
