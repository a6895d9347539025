/** One call of a batch from its preparation to its outcome. There is no other way to a tool. */
import { loadConvertResult } from '../on-demand.ts'
import type { Waited } from '../observation/watcher.ts'
import type { Batch, CallOutcome, PreparedCall } from './call.ts'
import { toolNamed } from './check-call.ts'
import { endedCall } from './ended-call.ts'
import { recordRefusal } from './record-result.ts'
import { runCall } from './run-call.ts'

/** Runs, answers or refuses a prepared call, under observation where somebody watches. `waited`: for its place in the batch. */
export function settleCall(
  batch: Batch,
  prepared: PreparedCall,
  waited?: Waited,
): CallOutcome | Promise<CallOutcome> {
  const { watcher, run } = batch
  const { call, kind } = prepared
  // Calls that were settled before are not news.
  if (!watcher || kind === 'settled') return SETTLE[kind](batch, prepared as never)
  const { definition } = toolNamed(batch, call.name) ?? {}
  const watched = watcher.tool({ call, definition, runId: run.runId, waited })
  const settle = (): CallOutcome | Promise<CallOutcome> => SETTLE[kind](batch, prepared as never)
  if (kind !== 'ready') {
    const refusal = kind === 'refused' ? prepared.code : undefined
    return endedCall(watched, watched.run(settle), refusal)
  }
  // Ended where it is run.
  prepared.watched = watched
  return watched.run(settle)
}

type Settle<Kind extends PreparedCall['kind']> = (
  batch: Batch,
  prepared: Extract<PreparedCall, { readonly kind: Kind }>,
) => CallOutcome | Promise<CallOutcome>

const SETTLE: { readonly [Kind in PreparedCall['kind']]: Settle<Kind> } = {
  ready: runCall,
  supplied: async (batch, supplied) => (await loadConvertResult()).supplyResult(batch, supplied),
  refused: recordRefusal,
  settled: (_batch, { outcome }) => outcome,
}
