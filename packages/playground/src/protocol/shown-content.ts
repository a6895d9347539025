/**
 * What tools and models gave, as the page shows it. Types only. All of it is foreign: texts may hold markup, control
 * characters and addresses, and are shown as texts.
 */
import type { Json, JsonSchema } from 'toolwright'

export interface ShownContent {
  readonly parts: readonly ShownPart[]
  /** How large the whole was, in bytes, if only its beginning is here. */
  readonly cutFrom?: number
}

export type ShownPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. A part that only has an address is not loaded by anybody. */
  | {
      readonly type: 'media'
      readonly mediaType: string
      readonly data?: string
      readonly url?: string
      readonly name?: string
    }

/** A call that waits for a decision. */
export interface ShownPending {
  readonly callId: string
  readonly parentCallId?: string
  /** The line of the program that made it. */
  readonly line?: number
  readonly toolName: string
  readonly kind: 'approval' | 'result' | 'question' | 'unknown-outcome'
  readonly input: Json
  readonly reason?: string
  readonly preview?: Json
  /** What the tool asks, in words or as it put it. */
  readonly question?: Json
  /** The form of what a person gives: edited arguments, a result, an answer. Absent: any JSON. */
  readonly schema?: JsonSchema
}

export interface ShownError {
  readonly code: string
  readonly message: string
}

/** What is wrong with a value, at its place in it. */
export interface FieldIssue {
  /** Keys and numbers, from the outermost. Empty: the whole. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Why decisions were not taken. */
export interface RefusedDecision extends ShownError {
  /** The call whose decision is at fault. Absent: all of them. */
  readonly callId?: string
  /** What does not fit in the arguments, the result or the answer that were given for it. */
  readonly issues?: readonly FieldIssue[]
}
