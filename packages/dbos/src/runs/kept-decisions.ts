/** Decisions as the row of a run keeps them. JSON has no `undefined`, which is what a tool returns that returns nothing. */
import type { Decision, Decisions } from 'toolwright'
import { plainText } from './plain-input.ts'

/** Stands for `{ result: undefined }`. No decision has this form: `decide` has looked at them. */
const NOTHING = { returned: 'nothing' }

type Kept = Decision | typeof NOTHING

export const keptDecisions = (decisions: Decisions): string =>
  plainText(
    'decisions',
    mapped(decisions, (decision) => (returnsNothing(decision) ? NOTHING : decision)),
  )

export const decisionsIn = (kept: string): Decisions =>
  mapped(JSON.parse(kept) as { readonly [callId: string]: Kept }, (decision) =>
    typeof decision === 'object' && 'returned' in decision ? { result: undefined } : decision,
  )

const returnsNothing = (decision: Decision): boolean =>
  typeof decision === 'object' && 'result' in decision && decision.result === undefined

const mapped = <From, To>(
  all: { readonly [callId: string]: From },
  map: (each: From) => To,
): { readonly [callId: string]: To } =>
  Object.fromEntries(Object.entries(all).map(([callId, each]) => [callId, map(each)]))
