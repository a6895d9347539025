/** Programs that look for their tools: what the model reads then, what is found, and what becomes of an index that fails. */
import { describe, expect, it } from 'vitest'
import { allToolsOf, tool, type ToolCallback } from 'toolwright'
import { keywordToolIndex, type ToolIndex } from 'toolwright/tool-search'
import { eventsOf, scenario, toldByTools, type Outcome } from '../e2e/scenario.ts'
import { program, programs } from './ways.ts'

const look = tool({ name: 'look', description: 'Looks at trains', execute: () => 'seen' })
const pay = tool({ name: 'pay', description: 'Pays', approval: true, execute: () => 'receipt' })
const searching = (search: ToolIndex, tools: readonly ToolCallback[] = [look, pay]) =>
  programs(tools, { search, declarationTokens: 1 })

const resultOf = ({ prompts }: Outcome): unknown => {
  const [{ content }] = toldByTools(prompts.at(-1)) as [{ content: string }]
  return (JSON.parse(content) as { readonly result: unknown }).result
}

/** A keyword index that fails where it is told to. */
function failing(fails: (what: 'index' | 'search') => boolean): ToolIndex {
  const index = keywordToolIndex()
  const broken = (what: 'index' | 'search'): void => {
    if (fails(what)) throw new Error('No answer from https://me:hunter22@index.test/')
  }
  return {
    index: async (...given) => (broken('index'), index.index(...given)),
    search: async (request) => (broken('search'), index.search(request)),
    remove: (...given) => index.remove(...given),
    clear: (session) => index.clear(session),
  }
}

describe('what the model reads', () => {
  const described = async (source: ReturnType<typeof programs>): Promise<string> =>
    (await allToolsOf(source))[0]!.definition.description

  it('is no longer than declarationTokens, or there is a search', async () => {
    await expect(described(programs([look, pay], { declarationTokens: 1 }))).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringMatching(/2 tools of runProgram take about \d+ tokens.*Give search/) as string, // prettier-ignore
    })
    const text = await described(searching(keywordToolIndex()))
    expect(text).toContain('There are 2 tools, too many to list')
    expect(text).not.toContain('trains')
  })

  it('has the declarations where they fit, with a search too', async () => {
    const text = await described(programs([look, pay], { search: keywordToolIndex() }))
    expect(text).toContain('trains')
    expect(text).not.toContain('too many to list')
  })
})

describe('what is found', () => {
  const many = Array.from({ length: 30 }, (_, n) =>
    tool({ name: `train_${n}`, description: 'Tells about trains', execute: () => n }),
  )

  scenario('is declarations as data, ten at most; searches are no calls that count', {
    script: [
      program(`const all = await Promise.all([1, 2, 3, 4].map(() => searchTools('trains')))
return [all[0].length, all[3][0], await callTool(all[0][0].name, {})]`),
      'Done.',
    ],
    tools: () => [searching(keywordToolIndex(), many)],
    client: () => ({ limits: { callsTotal: 2 } }),
    check(outcome) {
      const [count, first, got] = resultOf(outcome) as [number, { name: string; declaration: string }, number] // prettier-ignore
      expect(count).toBe(10)
      expect(first.declaration).toContain(first.name)
      expect(got).toBe(Number(first.name.slice('train_'.length)))
      expect(outcome.result.status).toBe('done')
      expect(eventsOf(outcome.events, 'tool-call')).toHaveLength(2)
    },
  })

  scenario('is the same to a program that goes on after a suspension, without another search', {
    script: [
      program(
        `const [{ name }] = await searchTools('pays'); return [name, await callTool(name, {})]`,
      ),
      'Done.',
    ],
    tools: ({ log }) => [searching(failing((what) => (log.push(what), log.length > 2)))],
    resume: [() => ({ 'p/1': 'approve' })],
    check(outcome) {
      expect(resultOf(outcome)).toEqual(['pay', 'receipt'])
      expect(outcome.log).toEqual(['index', 'search'])
    },
  })

  const NOTHING = (query: string): string =>
    `searchTools found nothing for "${query}". Search again in other words: one capability per query, as a verb and its object, e.g. "send an email". If that finds nothing either, there is no such tool.`

  for (const [what, isDurable] of [
    ['a run', false],
    ['a durable run', true],
  ] as const)
    scenario(`may be nothing: the model is told what to try, in ${what}, also after a suspension`, {
      script: [
        program(`const all = await Promise.all(['qqq', 'qqq', 'trains', 'xyzzy'].map(searchTools))
await tools.pay()
return all.map(({ length }) => length)`),
        'Done.',
      ],
      tools: () => [searching(keywordToolIndex())],
      client: () => (isDurable ? { durability: { step: (_key, run) => run() } } : {}),
      resume: [() => ({ 'p/4': 'approve' })],
      check(outcome) {
        expect(resultOf(outcome)).toEqual([0, 0, 1, 0])
        const [{ content }] = toldByTools(outcome.prompts.at(-1)) as [{ content: string }]
        const { notes } = JSON.parse(content) as { notes: string[] }
        expect(notes).toEqual([NOTHING('qqq'), NOTHING('xyzzy')])
      },
    })

  scenario('may be nothing: that is said also where the program then fails of it', {
    script: [program(`const [found] = await searchTools('qqq')\nreturn found.name`), 'Done.'],
    tools: () => [searching(keywordToolIndex())],
    check({ prompts }) {
      const [{ content }] = toldByTools(prompts.at(-1)) as [{ content: string }]
      expect(content).toContain('(line 2)')
      expect(content).toContain(NOTHING('qqq'))
    },
  })

  scenario('may be nothing many times, and long: three are noted, and cut', {
    script: [
      program(`for (let n = 0; n < 9; n++) await searchTools(n + 'q'.repeat(9_000))\nreturn 1`),
      'Done.',
    ],
    tools: () => [searching(keywordToolIndex())],
    check({ prompts }) {
      const [{ content }] = toldByTools(prompts.at(-1)) as [{ content: string }]
      expect((JSON.parse(content) as { notes: string[] }).notes).toHaveLength(3)
      expect(content.length).toBeLessThan(1_500)
    },
  })

  scenario('is a step in a durable run', {
    script: [program(`return (await searchTools('trains')).map(({ name }) => name)`), 'Done.'],
    tools: () => [searching(keywordToolIndex())],
    client: ({ log }) => ({ durability: { step: (key, run) => (log.push(key), run()) } }),
    check(outcome) {
      expect(resultOf(outcome)).toEqual(['look'])
      expect(outcome.log).toContainEqual(expect.stringMatching(/inside-call\/p\/search\/0$/))
    },
  })
})

describe('an index that fails', () => {
  const CAUGHT = `const found = []
for (let n = 0; n < 3; n++)
  found.push(await searchTools('trains').then(([{ name }]) => name, (error) => [error instanceof ToolError, error.code, error.tool, error.message]))
return found`
  const FAILED = [true, 'failed', 'searchTools', 'No answer from https://me:[redacted]@index.test/']

  for (const [what, isDurable] of [
    ['a run', false],
    ['a durable run', true],
  ] as const)
    // prettier-ignore
    scenario(`is an error of the search that can be caught, and is asked again, in ${what}`, {
      script: [program(CAUGHT), 'Done.'],
      // First the tools cannot be indexed, then the search fails, then all is well.
      tools: ({ log }) => [searching(failing((each) => (log.push(each), log.length < 4 && log.length !== 2)))], // prettier-ignore
      client: () => (isDurable ? { durability: { step: (_key, run) => run() } } : {}),
      check(outcome) {
        expect(resultOf(outcome)).toEqual([FAILED, FAILED, 'look'])
        expect(outcome.log).toEqual(['index', 'index', 'search', 'search'])
      },
    })

  scenario('ends the program where it is not caught, not the run', {
    script: [program(`return searchTools('trains')`), 'Done.'],
    tools: () => [searching(failing(() => true))],
    check({ prompts, result }) {
      const [told] = toldByTools(prompts.at(-1))
      expect(told).toMatchObject({ isError: true })
      expect(told!.content).toContain('ToolError: searchTools (failed): No answer from')
      expect(result.status).toBe('done')
    },
  })
})
