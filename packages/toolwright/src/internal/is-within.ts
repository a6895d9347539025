/** Ids of calls that a tool makes begin with that of its own call: `call_1/4`. */

/** Whether a call is this one, or one that its tool made. */
export const isWithin = (callId: string, id: string): boolean =>
  callId === id || callId.startsWith(`${id}/`)
