/**
 * Gives a run that is suspended to the store, if the store keeps runs. The suspension does not depend on it: the
 * result carries the state in any case, and a notice says that the store did not take it.
 */
import { messageOfThrown } from '../errors/message-of-thrown.ts'
import { notice } from '../errors/notices.ts'
import { redact } from '../errors/redact.ts'
import { isInnerRun } from '../internal/inner-run.ts'
import { conversationKeyOf } from '../messages/conversation-key.ts'
import type { PendingCall, RunState } from '../messages/run-state.ts'
import { inTime } from '../ports/in-time.ts'
import type { RunSettings } from '../run/run-settings.ts'
import type { PendingRun } from '../run/run-store.ts'
import type { AdvisedRequest } from './advisor.ts'

export interface SuspendedRun {
  readonly pending: readonly PendingCall[]
  readonly state: RunState
}

export async function saveRun(
  settings: RunSettings,
  request: AdvisedRequest,
  { pending, state }: SuspendedRun,
): Promise<void> {
  const { runStore, clock } = settings
  const { runId, round, params } = request
  if (!runStore.save || isInnerRun(params)) return
  const conversation = conversationKeyOf(state.conversation)
  // A step, so that a run that is replayed does not save what was decided in the meantime.
  const refused = await request.step(`save-run/${state.id}`, () =>
    refusalOf(settings, request, {
      runId,
      stateId: state.id,
      ...(conversation !== undefined && { conversation }),
      pending,
      state,
      savedAt: clock.now(),
    }),
  )
  if (refused === null) return
  const message = `The run store did not keep the suspended run: ${refused}`
  request.emit({ ...notice('run-not-saved', message, { stateId: state.id }), runId, round })
}

/** Why the store did not keep the run; nothing if it did. */
async function refusalOf(
  { runStore, clock, limits }: RunSettings,
  { signal }: AdvisedRequest,
  run: PendingRun,
): Promise<string | null> {
  const { toolTimeoutMs: ms } = limits
  try {
    const saving = Promise.resolve(runStore.save!(run)).then(() => null)
    return await inTime<string | null>(
      { clock, ms, signal },
      saving,
      () => `it did not answer within ${ms} ms.`,
    )
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return redact(messageOfThrown(thrown))
  }
}
