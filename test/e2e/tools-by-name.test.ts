/** Tools found by name: resolvers, the registry, and whoever fails while tools are gathered. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  delegatingResolver,
  staticResolver,
  tool,
  toolRegistry,
  ToolSourceError,
  type Prompt,
  type ToolCallback,
  type ToolCallbackResolver,
  type ToolSource,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { scenario, toldByTools } from './scenario.ts'

const named = (name: string): ToolCallback => tool({ name, execute: () => name })
const offeredIn = (prompt: Prompt | undefined): readonly string[] =>
  ((prompt?.options?.tools ?? []) as readonly ToolCallback[]).map((each) => each.definition.name)

/** A tool from scratch that only works when it is called on itself. */
class Counter implements ToolCallback {
  readonly definition = {
    name: '',
    description: 'Counts',
    inputSchema: { type: 'object' },
  } as const
  readonly metadata = { returnDirect: false, hints: {}, effect: 'once' } as const
  #count = 0
  async call(): Promise<string> {
    return String(++this.#count)
  }
}

describe('names', () => {
  scenario('are found by the resolver, after the tools that are held', {
    script: [{ toolCalls: [{ name: 'weather' }] }, 'Sunny.'],
    client: () => ({ resolver: staticResolver([named('weather'), named('secret')]) }),
    request: (client) => client.prompt('Go').toolNames('weather'),
    tools: () => [named('held')],
    check({ prompts }) {
      expect(offeredIn(prompts[0])).toEqual(['held', 'weather'])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'weather' }])
    },
  })

  scenario('that a request does not offer are never run, though the resolver knows them', {
    script: [{ toolCalls: [{ name: 'dropTables' }] }, 'I cannot.'],
    client: ({ log }) => ({
      resolver: staticResolver([
        named('weather'),
        tool({ name: 'dropTables', execute: () => void log.push('dropped') }),
      ]),
    }),
    request: (client) => client.prompt('Go').toolNames('weather'),
    check({ prompts, log }) {
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toEqual([
        {
          content: expect.stringMatching(/no tool called "dropTables".*Available tools: weather/),
          isError: true,
        },
      ])
    },
  })

  it('of a model’s own options are found by the model’s resolver when the client has none', async () => {
    const model = {
      ...scriptedModel(['1', '2'], { options: { toolNames: ['own'] } }),
      resolver: staticResolver([named('own')]),
    }
    const resolver = staticResolver([
      tool({ name: 'own', description: 'Better', execute: () => 1 }),
    ])
    await ChatClient.create(model).prompt('Go').call().content()
    await ChatClient.create(model, { resolver }).prompt('Go').call().content()
    const offered = model.prompts.map((prompt) => prompt.options!.tools as readonly ToolCallback[])
    expect(offered.map(([only]) => only!.definition.description)).toEqual(['own', 'Better'])
  })
})

describe('staticResolver', () => {
  it('takes tools, records and arrays of these, and tells their names', () => {
    const record = { weather: tool({ execute: () => 1 }) }
    const resolver = staticResolver([named('a'), [named('b')], record])
    expect(resolver.names!()).toEqual(['a', 'b', 'weather'])
    expect(resolver.resolve('c')).toBeUndefined()
    expect(resolver.resolve('toString')).toBeUndefined()
    expect(staticResolver(record).resolve('weather')).toMatchObject({
      definition: { name: 'weather' },
    })
    expect(staticResolver([]).names!()).toEqual([])
  })

  it('refuses two of one name, and providers', () => {
    expect(() => staticResolver([named('a'), named('a')])).toThrow(/Two tools are called "a"/)
    expect(() => staticResolver({ toolCallbacks: () => [] })).toThrow(
      /await provider\.toolCallbacks/,
    )
  })
})

describe('delegatingResolver', () => {
  it('asks in turn; the first that knows the name wins', async () => {
    const asked: string[] = []
    const spy = (name: string, inner: ToolCallbackResolver): ToolCallbackResolver => ({
      resolve: async (wanted) => (asked.push(name), inner.resolve(wanted)),
      names: inner.names,
    })
    const first = named('both')
    const resolver = delegatingResolver([
      spy('one', staticResolver([first])),
      spy('two', staticResolver([named('both'), named('second')])),
      { resolve: () => undefined },
    ])
    expect(await resolver.resolve('both')).toBe(first)
    expect(asked).toEqual(['one'])
    expect(await resolver.resolve('second')).toMatchObject({ definition: { name: 'second' } })
    expect(await resolver.resolve('third')).toBeUndefined()
    expect(resolver.names!()).toEqual(['both', 'second'])
    expect(await delegatingResolver([]).resolve('any')).toBeUndefined()
  })
})

describe('toolRegistry', () => {
  scenario('runs tools, factories and bare functions under its own names', {
    script: [
      {
        toolCalls: [
          { name: 'currentWeather', arguments: { city: 'Oslo' } },
          { name: 'later' },
          { name: 'add', arguments: { a: 1, b: 2 } },
          { name: 'count' },
        ],
      },
      'Done.',
    ],
    client: () => ({
      resolver: toolRegistry({
        currentWeather: tool({
          name: 'weather',
          input: z.object({ city: z.string() }),
          execute: ({ city }, context) => `${city} by ${context.toolName}`,
        }),
        later: async () => named('made'),
      })
        .register('add', {
          description: 'Add two numbers',
          input: z.object({ a: z.number(), b: z.number() }),
          execute: ({ a, b }) => a + b,
        })
        .register('count', new Counter()),
      toolNames: ['currentWeather', 'later', 'add', 'count'],
    }),
    check({ prompts }) {
      const offered = prompts[0]!.options!.tools as readonly ToolCallback[]
      expect(offered.map(({ definition }) => [definition.name, definition.description])).toEqual([
        ['currentWeather', 'current weather'],
        ['later', 'later'],
        ['add', 'Add two numbers'],
        ['count', 'Counts'],
      ])
      expect(toldByTools(prompts[1]).map(({ content }) => content)).toEqual([
        'Oslo by currentWeather',
        'made',
        '3',
        '1',
      ])
    },
  })

  it('asks a factory when its tool is first wanted, once, however many want it', async () => {
    let made = 0
    const registry = toolRegistry({
      slow: async () => (made++, await Promise.resolve(), named('slow')),
    })
    expect(registry.names()).toEqual(['slow'])
    expect(made).toBe(0)
    const [one, two] = await Promise.all([registry.resolve('slow'), registry.resolve('slow')])
    expect(one).toBe(two)
    expect(await registry.resolve('slow')).toBe(one)
    expect(made).toBe(1)
  })

  it('asks a factory again that failed', async () => {
    let tries = 0
    const registry = toolRegistry().register('shaky', () => {
      if (++tries === 1) throw new Error('not yet')
      return named('shaky')
    })
    await expect(registry.resolve('shaky')).rejects.toThrow(/"shaky" failed: not yet/)
    expect(await registry.resolve('shaky')).toMatchObject({ definition: { name: 'shaky' } })
  })

  it('keeps a tool the same object, so that its rate and cache hold over runs', async () => {
    const registry = toolRegistry({ other: named('weather') })
    expect(await registry.resolve('other')).toBe(await registry.resolve('other'))
  })

  it('refuses a name that is taken, an empty one, and what is no tool', () => {
    const registry = toolRegistry({ a: named('a') })
    expect(() => registry.register('a', named('a'))).toThrow(
      expect.objectContaining({ code: 'duplicate-tool' }),
    )
    expect(() => registry.register('a', named('b'))).toThrow(/"a" is already registered\. Rename/)
    expect(() => registry.register(' ', named('b'))).toThrow(/non-empty name/)
    expect(() => registry.register('b', { description: 'x' } as never)).toThrow(
      /"b" is object with "description"; a registry takes a tool/,
    )
    expect(() => registry.register('b', null as never)).toThrow(/"b" is null/)
    expect(() => registry.register('b', { exectue: 1, execute: () => 1 } as never)).toThrow(
      /no option "exectue"/,
    )
    expect(registry.names()).toEqual(['a'])
  })
})

describe('whoever fails while tools are gathered', () => {
  class McpTools {
    readonly #given: () => unknown
    constructor(given: () => unknown) {
      this.#given = given
    }
    toolCallbacks(): never {
      return this.#given() as never
    }
  }
  const down = new Error('connect ECONNREFUSED, Bearer abcdefghijkl')
  const fails = (): never => {
    throw down
  }
  const cases: Record<string, readonly [Gathering, code: string, words: RegExp]> = {
    'a provider that throws': [
      { tools: [named('a'), new McpTools(fails)] },
      'tool-source',
      /The tool provider McpTools failed: connect ECONNREFUSED, \[redacted\]/,
    ],
    'a provider that rejects': [
      { tools: [{ toolCallbacks: () => Promise.reject(down) }] },
      'tool-source',
      /A tool provider failed: connect/,
    ],
    'a provider that gives something else': [
      { tools: [new McpTools(() => ({ a: named('a') }))] },
      'invalid-tool-source',
      /McpTools gave object with "a" instead of a list of tools/,
    ],
    'a provider of a nameless tool': [
      { tools: [new McpTools(() => [tool({ execute: () => 1 })])] },
      'invalid-tool',
      /no name/,
    ],
    'a resolver that throws': [
      { toolNames: ['a'], resolver: { resolve: fails } },
      'tool-source',
      /The resolver, asked for the tool "a", failed: connect/,
    ],
    'a resolver that rejects': [
      { toolNames: ['a'], resolver: { resolve: async () => fails() } },
      'tool-source',
      /"a"/,
    ],
    'a resolver that cannot tell its names': [
      { toolNames: ['a'], resolver: { resolve: () => undefined, names: fails } },
      'tool-source',
      /"a"/,
    ],
    'a resolver that gives something else': [
      { toolNames: ['a'], resolver: { resolve: () => 'tool a' as never } },
      'invalid-tool',
      /asked for the tool "a", gave "tool a"/,
    ],
    'a resolver among several that throws': [
      {
        toolNames: ['a'],
        resolver: delegatingResolver([staticResolver([]), { resolve: fails }]),
      },
      'tool-source',
      /"a"/,
    ],
    'a factory that throws': [
      { toolNames: ['a'], resolver: toolRegistry({ a: fails }) },
      'tool-source',
      /The factory of the tool "a" failed: connect/,
    ],
    'a factory that gives no tool': [
      { toolNames: ['a'], resolver: toolRegistry({ a: () => undefined as never }) },
      'invalid-tool',
      /The factory of the tool "a" gave nothing instead of a tool/,
    ],
    'a misspelt name of a registry': [
      { toolNames: ['wether'] as never, resolver: toolRegistry({ weather: named('weather') }) },
      'unknown-tool-name',
      /No tool is called "wether"\. Did you mean "weather"\?/,
    ],
  }
  for (const [name, [gathering, code, words]] of Object.entries(cases)) {
    it(`${name}: told before the model is asked`, async () => {
      const model = scriptedModel([])
      const client = ChatClient.create(model, gathering)
      const errors = await Promise.all([
        client.prompt('Go').call().result().catch(itself),
        client.prompt('Go').stream().result().catch(itself),
      ])
      for (const error of errors) {
        expect(error).toMatchObject({ code })
        expect((error as Error).message).toMatch(words)
        expect((error as Error).message).not.toContain('abcdefghijkl')
        if (code !== 'tool-source') continue
        expect(error).toBeInstanceOf(ToolSourceError)
        expect((error as Error).cause).toBe(down)
      }
      expect(model.prompts).toEqual([])
    })
  }

  interface Gathering {
    readonly tools?: readonly ToolSource[]
    readonly toolNames?: readonly string[]
    readonly resolver?: ToolCallbackResolver
  }
  const itself = (error: unknown): unknown => error
})
