/** The end of a call under observation, where it is not told by what runs the call. */
import type { RefusalCode } from '../observation/observer.ts'
import type { Watched } from '../observation/watcher.ts'
import type { CallOutcome } from './call.ts'

/**
 * Told before those who await the call go on: a reader who leaves the run with the result of a call must not make that
 * call a failure.
 */
export function endedCall<Settling extends CallOutcome | Promise<CallOutcome>>(
  watched: Watched | undefined,
  settling: Settling,
  refusal?: RefusalCode,
): Settling {
  if (watched && settling instanceof Promise)
    settling.then(
      (outcome: CallOutcome) => watched.called(outcome, refusal),
      (error: unknown) => watched.failed(error),
    )
  return settling
}
