/** What somebody decided about a call, as the state of its part in a message says it. */
import type { Json } from '../../messages/json.ts'
import type { Decision, PendingCall } from '../../messages/run-state.ts'
import { isObject, type JsonObject } from '../../schema/json-object.ts'

type ReadPart = (part: JsonObject) => Decision | undefined

/** A part that says something else, such as the output of a tool that waits for approval, decides nothing. */
const BY_KIND: { readonly [kind in PendingCall['kind']]: ReadPart } = {
  approval: approvalIn,
  result: (part) => suppliedIn(part, (output) => ({ result: output })),
  question: (part) => suppliedIn(part, (output) => ({ answer: output })),
  'unknown-outcome': (part) => suppliedIn(part, (output) => ({ result: output })),
}

export const decisionInPart = (part: JsonObject, kind: PendingCall['kind']): Decision | undefined =>
  BY_KIND[kind](part)

function approvalIn({ state, approval }: JsonObject): Decision | undefined {
  const { approved, reason } = (isObject(approval) ? approval : {}) as JsonObject
  if (state !== 'approval-responded' || typeof approved !== 'boolean') return undefined
  if (approved) return 'approve'
  return { deny: typeof reason === 'string' ? reason.toWellFormed() : 'The user said no.' }
}

function suppliedIn(
  { state, output, errorText, preliminary }: JsonObject,
  supplied: (output: Json) => Decision,
): Decision | undefined {
  if (state === 'output-error')
    return { deny: typeof errorText === 'string' ? errorText.toWellFormed() : 'It failed.' }
  if (state !== 'output-available' || preliminary === true) return undefined
  return supplied((output ?? null) as Json)
}
