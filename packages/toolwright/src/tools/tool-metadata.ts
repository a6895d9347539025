/** What the runner is told about a tool. None of it reaches the model. */
import type { Json } from '../messages/json.ts'
import type { ToolContext } from './tool-context.ts'

export interface ToolHints {
  /** Changes nothing: may run beside others under one lock, and may be retried. */
  readonly readOnly?: boolean
  /** Asks for approval before it runs. */
  readonly destructive?: boolean
  /** Twice is as good as once: may be retried. */
  readonly idempotent?: boolean
  readonly openWorld?: boolean
}

/**
 * What running again would do. `read`: nothing. `idempotent`: the same. `keyed`: the same, as long as the
 * tool hands `context.idempotencyKey` on. `once`: it must not run again by itself.
 */
export type ToolEffect = 'read' | 'idempotent' | 'keyed' | 'once'

export interface ToolRetry {
  /** Runs in all, the first included. */
  readonly attempts: number
  /** Pause before the second run; doubles each time. Default 200. */
  readonly delayMs?: number
}

export interface ToolMetadata {
  /** The result is the answer; the model does not see it. */
  readonly returnDirect: boolean
  readonly hints: ToolHints
  readonly effect: ToolEffect
  /** Overrides `limits.toolTimeoutMs`. */
  readonly timeoutMs?: number | 'unlimited'
  /** Only for tools whose effect is not `once`. */
  readonly retry?: ToolRetry
  /** `true`, or whether this input needs somebody's consent. A predicate that throws asks. */
  readonly approval?: boolean | ((input: never, context: ToolContext) => boolean | Promise<boolean>)
  /** What would happen, for whoever approves. */
  readonly preview?: (input: never, context: ToolContext) => Json | Promise<Json>
  /** Calls of equal keys run one after another, unless read-only. */
  readonly lock?: (input: never) => string | undefined
  /** At most `calls` starts in any `perMs`; more wait. */
  readonly rateLimit?: { readonly calls: number; readonly perMs: number }
  /** Equal inputs within `ttlMs` get the earlier result. */
  readonly cache?: { readonly ttlMs: number }
  /** `history`: the tool sees the conversation. */
  readonly needs?: readonly 'history'[]
  readonly labels?: ToolLabels
  /** The application supplies the result. */
  readonly suppliedResult?: boolean
}

/** How data flows through a tool; read by policies. */
export interface ToolLabels {
  readonly emits?: 'trusted' | 'untrusted'
  readonly reads?: 'private'
  readonly sends?: boolean
}

export const DEFAULT_METADATA: ToolMetadata = { returnDirect: false, hints: {}, effect: 'once' }
