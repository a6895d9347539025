/** What somebody decided about a call, as the answer to an interrupt says it. */
import { PageError } from '../../errors/errors.ts'
import type { Json } from '../../messages/json.ts'
import type { Decision, PendingCall } from '../../messages/run-state.ts'
import { isObject, type JsonObject } from '../../schema/json-object.ts'

type ReadPayload = (payload: Json, call: PendingCall) => Decision

const BY_KIND: { readonly [kind in PendingCall['kind']]: ReadPayload } = {
  approval: approvalIn,
  result: (payload) => ({ result: payload }),
  question: (payload) => ({ answer: payload }),
  'unknown-outcome': (payload) => (payload === 'retry' ? 'retry' : { result: payload }),
}

export function decisionInEntry({ status, payload }: JsonObject, call: PendingCall): Decision {
  if (status === 'cancelled') return { deny: 'The user cancelled it.' }
  if (status === 'resolved') return BY_KIND[call.kind]((payload ?? null) as Json, call)
  throw new PageError('page-body', 'An answer to an interrupt is neither resolved nor cancelled.')
}

/** Nothing is approved by leaving something out. */
function approvalIn(payload: Json, { callId }: PendingCall): Decision {
  const { approved, reason, input } = (
    typeof payload === 'boolean' ? { approved: payload } : isObject(payload) ? payload : {}
  ) as JsonObject
  if (approved === true) return input === undefined ? 'approve' : { edit: input as Json }
  if (approved === false)
    return { deny: typeof reason === 'string' ? reason.toWellFormed() : 'The user said no.' }
  throw new PageError(
    'page-body',
    `The answer to ${JSON.stringify(callId)} does not say whether it is approved: send { approved, reason?, input? }.`,
  )
}
