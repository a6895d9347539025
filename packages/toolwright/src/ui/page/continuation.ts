/** What a page decided about calls that wait, for the stream of the run that goes on with them. */
import type { Decisions, PendingCall } from '../../messages/run-state.ts'

export interface Continuation {
  readonly decisions: Decisions
  /** What waited, as the server knows it. */
  readonly pending: readonly PendingCall[]
  /** The message of the page that goes on. */
  readonly messageId?: string
}

/** Whether somebody approved a call with other arguments. */
export function isEdited(continuation: Continuation | undefined, callId: string): boolean {
  if (!continuation || !Object.hasOwn(continuation.decisions, callId)) return false
  return Object.hasOwn(Object(continuation.decisions[callId]) as object, 'edit')
}
