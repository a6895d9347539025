/** Decisions that a page sends in so many words, by call id: edits, answers and whatever its protocol has no form for. */
import { PageError } from '../../errors/errors.ts'
import type { Json } from '../../messages/json.ts'
import type { Decision, PendingCall } from '../../messages/run-state.ts'
import { isObject } from '../../schema/json-object.ts'

export type DecisionEntry = readonly [callId: string, decision: Decision]

export function givenDecisions(
  given: unknown,
  pending: readonly PendingCall[],
): readonly DecisionEntry[] {
  if (given === undefined || given === null) return []
  if (!isObject(given)) throw new PageError('page-body', 'The decisions are not an object.')
  return Object.entries(given).map(([callId, decision]) => {
    pendingCall(callId, pending)
    return [callId, decisionOf(callId, decision)]
  })
}

/** The call that is decided. Whether the decision is of its kind, the resume itself says. */
export function pendingCall(callId: string, pending: readonly PendingCall[]): PendingCall {
  const call = pending.find((each) => each.callId === callId)
  if (call) return call
  throw new PageError(
    'page-decision',
    `The page decides the call ${JSON.stringify(callId.slice(0, 80))}, which does not wait: it was decided already, or never was.`,
  )
}

/** Rebuilt: only what a decision has is taken. */
function decisionOf(callId: string, decision: unknown): Decision {
  if (decision === 'approve' || decision === 'retry') return decision
  const { deny, edit, result, answer } = (isObject(decision) ? decision : {}) as {
    readonly [kind: string]: Json | undefined
  }
  if (typeof deny === 'string') return { deny: deny.toWellFormed() }
  if (edit !== undefined) return { edit }
  if (answer !== undefined) return { answer }
  if (result !== undefined) return { result }
  throw new PageError(
    'page-body',
    `The decision about ${JSON.stringify(callId.slice(0, 80))} is none: it is 'approve', 'retry', { deny }, { edit }, { answer } or { result }.`,
  )
}
