/**
 * The calls of a durable run. Each runs as a step, whose record is what the model is told of it; where several ran
 * side by side, the order in which their results were taken is a step, too. Loaded with the first tools that a
 * durable run calls.
 */
import { DurabilityError } from '../errors/errors.ts'
import type { Durability } from '../ports/durability.ts'
import type { Batch, CallOutcome, DurableCalls, PreparedCall, ReadyCall } from './call.ts'
import { runAsStep } from './durable-call.ts'
import { stepKey } from './durable-step.ts'
import { ResultOrder } from './result-order.ts'

export const durableCalls = (step: Durability['step']): DurableCalls => ({
  step,
  runAsStep,
  settleInOrder,
})

async function settleInOrder(
  ...[batch, prepared, settle]: Parameters<DurableCalls['settleInOrder']>
): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = []
  const failures: unknown[] = []
  const settleAt = async (index: number, call: PreparedCall): Promise<void> => {
    try {
      outcomes[index] = await settle(batch, call)
    } catch (failure) {
      failures.push(failure)
    }
  }
  // What was refused or supplied is no step. It comes first, so that its events do too at every replay.
  for (const [index, call] of prepared.entries())
    if (call.kind !== 'ready') await settleAt(index, call)
  batch.run.signal?.throwIfAborted()
  const order = new ResultOrder(batch)
  const settling = prepared.map((call, index) =>
    call.kind === 'ready'
      ? order.follow(call, (turn) => settleAt(index, { ...call, turn }))
      : Promise.resolve(),
  )
  await order.allArrived()
  // The results of a batch that failed are there when it is replayed: each call has a record of its own.
  order.release(failures.length === 0 ? await recordedOrder(batch, prepared, order) : order.ids)
  await Promise.all(settling)
  if (failures.length > 0) throw failures[0]
  return outcomes
}

/** One result has no order. The step is named after the first of the calls that ran. */
async function recordedOrder(
  batch: Batch,
  prepared: readonly PreparedCall[],
  { ids }: ResultOrder,
): Promise<readonly string[]> {
  const first = prepared.find((call): call is ReadyCall => call.kind === 'ready')
  if (!first || ids.length < 2) return ids
  const key = stepKey(batch, 'order', first.call.id)
  const recorded: unknown = await batch.durable!.step(key, async () => ids)
  if (Array.isArray(recorded) && [...recorded].sort().join() === [...ids].sort().join())
    return recorded as readonly string[]
  throw new DurabilityError(
    'replay-mismatch',
    `The calls ${ids.join(', ')} have results, and the record "${key}" is of others: ${JSON.stringify(recorded)}.`,
  )
}
