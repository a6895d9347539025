/** The calls whose tools wait for calls of their own, with the ids of those. */
import type { PendingCall } from '../../messages/run-state.ts'

export function waitingParents(
  pending: readonly PendingCall[],
): ReadonlyMap<string, readonly string[]> {
  const waiting = new Map<string, string[]>()
  for (const { callId, parentCallId } of pending)
    if (parentCallId !== undefined)
      waiting.set(parentCallId, [...(waiting.get(parentCallId) ?? []), callId])
  return waiting
}
