import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keywordToolIndex } from './keyword-tool-index.ts'
import type { ToolIndex, ToolReference } from '../tool-index.ts'

const named = (name: string, description = ''): ToolReference => ({ name, description })

async function indexOf(...references: readonly ToolReference[]): Promise<ToolIndex> {
  const index = keywordToolIndex()
  await index.index('s', references)
  return index
}
const namesFor = async (index: ToolIndex, query: string): Promise<readonly string[]> =>
  (await index.search({ session: 's', query })).references.map(({ name }) => name)

const OTHERS = Array.from({ length: 20 }, (_none, at) =>
  named(`other${at}`, 'Something of no interest to anybody'),
)

describe('the keyword index', () => {
  it('weighs names above descriptions, and finds by parameters, their values and examples too', async () => {
    const index = await indexOf(
      ...OTHERS,
      // Before the other, so that a draw would be seen.
      named('exchange', 'Convert a currency'),
      named('convertCurrency', 'Change money'),
      {
        name: 'book',
        description: 'Reserve',
        inputSchema: {
          type: 'object',
          properties: {
            cabinClass: {
              enum: ['economy', 'premium'],
              description: 'Where to sit in the aeroplane',
            },
          },
        },
        examples: ['I have to be in Lisbon on Monday'],
      },
    )
    expect((await namesFor(index, 'convert currency')).slice(0, 2)).toEqual([
      'convertCurrency',
      'exchange',
    ])
    for (const query of ['cabin class', 'aeroplane', 'premium', 'Lisbon'])
      expect(await namesFor(index, query), query).toEqual(['book'])
  })

  it('brings forms of words, synonyms and slips together', async () => {
    const index = await indexOf(...OTHERS, named('getForecast', 'Forecasts for a city'))
    for (const query of ['forecasting', 'weather', 'forcast', 'FORECASTS?'])
      expect(await namesFor(index, query), query).toEqual(['getForecast'])
  })

  it('puts a tool first that is asked for by its very name', async () => {
    const index = await indexOf(
      named('get_data_data', 'Get data, data and more data'),
      named('get_data', 'Something else'),
    )
    expect((await namesFor(index, ' get_data '))[0]).toBe('get_data')
  })

  it('searches for stop words when there is nothing else', async () => {
    const index = await indexOf(...OTHERS, named('help', 'What to do'))
    expect(await namesFor(index, 'help me')).toEqual(['help'])
    expect(await namesFor(index, 'please')).toEqual([])
  })

  it('finds tools described in other languages', async () => {
    const index = await indexOf(
      ...OTHERS,
      named('a', '获取城市的天气预报'),
      named('b', 'Прогноз погоды для города'),
      named('c', 'Météo à venir'),
      named('d', '도시의 날씨'),
    )
    expect((await namesFor(index, '天气'))[0]).toBe('a')
    expect((await namesFor(index, 'прогноз'))[0]).toBe('b')
    expect((await namesFor(index, 'meteo'))[0]).toBe('c')
    expect((await namesFor(index, '날씨'))[0]).toBe('d')
  })

  it('gives nothing for words said over and over', async () => {
    const words = 'weather forecast email invoice calendar payment translate picture'
    const index = await indexOf(
      ...OTHERS,
      named('stuffed', `${words} `.repeat(500)),
      named(`${words.replaceAll(' ', '_')}_all`, `Does everything: ${words}, ${words}, ${words}`),
      named('getWeather', 'Weather of a city'),
      named('sendEmail', 'Send an email'),
      named('createInvoice', 'Create an invoice'),
    )
    expect((await namesFor(index, 'weather'))[0]).toBe('getWeather')
    expect((await namesFor(index, 'send an email'))[0]).toBe('sendEmail')
    expect((await namesFor(index, 'create invoice'))[0]).toBe('createInvoice')
  })

  it('reads a text only so far', async () => {
    const filler = Array.from({ length: 450 }, (_none, at) => `filler${at}`).join(' ')
    const index = await indexOf(...OTHERS, named('long', `beginning ${filler} ending`))
    expect(await namesFor(index, 'beginning')).toEqual(['long'])
    expect(await namesFor(index, 'ending')).toEqual([])
  })

  it('drops what is far behind the best', async () => {
    const index = await indexOf(
      ...OTHERS.map(({ name }) => named(name, 'Report of a thing')),
      named('monthlySalesReport', 'Sales by month'),
    )
    expect(await namesFor(index, 'monthly sales report')).toEqual(['monthlySalesReport'])
  })

  it('drops what scores under a fifth of the best, and nothing above', async () => {
    const index = keywordToolIndex()
    // Each tool has one of the words less than the one before it, so scores fall step by step.
    const words = Array.from({ length: 8 }, (_none, at) => `word${at}`)
    const references = words.map((_word, at) =>
      named(`tool${at}`, `${words.slice(at).join(' ')} ${'filler '.repeat(at * 3)}`),
    )
    await index.index('s', [...OTHERS, ...references])
    const request = { session: 's', query: words.join(' '), maxResults: 100 }
    const { references: found, total } = await index.search(request)
    const parts = found.map(({ score }) => score / found[0]!.score)
    expect(found.map(({ name }) => name)).toEqual(['tool0', 'tool1', 'tool2', 'tool3', 'tool4'])
    expect(parts.at(-1)).toBeGreaterThan(0.2)
    expect(parts.at(-1)).toBeLessThan(0.3)
    expect(total).toBe(found.length)
  })

  it('ranks after changes as if it had been so from the start', async () => {
    const changed = await indexOf(
      ...OTHERS,
      named('a', 'Old words'),
      named('gone', 'Weather weather'),
    )
    await changed.search({ session: 's', query: 'weather' })
    await changed.remove('s', ['gone', ...OTHERS.slice(0, 10).map(({ name }) => name)])
    await changed.index('s', [named('a', 'Weather of a city'), named('b', 'Weather map')])
    const fresh = await indexOf(
      named('b', 'Weather map'),
      ...OTHERS.slice(10),
      named('a', 'Weather of a city'),
    )
    for (const query of ['weather', 'city map', 'interest'])
      expect(await changed.search({ session: 's', query })).toEqual(
        await fresh.search({ session: 's', query }),
      )
  })

  it('takes schemas of any shape', async () => {
    const odd = [null, true, 'x', [], { properties: null, anyOf: 3, enum: {} }]
    const index = await indexOf(
      ...odd.map(
        (inputSchema, at) => ({ name: `t${at}`, description: 'Odd', inputSchema }) as never,
      ),
    )
    expect(await namesFor(index, 'odd')).toHaveLength(odd.length)
  })

  it('refuses what has no name', async () => {
    await expect(indexOf({ name: '', description: 'x' })).rejects.toThrow(
      'a name and a description',
    )
  })
})

describe('whatever is done to it, the keyword index', () => {
  const WORDS = ['weather', 'city', 'email', 'send', 'invoice', 'create', 'report', 'daily']
  const reference = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    description: fc
      .array(fc.constantFrom(...WORDS), { maxLength: 6 })
      .map((words) => words.join(' ')),
  })
  const change = fc.oneof(
    reference.map((tool) => ({ session: 's', put: tool })),
    reference.map((tool) => ({ session: 't', put: tool })),
    fc.constantFrom('a', 'b', 'c', 'd', 'e').map((name) => ({ session: 's', remove: name })),
    fc.constant({ session: 't', clear: true }),
  )

  it('answers as a fresh one with the same tools would', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        const index = keywordToolIndex()
        const kept: Record<string, Map<string, ToolReference>> = { s: new Map(), t: new Map() }
        for (const { session, ...what } of changes) {
          const tools = kept[session]!
          if ('put' in what) {
            tools.set(what.put.name, what.put)
            await index.index(session, [what.put])
          } else if ('remove' in what) {
            tools.delete(what.remove)
            await index.remove(session, [what.remove])
          } else {
            tools.clear()
            await index.clear(session)
          }
          await index.search({ session, query: 'weather report' })
        }
        for (const session of ['s', 't']) {
          const fresh = keywordToolIndex()
          await fresh.index(session, [...kept[session]!.values()])
          for (const query of ['weather', 'send email daily', 'create invoice report city'])
            expect(await index.search({ session, query })).toEqual(
              await fresh.search({ session, query }),
            )
        }
      }),
    )
  })
})
