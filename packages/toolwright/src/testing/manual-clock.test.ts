import { describe, expect, it } from 'vitest'
import { sleep } from '../ports/clock.ts'
import { manualClock } from './manual-clock.ts'

describe('manualClock', () => {
  it('stands still until it is moved', async () => {
    const clock = manualClock(1_000)
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 1_000])
    await clock.advance(5)
    expect([clock.now(), clock.monotonic()]).toEqual([1_005, 1_005])
  })

  it('wakes timers when they are due, in the order of time and then of setting', async () => {
    const clock = manualClock()
    const woken: string[] = []
    clock.timer(20, () => woken.push(`late at ${clock.now()}`))
    clock.timer(10, () => woken.push(`first at ${clock.now()}`))
    clock.timer(10, () => woken.push(`second at ${clock.now()}`))
    await clock.advance(9)
    expect(woken).toEqual([])
    await clock.advance(1)
    expect(woken).toEqual(['first at 10', 'second at 10'])
    expect(clock.waiting).toBe(1)
    await clock.advance(100)
    expect(woken.at(-1)).toBe('late at 20')
    expect(clock.now()).toBe(110)
    expect(clock.waiting).toBe(0)
  })

  it('does not wake a cancelled timer', async () => {
    const clock = manualClock()
    let woken = false
    const cancel = clock.timer(10, () => (woken = true))
    cancel()
    expect(clock.waiting).toBe(0)
    await clock.advance(10)
    expect(woken).toBe(false)
  })

  it('wakes timers that are set on the way, at their own time', async () => {
    const clock = manualClock()
    const times: number[] = []
    const work = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) {
        await sleep(clock, 10)
        times.push(clock.now())
      }
    }
    const done = work()
    await clock.advance(100)
    await done
    expect(times).toEqual([10, 20, 30])
  })

  it('waits for work that Node does off its thread before it moves on', async () => {
    const clock = manualClock()
    let woken = false
    const work = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve))
      clock.timer(10, () => (woken = true))
    }
    const started = work()
    await clock.advance(10)
    await started
    expect(woken).toBe(true)
  })

  it.each([-1, NaN])('refuses to move by %d', async (ms) => {
    await expect(manualClock().advance(ms)).rejects.toMatchObject({ code: 'invalid-option' })
  })
})
