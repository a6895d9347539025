/** A clock that only moves when told to. */
import type { Clock } from '../ports/clock.ts'

export interface ManualClock extends Clock {
  /** Moves time on, waking timers in order; lets promises settle between them. */
  advance(ms: number): Promise<void>
  /** Timers that wait. */
  readonly waiting: number
}

export function manualClock(start = 0): ManualClock {
  let now = start
  let timers: { readonly at: number; readonly wake: () => void }[] = []
  return {
    now: () => now,
    monotonic: () => now,
    timer(ms, wake) {
      const entry = { at: now + ms, wake }
      timers.push(entry)
      return () => {
        timers = timers.filter((other) => other !== entry)
      }
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      for (;;) {
        const due = timers.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        now = Math.max(now, due.at)
        timers = timers.filter((other) => other !== due)
        due.wake()
        await settle()
      }
      now = end
    },
    get waiting() {
      return timers.length
    },
  }
}

/** Enough turns of the microtask queue for chains of promises to reach their next timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await undefined
}
