/** The calls that somebody said no to. */
import type { Decisions, PendingCall } from 'toolwright'

/** One whose outcome is unknown may have run: denying it only says that it is not tried again. */
export const deniedIn = (
  decisions: Decisions,
  pending: readonly PendingCall[],
): readonly string[] =>
  pending
    .filter(({ callId, kind }) => kind !== 'unknown-outcome' && isDenial(decisions, callId))
    .map(({ callId }) => callId)

const isDenial = (decisions: Decisions, callId: string): boolean =>
  Object.hasOwn(decisions, callId) && Object.hasOwn(Object(decisions[callId]) as object, 'deny')
