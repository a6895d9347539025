import { describe, expect, it } from 'vitest'
import { costOf, readPrices } from './prices.ts'
import type { TraceExchange, TraceRun } from './trace.ts'
import type { Usage } from '../messages/chat-response.ts'

const exchange = (usage: Usage | undefined, model = 'm'): TraceExchange => ({
  startedAt: 0,
  model,
  provider: 'p',
  failed: false,
  toolNames: [],
  options: {},
  ...(usage && { usage }),
})

const runOf = (...exchanges: readonly TraceExchange[]): TraceRun => {
  const round = { startedAt: 0, number: 1, failed: false, exchanges, calls: [], advisors: [] }
  const leg = { rounds: [round], runs: [] }
  return { legs: [leg] } as unknown as TraceRun
}

const prices = readPrices({
  models: {
    m: { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 4 },
    'p/other': { input: 1, output: 1 },
  },
})

describe('what runs cost', () => {
  it.each<[string, Usage, number]>([
    ['input and output', { inputTokens: 1_000_000, outputTokens: 100_000 }, 3],
    [
      'a cache that is counted in the input',
      { inputTokens: 1_000_000, cacheReadTokens: 400_000, totalTokens: 1_000_000 },
      1.4,
    ],
    [
      'a cache that is counted beside it',
      {
        inputTokens: 100_000,
        cacheReadTokens: 400_000,
        cacheWriteTokens: 100_000,
        totalTokens: 600_000,
      },
      0.8,
    ],
    [
      'a cache that is counted beside it, and not in the total',
      {
        inputTokens: 100_000,
        outputTokens: 10_000,
        cacheReadTokens: 400_000,
        totalTokens: 110_000,
      },
      0.5,
    ],
    [
      'a cache that is counted beside it, without a total',
      { inputTokens: 100_000, cacheReadTokens: 400_000 },
      0.4,
    ],
    [
      'a cache that is all of the input',
      { inputTokens: 400_000, cacheReadTokens: 400_000, totalTokens: 400_000 },
      0.2,
    ],
  ])('%s', (_what, usage, amount) => {
    const cost = costOf(runOf(exchange(usage)), prices)
    expect(cost.amount).toBeCloseTo(amount, 10)
    expect(cost.isPartial).toBe(false)
  })

  it('includes runs inside calls, and inside calls that a call made', () => {
    const inner = { runs: [runOf(exchange({ inputTokens: 500_000 }))], calls: [] }
    const call = { runs: [runOf(exchange({ inputTokens: 1_000_000 }))], calls: [inner] }
    const round = { exchanges: [], calls: [call] }
    const run = { legs: [{ rounds: [round], runs: [] }] } as unknown as TraceRun
    expect(costOf(run, prices)).toEqual({ amount: 3, isPartial: false })
  })

  it('says when something has no price, or no tokens are known', () => {
    const known = exchange({ inputTokens: 1_000_000, outputTokens: 0 }, 'other')
    expect(costOf(runOf(known), prices)).toEqual({ amount: 1, isPartial: false })
    expect(
      costOf(runOf(known, exchange({ inputTokens: 5 }, 'constructor')), prices).isPartial,
    ).toBe(true)
    expect(costOf(runOf(known, exchange(undefined)), prices).isPartial).toBe(true)
  })

  it.each([
    [null, 'takes an object'],
    [{}, '`models`'],
    [{ models: [] }, '`models`'],
    [{ model: {} }, 'no option "model". Did you mean'],
    [{ models: { m: 5 } }, 'The price of "m" takes an object'],
    [{ models: { m: { input: 1 } } }, 'The price of "m", output, is undefined'],
    [{ models: { m: { input: -1, output: 1 } } }, 'input, is -1'],
    [{ currency: 5, models: {} }, 'currency'],
  ])('refuses %j', (json, words) => {
    expect(() => readPrices(json)).toThrow(words)
  })
})
