/**
 * One call of a client, whatever is called (a tool, a prompt, a resource): starts it, or goes on with one that waited.
 * What waits leaves as `input_required`; the SDK turns that into requests for clients of the older protocol, and comes
 * back here with the answers.
 */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import type { PendingRun } from 'toolwright'
import { readAnswers, type Asked, type Given, type ReceivedAnswers } from './ask-client.ts'
import { inCallersTrace } from './caller-trace.ts'
import { missingFor, type Peer } from './peer.ts'
import { INTERNAL_ERROR, MISSING_CAPABILITY, Refusal } from './refusal.ts'
import { stateUsed, type BoundCall, type WaitingRun } from './request-state.ts'
import { resumeCall, startCall, type Outcome, type ServedCall } from './run-call.ts'
import type { Serving } from './serving.ts'
import type { ServedTool } from './tool-list.ts'
import type { Answered } from './to-result.ts'

/** What is known of a call while it runs. */
export interface CallInHand<Answer> {
  readonly call: ServedCall
  readonly peer: Peer
  /** The response as the client gets it. */
  answered(outcome: Answered): Answer
  /** What a client of the older protocol gets for a call that it would have to be asked about. Others get a code. */
  refused(text: string): Answer
}

/** Waits that need no answer of a person; a tool that finds ever more of them has gone astray. */
const MOST_SILENT_ROUNDS = 16

/** Wrong answers to what a client of the older protocol is asked. Its server asks again by itself; others ask anew. */
const MOST_WRONG = 3

export const answerCall = <Answer>(
  serving: Serving,
  inHand: CallInHand<Answer>,
): Promise<Answer | InputRequiredResult> =>
  inCallersTrace(serving.options, inHand.peer, () => answerInTrace(serving, inHand))

async function answerInTrace<Answer>(
  serving: Serving,
  inHand: CallInHand<Answer>,
): Promise<Answer | InputRequiredResult> {
  const { call, peer } = inHand
  const { mcpReq } = peer.context
  const state = mcpReq.requestState<string>()
  const received = (mcpReq.inputResponses ?? {}) as Given
  if (state === undefined) {
    const early = { responses: received, areEarly: true }
    return settle(serving, inHand, { outcome: await startCall(serving, call), received: early })
  }
  const { waiting, kept } = await openState(serving, call, state)
  const responses = { ...waiting.given, ...received }
  const asked = readAnswers({ ...call, peer, pending: kept.pending }, { responses })
  if (asked.kind === 'open') {
    const wrong = (waiting.wrong ?? 0) + (isWrong(asked, received) ? 1 : 0)
    if (peer.era === 'modern' || wrong < MOST_WRONG)
      return inputRequired(serving, call, { ...waiting, ...asked, wrong })
    await serving.runStore.use(waiting.stateId)
    return inHand.refused(answeredWrongly(call.tool, kept.pending[0]!.kind))
  }
  const { decisions } = asked
  const outcome = await resumeCall(serving, call, { state: kept.state, decisions })
  return settle(serving, inHand, { outcome, received: NOTHING })
}

/** The run that a state is good for. Throws a `Refusal` for a state that does not count. */
export async function openState(
  serving: Serving,
  call: ServedCall,
  state: string,
): Promise<{ readonly waiting: WaitingRun; readonly kept: PendingRun }> {
  const waiting = await serving.states.open(state, boundCall(call))
  const kept = await serving.runStore.find(waiting.runId)
  if (kept?.stateId !== waiting.stateId) throw stateUsed()
  return { waiting, kept }
}

const NOTHING: ReceivedAnswers = { responses: {} }

interface Settling {
  readonly outcome: Outcome
  readonly received: ReceivedAnswers
  readonly rounds?: number
}

/** Answers with the result, or asks for what the call waits for. */
async function settle<Answer>(
  serving: Serving,
  inHand: CallInHand<Answer>,
  { outcome, received, rounds = 0 }: Settling,
): Promise<Answer | InputRequiredResult> {
  const { call, peer } = inHand
  if (outcome.kind === 'answered') return inHand.answered(outcome)
  const { pending, state } = outcome
  const asked = readAnswers({ ...call, peer, pending }, received)
  if (asked.kind === 'decided' && rounds < MOST_SILENT_ROUNDS) {
    const next = await resumeCall(serving, call, { state, decisions: asked.decisions })
    return settle(serving, inHand, { outcome: next, received: NOTHING, rounds: rounds + 1 })
  }
  if (asked.kind === 'decided')
    throw new Refusal(INTERNAL_ERROR, 'The call waits again and again, without asking anything.')
  const missing = missingFor(peer, asked.asking)
  if (!missing) {
    const { runId, id: stateId } = state
    return inputRequired(serving, call, { runId, stateId, ...asked })
  }
  // The client cannot continue it, so it does not wait.
  await serving.runStore.use(state.id)
  const text = cannotAsk(call.tool, pending[0]!.kind, Object.keys(missing))
  if (peer.era === 'legacy') return inHand.refused(text)
  throw new Refusal(MISSING_CAPABILITY, text, { requiredCapabilities: missing })
}

type Open = Extract<Asked, { kind: 'open' }>

/** Something was answered and is asked again. */
const isWrong = ({ inputRequests }: Open, received: Given): boolean =>
  Object.keys(inputRequests).some((key) => Object.hasOwn(received, key))

async function inputRequired(
  serving: Serving,
  call: ServedCall,
  { runId, stateId, given, wrong, inputRequests }: WaitingRun & Open,
): Promise<InputRequiredResult> {
  const run = {
    runId,
    stateId,
    ...(Object.keys(given).length > 0 && { given }),
    ...(wrong && { wrong }),
  }
  const requestState = await serving.states.seal(run, boundCall(call))
  return { resultType: 'input_required', inputRequests, requestState }
}

const boundCall = (call: ServedCall): BoundCall => ({
  tool: call.tool.name,
  arguments: call.arguments,
  principal: call.principal.id,
})

export const NOTHING_RAN = 'Nothing ran.'
const WAITS_FOR: { readonly [kind: string]: string } = {
  approval: `needs a person's approval. ${NOTHING_RAN}`,
  result: `needs its result from the client. ${NOTHING_RAN}`,
  question: 'asks a question before it can finish. It did not finish.',
  'unknown-outcome': 'was cut off, and a person must decide whether it is tried again.',
}

const cannotAsk = (
  { callback }: ServedTool,
  kind: string,
  capabilities: readonly string[],
): string =>
  `Tool "${callback.definition.name}" ${WAITS_FOR[kind]} This client cannot be asked: it does not declare the ${capabilities.join(' and ')} capability that this takes.`

const answeredWrongly = ({ callback }: ServedTool, kind: string): string =>
  `Tool "${callback.definition.name}" ${WAITS_FOR[kind]} This client answered ${MOST_WRONG} times with what does not fit the form that it was asked with.`
