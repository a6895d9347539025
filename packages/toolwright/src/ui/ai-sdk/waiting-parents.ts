/** The calls whose tools wait for calls of their own, with the ids of those. */
import type { PendingCall } from '../../messages/run-state.ts'

export function waitingParents(
  pending: readonly PendingCall[],
): ReadonlyMap<string, readonly string[]> {
  const waiting = new Map<string, string[]>()
  for (const { callId, parentCallId } of pending)
    for (const around of parentCallId === undefined ? [] : withThoseAround(parentCallId))
      waiting.set(around, [...(waiting.get(around) ?? []), callId])
  return waiting
}

/** A call that a tool made has the id of that tool's call before its last slash. */
function withThoseAround(callId: string): readonly string[] {
  const slash = callId.lastIndexOf('/')
  return slash < 0 ? [callId] : [callId, ...withThoseAround(callId.slice(0, slash))]
}
