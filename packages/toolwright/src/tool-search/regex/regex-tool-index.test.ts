import { describe, expect, it } from 'vitest'
import { regexToolIndex } from './regex-tool-index.ts'
import type { ToolReference } from '../tool-index.ts'

const TOOLS: readonly ToolReference[] = [
  { name: 'get_weather_data', description: 'Weather of a city' },
  { name: 'get_stock_data', description: 'Prices at the exchange' },
  { name: 'setAlarm', description: 'An alarm. The data of the alarm, any data.' },
  {
    name: 'pay',
    description: 'Pay somebody',
    inputSchema: { type: 'object', properties: { iban: { type: 'string' } } },
  },
]

async function search(query: string) {
  const index = regexToolIndex()
  await index.index('s', TOOLS)
  return index.search({ session: 's', query })
}
const namesFor = async (query: string): Promise<readonly string[]> =>
  (await search(query)).references.map(({ name }) => name)

describe('the regex index', () => {
  it.each([
    ['get_.*_data', ['get_stock_data', 'get_weather_data']],
    ['^GET_W', ['get_weather_data']],
    ['get_*_data', ['get_stock_data', 'get_weather_data']],
    ['alarm|weather', ['get_weather_data', 'setAlarm']],
    ['iban', ['pay']],
    ['[', []],
    ['(?=get)', ['get_stock_data', 'get_weather_data']],
    ['^nothing$', []],
  ])('finds %j', async (query, names) => {
    expect((await namesFor(query)).toSorted()).toEqual(names)
  })

  it('scores a match in the name twice one in the description, and early ones higher', async () => {
    const { references } = await search('data')
    expect(references.map(({ name }) => name)).toEqual([
      'get_stock_data',
      'get_weather_data',
      'setAlarm',
    ])
    expect(references[0]!.score).toBeCloseTo(2 * (1 + 0.5 / (1 + 0.1 * 10)))
    expect(references[2]!.score).toBeCloseTo(2 + 0.5 / (1 + 0.1 * 14))
  })

  it('takes a sentence for its words, brackets or not', async () => {
    expect(await namesFor('What is the weather (today)?')).toEqual(['get_weather_data'])
    expect(await namesFor('of')).toEqual(['get_weather_data', 'setAlarm'])
  })

  it('is not held up by patterns made to hold it up', async () => {
    const index = regexToolIndex()
    const long = { name: 'long', description: 'a'.repeat(5_000) }
    await index.index('s', [long])
    const hostile = [
      '^(a+)+$',
      '(a|a)*b',
      '(a?){50}a{50}',
      'a{1000}',
      '(.*){1,32000}[bc]',
      '(x+x+)+y',
    ]
    for (const query of hostile)
      expect((await index.search({ session: 's', query })).total).toBeLessThanOrEqual(1)
    // Within what the engine can do, but too large to be run on every tool: taken for words.
    expect((await index.search({ session: 's', query: 'a{1000}' })).total).toBe(0)
  })
})
