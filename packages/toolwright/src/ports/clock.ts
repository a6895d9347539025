/** Time as a port, so that tests can control it. */
import { onAbort } from '../internal/on-abort.ts'

export interface Clock {
  /** Wall time in milliseconds since 1970. */
  now(): number
  /** Milliseconds that never go back, for deadlines and durations. */
  monotonic(): number
  /** Calls `wake` once after `ms`. The returned function cancels the timer. */
  timer(ms: number, wake: () => void): () => void
}

interface NodeProcess {
  hrtime?(): readonly [seconds: number, nanoseconds: number]
}

const { process: node } = globalThis as { readonly process?: NodeProcess }

export const systemClock: Clock = {
  now: () => Date.now(),
  // Asked twice for everything that is watched, and half as dear as performance.now() in Node 20.
  monotonic: node?.hrtime ? nodeMonotonic : () => performance.now(),
  timer(ms, wake) {
    const handle = setTimeout(wake, Math.min(ms, 2_147_483_647))
    return () => clearTimeout(handle)
  },
}

/** Looked up at each call, because tests may put another clock there. */
function nodeMonotonic(): number {
  const reading = node!.hrtime!()
  return reading[0] * 1e3 + reading[1] / 1e6
}

/** Waits for `ms`, or rejects with the signal's reason. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const forget =
      signal &&
      onAbort(signal, () => {
        cancel()
        reject(signal.reason)
      })
    const cancel = clock.timer(ms, () => {
      forget?.()
      resolve()
    })
  })
}
