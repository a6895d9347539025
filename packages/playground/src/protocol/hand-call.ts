/** A call that a person makes by hand, event by event. Types only. */
import type { Json } from 'toolwright'
import type { RefusedDecision, ShownContent, ShownError, ShownPending } from './shown-content.ts'

export type HandCallEvent = { readonly seq: number } & (
  | { readonly type: 'progress'; readonly value: Json }
  | { readonly type: 'pending'; readonly pending: readonly ShownPending[] }
  | { readonly type: 'decided' }
  /** The decisions did not fit; what was pending still is. */
  | { readonly type: 'decision-refused'; readonly error: RefusedDecision }
  | HandCallEnd
)

/** Always last, and once. */
export interface HandCallEnd {
  readonly type: 'end'
  readonly status: 'done' | 'failed' | 'denied' | 'stopped'
  /** What a model would be told. */
  readonly content?: ShownContent
  readonly error?: ShownError
  readonly durationMs: number
}
