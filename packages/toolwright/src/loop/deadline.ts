/** A run's own time limit. Loaded for runs that have one. */
import { RunLimitError } from '../errors/errors.ts'
import { heldAround, holdAround } from '../internal/held-locks.ts'
import { Aborter, follow } from '../internal/on-abort.ts'
import type { Loop } from './loop-steps.ts'

export interface Deadline {
  readonly signal: AbortSignal
  /** Whether this error is the deadline's doing. */
  passed(error: unknown): boolean
  cancel(): void
}

/** The run's own time limit, as a signal for everything inside the loop. */
export function deadlineOf({ settings, given: { signal } }: Loop): Deadline {
  const { runTimeoutMs } = settings.limits
  const aborter = new Aborter()
  const reason = new RunLimitError(
    'runTimeoutMs',
    `The run took longer than runTimeoutMs = ${runTimeoutMs} ms.`,
  )
  holdAround(aborter.signal, heldAround(signal))
  const unfollow = follow(signal, (reason) => aborter.abort(reason))
  const cancelTimer = settings.clock.timer(runTimeoutMs, () => aborter.abort(reason))
  return {
    signal: aborter.signal,
    passed: (error) => error === reason,
    cancel() {
      cancelTimer()
      unfollow()
    },
  }
}
