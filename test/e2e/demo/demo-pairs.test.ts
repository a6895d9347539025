import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { demoModel } from '../../../packages/cli/src/demo/demo-model.ts'
import { outcomeOf, type Outcome } from './measure.ts'
import { SAID_AT, sentencePairs } from './sentence-pairs.ts'

const SEEDS = [2026, 1905, 77]
const model = demoModel({ clock: { now: () => SAID_AT } })

async function measured(seed: number): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const pair of sentencePairs(seed)) outcomes.push(await outcomeOf(model, pair))
  return outcomes
}

describe('100 sentences about tools it has never seen', () => {
  it.each(SEEDS)(
    'seed %i: it picks the right tool in 80 and fills the required arguments in 60',
    async (seed) => {
      const outcomes = await measured(seed)
      const picked = outcomes.filter((outcome) => outcome.picked).length
      const filled = outcomes.filter((outcome) => outcome.filled).length
      console.log(`demo model, seed ${seed}: picked ${picked}, filled ${filled} of 100`)
      expect(outcomes).toHaveLength(100)
      expect(picked).toBeGreaterThanOrEqual(80)
      expect(filled).toBeGreaterThanOrEqual(60)
    },
  )

  it('the sentences differ, and each has a dozen tools or more to choose from', () => {
    for (const seed of SEEDS) {
      const pairs = sentencePairs(seed)
      expect(new Set(pairs.map(({ sentence }) => sentence)).size).toBeGreaterThan(95)
      expect(new Set(pairs.map(({ tool }) => tool)).size).toBeGreaterThan(60)
      expect(Math.min(...pairs.map(({ tools }) => tools.length))).toBeGreaterThanOrEqual(12)
    }
  })

  it('the source knows none of the tools and none of the sentences', () => {
    const folder = new URL('../../../packages/cli/src/demo/', import.meta.url)
    const files = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'))
    const source = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
    expect(source).toContain('demoModel')
    const pairs = SEEDS.flatMap((seed) => sentencePairs(seed))
    const words = pairs.flatMap(({ sentence, tool, tools }) => [
      sentence,
      tool,
      ...tools.map(({ name }) => name),
    ])
    const examples = [
      'getCurrentDateTime',
      'setAlarm',
      'What day is tomorrow',
      'alarm',
      'currentWeather',
      'getCustomerInfo',
    ]
    expect([...words, ...examples].filter((word) => source.includes(word))).toEqual([])
  })
})
