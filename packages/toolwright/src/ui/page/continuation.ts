/** What a page decided about calls that wait, for the stream of the run that goes on with them. */
import type { Decisions, PendingCall } from '../../messages/run-state.ts'

export interface Continuation {
  readonly decisions: Decisions
  /** What waited, as the server knows it. */
  readonly pending: readonly PendingCall[]
  /** The message of the page that goes on. */
  readonly messageId?: string
}

/** Whether somebody said no to a call that waited for approval. Other denials are errors like any other. */
export function isDenied(continuation: Continuation | undefined, callId: string): boolean {
  if (!isDecided(continuation, callId, 'deny')) return false
  return continuation!.pending.some((call) => call.callId === callId && call.kind === 'approval')
}

/** Whether somebody approved a call with other arguments. */
export const isEdited = (continuation: Continuation | undefined, callId: string): boolean =>
  isDecided(continuation, callId, 'edit')

function isDecided(
  continuation: Continuation | undefined,
  callId: string,
  how: 'deny' | 'edit',
): boolean {
  if (!continuation || !Object.hasOwn(continuation.decisions, callId)) return false
  return Object.hasOwn(Object(continuation.decisions[callId]) as object, how)
}
