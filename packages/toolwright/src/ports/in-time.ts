/**
 * A time limit for work that somebody else does: a tool, or a function of the application that a call or a run
 * waits for. Work cannot be stopped from outside; it can only be left.
 */
import { onAbort } from '../internal/on-abort.ts'
import type { Clock } from './clock.ts'

export interface TimeLimit {
  readonly clock: Clock
  /** `Infinity`: no limit. */
  readonly ms: number
  /** Who waits leaves by it; then the timer must not keep the process alive. */
  readonly signal?: AbortSignal | undefined
}

/** Settles like the work or, when its time is over first, with what `late` returns or throws. */
export function inTime<T>(
  { clock, ms, signal }: TimeLimit,
  work: Promise<T>,
  late: () => T,
): Promise<T> {
  if (ms === Infinity || signal?.aborted) return work
  return new Promise((resolve, reject) => {
    const cancel = clock.timer(ms, () => {
      forget?.()
      try {
        resolve(late())
      } catch (thrown) {
        reject(thrown as Error)
      }
    })
    const forget = signal && onAbort(signal, cancel)
    const stop = (): void => {
      cancel()
      forget?.()
    }
    void work.then(resolve, reject).then(stop)
  })
}
