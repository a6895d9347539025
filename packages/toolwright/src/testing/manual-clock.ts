/** A clock that only moves when told to. Node only; for tests. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ConfigurationError } from '../errors/errors.ts'
import * as onDemand from '../on-demand.ts'
import type { Clock } from '../ports/clock.ts'

export interface ManualClock extends Clock {
  /** Moves time on, waking timers in order; lets everything settle that can before each of them. */
  advance(ms: number): Promise<void>
  /** Timers that wait. */
  readonly waiting: number
}

/** The library loads these on demand. Time must not pass while it does, so the clock has them loaded first. */
const loadOnDemandModules = (): Promise<unknown> =>
  Promise.all(Object.values(onDemand).map((load) => load() as Promise<unknown>))

interface Timer {
  readonly at: number
  readonly wake: () => void
}

/**
 * @example
 * const clock = manualClock()
 * const asked = ChatClient.create(model, { clock }).prompt('...').tools(slow).call().result()
 * await clock.advance(60_000)
 */
export function manualClock(start = 0): ManualClock {
  let now = start
  const timers = new Set<Timer>()
  return {
    now: () => now,
    monotonic: () => now,
    timer(ms, wake) {
      const timer = { at: now + ms, wake }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async advance(ms) {
      if (!(ms >= 0)) {
        throw new ConfigurationError(
          'invalid-option',
          `advance() takes milliseconds from 0, not ${ms}.`,
        )
      }
      const end = now + ms
      await loadOnDemandModules()
      await settle()
      for (let due = nextDue(timers, end); due; due = nextDue(timers, end)) {
        now = Math.max(now, due.at)
        timers.delete(due)
        due.wake()
        await settle()
      }
      now = end
    },
    get waiting() {
      return timers.size
    },
  }
}

/** The earliest of the timers due by `end`; of equals, the one set first. */
function nextDue(timers: Iterable<Timer>, end: number): Timer | undefined {
  let next: Timer | undefined
  for (const timer of timers) if (timer.at <= end && (!next || timer.at < next.at)) next = timer
  return next
}

/** Chains of promises reach their next timer, also through work that Node does off its thread. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn()
}
