/** One call of a batch from its preparation to its outcome. There is no other way to a tool. */
import { loadConvertResult } from '../on-demand.ts'
import type { Waited, Watched, WatchedCall } from '../observation/watcher.ts'
import type { Batch, CallOutcome, PreparedCall, SettledCall } from './call.ts'
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
  const { kind } = prepared
  // Calls that were settled before are not news.
  const watched =
    batch.watcher && kind !== 'settled'
      ? batch.watcher.tool(watchedCall(batch, prepared, waited))
      : undefined
  if (watched) return settleWatched(batch, prepared, watched)
  return SETTLE[kind](batch, prepared as never)
}

function watchedCall(
  batch: Batch,
  prepared: Exclude<PreparedCall, SettledCall>,
  waited: Waited | undefined,
): WatchedCall {
  const { call } = prepared
  const tool = prepared.kind === 'refused' ? toolNamed(batch, call.name) : prepared.tool
  const edited = prepared.kind === 'refused' ? undefined : prepared.edited
  return { call, definition: tool?.definition, runId: batch.run.runId, edited, waited }
}

/** Apart, because a function that makes closures costs more, also when it makes none. */
function settleWatched(
  batch: Batch,
  prepared: PreparedCall,
  watched: Watched,
): CallOutcome | Promise<CallOutcome> {
  const { kind } = prepared
  if (kind === 'ready') {
    // It is ended where it is run.
    prepared.watched = watched
    return watched.run(() => runCall(batch, prepared))
  }
  const settling = watched.run(() => SETTLE[kind](batch, prepared as never))
  return endedCall(watched, settling, kind === 'refused' ? prepared.code : undefined)
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
