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
  /** Reaches systems that others control, such as the web. */
  readonly openWorld?: boolean
}

/**
 * What running the tool again does. `read`: nothing. `idempotent`: the same. `keyed`: the same, if the tool
 * passes `context.idempotencyKey` on. `once`: it must not be repeated automatically.
 */
export type ToolEffect = 'read' | 'idempotent' | 'keyed' | 'once'

export interface ToolRetry {
  /** How many times it runs at most, including the first. */
  readonly attempts: number
  /** The pause before the second run, in ms; it doubles each time. Default 200. */
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
  /** `true`, or a predicate: whether this input needs approval. If the predicate throws, it does. */
  readonly approval?: boolean | ((input: never, context: ToolContext) => boolean | Promise<boolean>)
  /** Describes what would happen, for the person who approves. */
  readonly preview?: (input: never, context: ToolContext) => Json | Promise<Json>
  /** Calls with equal keys run one after another, unless the tool is read-only. */
  readonly lock?: (input: never) => string | undefined
  /** At most `calls` may start within `perMs`; further calls wait. */
  readonly rateLimit?: { readonly calls: number; readonly perMs: number }
  /** Calls with equal input within `ttlMs` get the earlier result. */
  readonly cache?: { readonly ttlMs: number }
  /** `history`: the tool gets the conversation. */
  readonly needs?: readonly 'history'[]
  readonly labels?: ToolLabels
  /** The application supplies the result. */
  readonly suppliedResult?: boolean
}

/** How data flows through a tool. Policies read it. */
export interface ToolLabels {
  /** Whether what it returns can be trusted. Default: trusted. */
  readonly emits?: 'trusted' | 'untrusted'
  /** It returns private data. */
  readonly reads?: 'private'
  /** It sends data to where others can read it. */
  readonly sends?: boolean
}

export const DEFAULT_METADATA: ToolMetadata = { returnDirect: false, hints: {}, effect: 'once' }
