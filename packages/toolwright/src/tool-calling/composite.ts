/**
 * Tools whose work is calls of other tools. They are no durable steps and take no place among those that run at once: the
 * calls that they make are and do. Loaded with the first call of such a tool.
 */
import { ToolwrightError } from '../errors/errors.ts'
import { InsideSignal, SuspendSignal } from '../tools/default-tool-context.ts'
import type { Batch, CallOutcome, CallWalk, PreparedCall, ReadyCall, ToolResult } from './call.ts'
import { isComposite } from './check-call.ts'
import { convertFailure } from './convert-result.ts'
import { InsideCalls } from './inside-calls.ts'
import { liveMark } from './live-mark.ts'
import { waiting } from './permit-call.ts'
import { Places } from './places.ts'
import { recordResult } from './record-result.ts'

/** Settles the calls of a batch that has calls of such tools. All of them, and those that they make, share their places. */
export async function settleComposites(
  batch: Batch,
  prepared: readonly PreparedCall[],
  walk: CallWalk,
): Promise<readonly CallOutcome[]> {
  const shared = { walk, places: new Places(batch.settings.limits.parallel) }
  const sharing: Batch = { ...batch, shared, mark: batch.mark ?? liveMark(batch.run) }
  if (batch.durable) return settleInTurn(sharing, prepared, walk)
  const settled = await Promise.allSettled(prepared.map(async (call) => walk.settle(sharing, call)))
  return settled.map((each) => {
    if (each.status === 'fulfilled') return each.value
    throw each.reason as Error
  })
}

/**
 * In a durable run such tools run one after another, when the other calls have ended: an engine that numbers its steps
 * needs them to start in the same order at every replay, and nobody knows when a tool comes to its next step.
 */
async function settleInTurn(
  batch: Batch,
  prepared: readonly PreparedCall[],
  { settle }: CallWalk,
): Promise<readonly CallOutcome[]> {
  const others = prepared.filter((call) => !isComposite(call))
  const outcomes = new Map<PreparedCall, CallOutcome>()
  const settled = await batch.durable!.settleInOrder(batch, others, settle)
  for (const [index, call] of others.entries()) outcomes.set(call, settled[index]!)
  for (const call of prepared) if (isComposite(call)) outcomes.set(call, await settle(batch, call))
  return prepared.map((call) => outcomes.get(call)!)
}

/** Runs such a tool. It has settled when its calls have, also those that it does not wait for. */
export async function runComposite(
  batch: Batch,
  ready: ReadyCall,
  run: () => Promise<ToolResult>,
): Promise<CallOutcome> {
  const inside = new InsideCalls(batch, ready)
  ready.inside = inside
  const running = run()
  await inside.ended(running)
  try {
    const result = await running
    inside.tellDropped()
    return recordResult(batch, ready, { ...result, label: inside.label })
  } catch (thrown) {
    if (thrown instanceof InsideSignal) return inside.waiting([], thrown.journal)
    if (thrown instanceof SuspendSignal) {
      const { question, kept } = thrown
      return inside.waiting(waiting(ready, { kind: 'question', question, kept }).pending)
    }
    if (batch.run.signal?.aborted || isDiverged(thrown)) throw thrown
    inside.tellDropped()
    const failure = await convertFailure(batch, ready, thrown)
    return recordResult(batch, ready, { ...failure, error: thrown, label: inside.label })
  }
}

/** It cannot come to where it was, which no model can mend: its calls had their effects already. */
const isDiverged = (thrown: unknown): boolean =>
  ToolwrightError.is(thrown) && thrown.code === 'program-diverged'
