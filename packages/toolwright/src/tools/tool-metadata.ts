/** What the runner knows about a tool. None of it reaches the model. */
import type { Json } from '../messages/json.ts'
import type { ToolContext } from './tool-context.ts'

export interface ToolHints {
  /** Changes nothing: it may run together with others under one lock, and may be retried. */
  readonly readOnly?: boolean
  /** Needs approval before it runs. */
  readonly destructive?: boolean
  /** Running it twice has the same effect as once, so it may be retried. */
  readonly idempotent?: boolean
  /** Reaches systems that others control, such as the web: unless its labels say otherwise, it sends and is untrusted. */
  readonly openWorld?: boolean
}

/**
 * What running the tool again does. `read`: nothing. `idempotent`: the same. `keyed`: the same, if the tool
 * passes `context.idempotencyKey` on. `once`: it must not be repeated automatically.
 */
export type ToolEffect = 'read' | 'idempotent' | 'keyed' | 'once'

export interface ToolRetry {
  /** How many times it runs at most, including the first: a whole number from 1. */
  readonly attempts: number
  /** The pause before the second run, in ms; it doubles each time. Default 200. */
  readonly delayMs?: number
}

export interface ToolMetadata {
  /** The result is the answer; the model does not see it. */
  readonly returnDirect: boolean
  readonly hints: ToolHints
  readonly effect: ToolEffect
  /**
   * How long one attempt may take, in ms; a wait for the tool's lock counts. The functions around the tool
   * (approval, preview, policy, validators, converter, exception processor) have the same time each, or that of
   * the run if the tool is `unlimited`. Overrides `limits.toolTimeoutMs`.
   */
  readonly timeoutMs?: number | 'unlimited'
  /**
   * Only for tools whose effect is not `once`. An attempt that timed out is waited for, at most as long again; one
   * that does not end is not repeated.
   */
  readonly retry?: ToolRetry
  /** `true`, or a predicate: whether this input needs approval. If the predicate throws or takes too long, it does. */
  readonly approval?: boolean | ((input: never, context: ToolContext) => boolean | Promise<boolean>)
  /** Describes what would happen, for the person who approves. */
  readonly preview?: (input: never, context: ToolContext) => Json | Promise<Json>
  /**
   * Undoes what a finished call did, when its durable run is cancelled. It gets the checked input and, as JSON, what
   * the tool returned; it has the time of one attempt. `undoCall()` calls it.
   */
  readonly undo?: (input: never, result: never, context: ToolContext) => void | Promise<void>
  /**
   * Told, with what `toolRunOf(context).ask` kept, of a call whose question was denied: it does not run again, so that
   * what it left open can be closed. Told by the process that resumed the run, at a replay again; what it throws is
   * ignored.
   */
  readonly denied?: (kept: Json) => void
  /**
   * Calls with equal keys, of any tool, run one after another, unless the tool is read-only. The lock is held until
   * the tool has settled, also if its call timed out or its run was aborted. `undefined`: no lock.
   */
  readonly lock?: (input: never) => string | undefined
  /**
   * At most `calls` attempts may start within `perMs`; more wait for their turn. If that would take longer than
   * `limits.toolTimeoutMs` or the tool's own `timeoutMs`, whichever is longer, the call fails at once.
   */
  readonly rateLimit?: { readonly calls: number; readonly perMs: number }
  /**
   * Calls with equal input within `ttlMs` get a copy of the earlier result. Shared only by calls that the tool
   * cannot tell apart: of the same tenant and with the same context values. Not kept: calls that somebody
   * approved, edited or answered; tools that need the history, see more of the context than data (declare `context`
   * to keep connections and functions out), or return more than data. `callId` and `idempotencyKey` are not part of
   * what counts as equal.
   */
  readonly cache?: { readonly ttlMs: number }
  /** `history`: the tool gets the conversation. */
  readonly needs?: readonly 'history'[]
  readonly labels?: ToolLabels
  /** The application supplies the result. */
  readonly suppliedResult?: boolean
  /**
   * Its work is calls of other tools, or a run of its own. It is neither a durable step nor timed, and it takes no
   * place among `limits.parallel`: what it calls is and does. So it has no `retry`, no `cache` and no `timeoutMs`.
   */
  readonly composite?: CompositeTool
}

/** What a tool calls whose work is calls of other tools. */
export interface CompositeTool {
  /**
   * Sources of the tools that it may call by `toolRunOf(context).call`: a list, or a function that gives one. Asked once
   * for each call, and before a suspended call goes on: decisions about what it called are checked against them.
   */
  readonly tools?: readonly object[] | (() => readonly object[] | Promise<readonly object[]>)
  /**
   * Asked before a resume uses its state up, if one of the calls was decided that this tool made: whether the tool can go
   * on from its journal. It rejects if not, best with a `ResumeError`; the state then stays usable. It must have no
   * effect: it may be asked several times.
   */
  readonly reopen?: (input: Json, journal: Json) => void | Promise<void>
  /**
   * Takes the place of its description where a suspended run seals it: for a description that tells of the tools it may call.
   * Then only those that it has called must be the same at a resume; they are sealed by themselves. Default: the description.
   */
  readonly sealedDescription?: string
}

/** How data flows through a tool. Policies read it. */
export interface ToolLabels {
  /** Whether what it returns can be trusted. Default: trusted, with the hint `openWorld` untrusted. */
  readonly emits?: 'trusted' | 'untrusted'
  /** It returns private data. */
  readonly reads?: 'private'
  /** It sends data to where others can read it. Default: with the hint `openWorld`. */
  readonly sends?: boolean
}

export const DEFAULT_METADATA: ToolMetadata = { returnDirect: false, hints: {}, effect: 'once' }
