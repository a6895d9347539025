/**
 * A few objects that refer to each other are small in memory and endless as text. Whoever shows what an
 * application made stops in time, and says what was left out.
 */
import { describe, expect, it } from 'vitest'
import { ChatClient, consoleLogger, loggingAdvisor, tool, type Message } from 'toolwright'
import { runAgent } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { valueText } from '../../packages/cli/src/terminal/value-text.ts'
import { convertResult, jsonOf } from '../../packages/toolwright/src/tools/result-converter.ts'
import { eventsOf, scenario, toldByTools } from '../e2e/scenario.ts'

const MOST_CHARACTERS = 40_000_000

/** Layers of objects, each of which refers to every object of the next: `width ** layers` leaves. */
function web(width: number, layers: number, leaf: unknown = 'leaf'): object {
  let below: unknown[] = Array.from({ length: width }, () => leaf)
  for (let layer = 0; layer < layers; layer++) {
    const next = below
    below = Array.from({ length: width }, () =>
      Object.fromEntries(next.map((each, index) => [`to${index}`, each])),
    )
  }
  return below
}

const WEBS: { readonly [name: string]: object } = {
  'six by six': web(6, 8),
  'ten by ten': web(10, 12),
  'lists in lists': Array.from({ length: 20 }).reduce<object>((inner) => [inner, inner, inner], []),
  'a long text many times': Array.from({ length: 1000 }, () => 'x'.repeat(1_000_000)),
  'long names': web(4, 12, { ['k'.repeat(10_000)]: 1 }),
  'maps and sets': Array.from({ length: 24 }).reduce<object>(
    (inner) =>
      new Map<string, unknown>([
        ['a', inner],
        ['b', new Set([inner])],
      ]),
    {},
  ),
  'what makes itself anew': {
    toJSON() {
      return { again: [this, { ...this }, { ...this }, { ...this }] }
    },
  },
  'bytes many times': Array.from({ length: 100 }, () => new Uint8Array(1_000_000)),
  'an endless list': Object.assign([], { length: 4_000_000_000 }),
}

describe('the result of a tool', () => {
  for (const [name, value] of Object.entries(WEBS))
    it(`is converted within bounds: ${name}`, () => {
      const text = convertResult(value) as string
      expect(text.length).toBeLessThan(MOST_CHARACTERS)
      expect(text).toMatch(/left out/)
      expect(() => JSON.parse(text) as unknown).not.toThrow()
    })

  for (const mode of ['call', 'stream'] as const)
    it(`is cut for the model like any other: ${mode}`, async () => {
      const model = scriptedModel([{ toolCalls: [{ name: 'web' }] }, 'Done.'])
      const client = ChatClient.create(model, {
        tools: [tool({ name: 'web', execute: () => WEBS['six by six'] })],
      })
      expect((await client.prompt('Go')[mode]().result()).status).toBe('done')
      const [told] = toldByTools(model.prompts[1])
      expect(told!.content).toMatch(/bytes left out/)
      expect(told!.content).toMatch(/more (?:items|properties) left out/)
      expect((told!.content as string).length).toBeLessThanOrEqual(65_536)
    })

  it('is whole where it is only large', () => {
    const rows = Array.from({ length: 20_000 }, (_none, id) => ({ id, name: `row ${id}` }))
    expect(JSON.parse(convertResult(rows) as string)).toEqual(rows)
    expect(jsonOf(rows)).toEqual(rows)
  })

  it('shares without end only where it does: the same object twice is written twice', () => {
    const shared = { a: 1 }
    expect(convertResult({ one: shared, two: [shared, shared] })).toBe(
      '{"one":{"a":1},"two":[{"a":1},{"a":1}]}',
    )
  })
})

describe('a result that the application supplies', () => {
  it('is converted within bounds', async () => {
    const model = scriptedModel([{ toolCalls: [{ name: 'ask' }] }, 'Done.'])
    const client = ChatClient.create(model, { tools: [tool({ name: 'ask' })] })
    const { state } = await client.prompt('Go').call().result()
    const decisions = { call_1: { result: WEBS['six by six'] as never } }
    expect(await client.resume(state!, decisions).call().content()).toBe('Done.')
    expect(toldByTools(model.prompts[1])[0]!.content).toMatch(/more (?:items|properties) left out/)
  })
})

describe('what is shown elsewhere', () => {
  it('the context of an agent is rendered within bounds', async () => {
    const model = scriptedModel(['{"meta":{},"output":{"a":"x"}}'])
    const output = { type: 'object', properties: { a: { type: 'string' } } } as const
    await runAgent({ model }, output, [{ type: 'data', data: WEBS['six by six'] as never }])
    const text = JSON.stringify(model.prompts[0]!.messages)
    expect(text.length).toBeLessThan(MOST_CHARACTERS)
    expect(text).toMatch(/left out/)
  })

  it('references of an agent to large data do not multiply', async () => {
    const call = {
      _tool: 'x',
      list: Array.from({ length: 1000 }, () => '†state.large'),
    }
    const model = scriptedModel([
      JSON.stringify({ meta: {}, calls: [call], output: null }),
      '{"meta":{},"calls":[],"output":{"a":"x"}}',
    ])
    const seen: unknown[] = []
    const result = await runAgent(
      {
        model,
        tools: [
          tool({
            name: 'x',
            input: { type: 'object', properties: { list: {} } },
            execute: (input) => seen.push(input),
          }),
        ],
      },
      { type: 'object', properties: { a: { type: 'string' } } } as const,
      [{ type: 'state', state: { large: 'x'.repeat(1_000_000) } }],
    )
    expect(seen).toEqual([])
    expect(result.errors[0]!.error).toMatch(/too large for the arguments of one call/)
  })

  it('a log is written within bounds', async () => {
    const entries: unknown[] = []
    const write = (_message: string, data?: object): void => void entries.push(data)
    const logger = { debug: write, info: write, warn: write, error: write }
    const message = { role: 'user', content: 'Go', providerOptions: { web: web(6, 8) } } as Message
    await ChatClient.create(scriptedModel(['Done.']), { advisors: [loggingAdvisor({ logger })] })
      .prompt([message])
      .call()
      .content()
    const text = JSON.stringify(entries)
    expect(text.length).toBeLessThan(MOST_CHARACTERS)
    expect(text).toMatch(/left out/)
  })

  it('a line of the console is written within bounds', () => {
    const lines: string[] = []
    const { error } = console
    console.error = (line: string) => void lines.push(line)
    try {
      consoleLogger().debug('entry', { web: web(6, 8) })
    } finally {
      console.error = error
    }
    expect(lines[0]!.length).toBeLessThan(MOST_CHARACTERS)
    expect(lines[0]).toMatch(/left out/)
  })

  it('progress on a terminal is words, where it is endless', () => {
    expect(valueText(web(6, 8))).not.toMatch(/leaf.*leaf/)
    expect(valueText({ done: 3 })).toBe('{"done":3}')
  })
})

describe('a direct result', () => {
  const long = 'x'.repeat(200_000)

  scenario('is not cut', {
    script: [{ toolCalls: [{ name: 'report' }] }],
    tools: () => [tool({ name: 'report', returnDirect: true, execute: () => long })],
    check({ result, legs, events }) {
      expect(legs[0]!.text).toBe(long)
      expect(result.response.results[0]!.message.content).toBe(long)
      expect(eventsOf(events, 'tool-result')[0]!.response.content).toBe(long)
      const told = result.messages.findLast((message) => message.role === 'tool')!
      expect(told.responses[0]!.content).toMatch(/bytes left out/)
    },
  })

  scenario('is cut where it goes to the model, beside a call that is none', {
    script: [{ toolCalls: [{ name: 'report' }, { name: 'other' }] }, 'Done.'],
    tools: () => [
      tool({ name: 'report', returnDirect: true, execute: () => long }),
      tool({ name: 'other', execute: () => 'ok' }),
    ],
    check({ prompts }) {
      const [report, other] = toldByTools(prompts[1])
      expect(report!.content).toMatch(/bytes left out/)
      expect(other!.content).toBe('ok')
    },
  })

  scenario('is cut where it goes to the model, beside one that failed', {
    script: [{ toolCalls: [{ name: 'report' }, { name: 'broken' }] }, 'Done.'],
    tools: () => [
      tool({ name: 'report', returnDirect: true, execute: () => long }),
      tool({
        name: 'broken',
        returnDirect: true,
        execute() {
          throw new Error('y'.repeat(200_000))
        },
      }),
    ],
    check({ prompts }) {
      for (const { content } of toldByTools(prompts[1])) expect(content).toMatch(/bytes left out/)
    },
  })
})
