import { describe, expect, it } from 'vitest'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'
import { pauseMs, withRetries, type RetryPolicy, type Retrying } from './retry-policy.ts'

const half: Random = { next: () => 0.5, bytes: (length) => new Uint8Array(length) }

/** A clock that waits for nobody and remembers how long it was asked to. */
function world(more: Partial<Retrying> = {}): { retrying: Retrying; waits: number[] } {
  const waits: number[] = []
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    timer(ms, wake) {
      waits.push(ms)
      queueMicrotask(wake)
      return () => {}
    },
  }
  return { waits, retrying: { clock, random: half, mayRetry: () => true, ...more } }
}

const fails = (attempt: number): Promise<never> => Promise.reject(new Error(`try ${attempt}`))

describe('withRetries', () => {
  it('tries until it works', async () => {
    const { retrying, waits } = world()
    const work = (attempt: number): Promise<string> =>
      attempt < 3 ? fails(attempt) : Promise.resolve('done')
    expect(await withRetries({ attempts: 5, delayMs: 100 }, retrying, work)).toBe('done')
    expect(waits).toEqual([100, 200])
  })

  it('throws what the last try threw', async () => {
    const { retrying, waits } = world()
    const running = withRetries({ attempts: 3, delayMs: 1 }, retrying, fails)
    await expect(running).rejects.toThrow('try 3')
    expect(waits).toHaveLength(2)
  })

  it('asks whether it may, and tells before it waits', async () => {
    const told: string[] = []
    const { retrying, waits } = world({
      mayRetry: (thrown, attempt) => (thrown as Error).message === 'try 1' && attempt === 1,
      onRetry: (attempt, thrown) => told.push(`${attempt} ${(thrown as Error).message} ${waits}`),
    })
    const running = withRetries({ attempts: 9, delayMs: 7 }, retrying, fails)
    await expect(running).rejects.toThrow('try 2')
    expect(told).toEqual(['1 try 1 '])
  })

  it('does not ask when there is no try left', async () => {
    const asked: number[] = []
    const { retrying } = world({ mayRetry: (_thrown, attempt) => !!asked.push(attempt) })
    await expect(withRetries({ attempts: 2, delayMs: 0 }, retrying, fails)).rejects.toThrow('try 2')
    expect(asked).toEqual([1])
  })

  it('stops waiting when aborted', async () => {
    const controller = new AbortController()
    const { retrying } = world({
      signal: controller.signal,
      onRetry: () => controller.abort('enough'),
    })
    await expect(withRetries({ attempts: 9, delayMs: 1 }, retrying, fails)).rejects.toBe('enough')
  })
})

describe('pauseMs', () => {
  const pauses = (policy: RetryPolicy, thrown: unknown = undefined): number[] =>
    [1, 2, 3, 4].map((attempt) => pauseMs(policy, { attempt, thrown }, half))

  it('doubles', () => {
    expect(pauses({ attempts: 5, delayMs: 200 })).toEqual([200, 400, 800, 1600])
  })

  it('stays under its cap', () => {
    expect(pauses({ attempts: 5, delayMs: 200, maxDelayMs: 700 })).toEqual([200, 400, 700, 700])
  })

  it('is shortened by chance, after the cap', () => {
    const policy = { attempts: 5, delayMs: 200, maxDelayMs: 700, jitter: 'full' } as const
    expect(pauses(policy)).toEqual([100, 200, 350, 350])
  })

  it.each([
    { how: 'as asked', wish: 900, expected: 900 },
    { how: 'none at all', wish: 0, expected: 0 },
    { how: 'spread', spreadMs: 250, wish: 900, expected: 1025 },
    { how: 'not beyond its cap', wish: 1001, expected: 200 },
    { how: 'not one without sense', wish: -1, expected: 200 },
    { how: 'not what is no number', wish: '5', expected: 200 },
  ])('honours a wish: $how', ({ wish, expected, spreadMs = 0 }) => {
    const policy = { attempts: 2, delayMs: 200, retryAfter: { maxMs: 1000, spreadMs } }
    expect(pauseMs(policy, { attempt: 1, thrown: { retryAfterMs: wish } }, half)).toBe(expected)
  })

  it('honours no wish unless the policy says so', () => {
    expect(pauses({ attempts: 2, delayMs: 200 }, { retryAfterMs: 900 })[0]).toBe(200)
  })
})
