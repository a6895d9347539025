/** Every way to write a tool, offered to a model, called by it, and answered. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ChatClient, tool, type ToolCallback, type ToolSource } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { eventsOf, scenario, toldByTools, type Outcome } from './scenario.ts'

const CALL = { toolCalls: [{ name: 'greet', arguments: { name: 'Ada' } }] }

function greeted({ result, prompts, log }: Outcome): void {
  expect(log).toEqual([{ name: 'Ada' }])
  expect(toldByTools(prompts[1])).toEqual([{ content: 'Hello Ada' }])
  expect(result.status).toBe('done')
}

describe('schemas', () => {
  scenario('zod', {
    script: [CALL, 'Said.'],
    tools: ({ log }) => [
      tool({
        name: 'greet',
        input: z.object({ name: z.string() }),
        execute: (input) => (log.push(input), `Hello ${input.name}`),
      }),
    ],
    check: greeted,
  })

  scenario('arktype', {
    script: [CALL, 'Said.'],
    tools: ({ log }) => [
      tool({
        name: 'greet',
        input: type({ name: 'string' }),
        execute: (input) => (log.push(input), `Hello ${input.name}`),
      }),
    ],
    check: greeted,
  })

  scenario('valibot, wrapped', {
    script: [CALL, 'Said.'],
    tools: ({ log }) => [
      tool({
        name: 'greet',
        input: toStandardJsonSchema(v.object({ name: v.string() })),
        execute: (input) => (log.push(input), `Hello ${input.name}`),
      }),
    ],
    check: greeted,
  })

  it('valibot, not wrapped, is an error that says so', () => {
    expect(() =>
      tool({ name: 'greet', input: v.object({ name: v.string() }) as never, execute: () => 1 }),
    ).toThrow(/toStandardJsonSchema/)
  })

  scenario('plain JSON Schema', {
    script: [CALL, 'Said.'],
    tools: ({ log }) => [
      tool({
        name: 'greet',
        input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        execute: (input) => (log.push(input), `Hello ${input.name}`),
      }),
    ],
    check: greeted,
  })

  scenario('none: any argument is an error for the model', {
    script: [CALL, { toolCalls: [{ name: 'greet' }] }, 'Said.'],
    tools: ({ log }) => [
      tool({ name: 'greet', execute: (...given) => (log.push(given[0]), 'Hello') }),
    ],
    check({ prompts, log }) {
      expect(log).toEqual([{}])
      expect(toldByTools(prompts[1])[0]).toMatchObject({ isError: true })
      expect(toldByTools(prompts[2])).toEqual([{ content: 'Hello' }])
    },
  })

  scenario('a schema that transforms: its output reaches the tool, the events and nothing else', {
    script: [{ toolCalls: [{ name: 'ring', arguments: { at: '2026-01-02T03:04:05Z' } }] }, 'Set.'],
    tools: ({ log }) => [
      tool({
        name: 'ring',
        input: z.object({ at: z.iso.datetime().transform((text) => new Date(text)) }),
        execute: ({ at }) => (log.push(at.getTime()), at),
      }),
    ],
    check({ log, prompts }) {
      expect(log).toEqual([Date.UTC(2026, 0, 2, 3, 4, 5)])
      expect(toldByTools(prompts[1])).toEqual([{ content: '"2026-01-02T03:04:05.000Z"' }])
    },
  })

  scenario('a non-object input travels as { value }', {
    script: [{ toolCalls: [{ name: 'double', arguments: { value: 21 } }] }, 'Doubled.'],
    tools: ({ log }) => [
      tool({ name: 'double', input: z.number(), execute: (n) => (log.push(n), n * 2) }),
    ],
    check({ prompts, log }) {
      const [offered] = prompts[0]!.options!.tools as readonly ToolCallback[]
      expect(offered!.definition.inputSchema).toMatchObject({
        type: 'object',
        properties: { value: { type: 'number' } },
        required: ['value'],
      })
      expect(log).toEqual([21])
      expect(toldByTools(prompts[1])).toEqual([{ content: '42' }])
    },
  })

  scenario('what loses nothing is repaired before the check', {
    script: [
      {
        toolCalls: [
          { name: 'take', arguments: { n: '42', on: 'true', list: 'one', deep: '{"a":1}' } },
        ],
      },
      'Taken.',
    ],
    tools: ({ log }) => [
      tool({
        name: 'take',
        input: z.object({
          n: z.number(),
          on: z.boolean(),
          list: z.array(z.string()),
          deep: z.object({ a: z.number() }),
        }),
        execute: (input) => void log.push(input),
      }),
    ],
    check({ log, events }) {
      const repaired = { n: 42, on: true, list: ['one'], deep: { a: 1 } }
      expect(log).toEqual([repaired])
      expect(eventsOf(events, 'tool-execution-start')[0]!.input).toEqual(repaired)
    },
  })
})

describe('execute', () => {
  const bodies: Record<string, (log: unknown[]) => ToolSource> = {
    sync: (log) => tool({ name: 'work', execute: () => (log.push('ran'), 'done') }),
    async: (log) =>
      tool({ name: 'work', execute: async () => (await undefined, log.push('ran'), 'done') }),
    thenable: (log) =>
      tool({
        name: 'work',
        execute: () =>
          ({ then: (resolve: (x: string) => void) => (log.push('ran'), resolve('done')) }) as never,
      }),
  }
  for (const [form, body] of Object.entries(bodies)) {
    scenario(form, {
      script: [{ toolCalls: [{ name: 'work' }] }, 'Over.'],
      tools: ({ log }) => [body(log)],
      check({ prompts, log }) {
        expect(log).toEqual(['ran'])
        expect(toldByTools(prompts[1])).toEqual([{ content: 'done' }])
      },
    })
  }

  scenario('any of Supplier, Function, Consumer and BiFunction', {
    script: [
      {
        toolCalls: [
          { name: 'supplier' },
          { name: 'function', arguments: { city: 'Oslo' } },
          { name: 'consumer', arguments: { city: 'Rome' } },
          { name: 'biFunction', arguments: { city: 'Bern' } },
        ],
      },
      'Over.',
    ],
    request: (client) => client.prompt('Go').toolContext({ unit: 'C' }),
    tools({ log }) {
      const input = z.object({ city: z.string() })
      return [
        {
          supplier: tool({ execute: () => 'noon' }),
          function: tool({ input, execute: ({ city }) => city.length }),
          consumer: tool({ input, execute: ({ city }) => void log.push(city) }),
          biFunction: tool({
            input,
            execute: ({ city }, { values }) => `${city}, ${values['unit']}`,
          }),
        },
      ]
    },
    check({ prompts, log }) {
      const [supplier] = prompts[0]!.options!.tools as readonly ToolCallback[]
      expect(supplier!.definition.inputSchema).toEqual({
        type: 'object',
        properties: {},
        additionalProperties: false,
      })
      expect(toldByTools(prompts[1]).map(({ content }) => content)).toEqual([
        'noon',
        '4',
        'Done',
        'Bern, C',
      ])
      expect(log).toEqual(['Rome'])
    },
  })

  const generators: Record<string, ToolSource> = {
    'a generator': tool({
      name: 'work',
      *execute() {
        yield 'half'
        yield { percent: 90 }
        return 'done'
      },
    }),
    'an async generator': tool({
      name: 'work',
      async *execute() {
        yield 'half'
        await undefined
        yield { percent: 90 }
        return 'done'
      },
    }),
    'context.progress': tool({
      name: 'work',
      execute(_input, context) {
        context.progress('half')
        context.progress({ percent: 90 })
        return 'done'
      },
    }),
    'progress taken out of the context': tool({
      name: 'work',
      execute(_input, { progress, get }) {
        progress(get('unit') ?? 'half')
        progress({ percent: 90 })
        return 'done'
      },
    }),
  }
  for (const [form, source] of Object.entries(generators)) {
    scenario(`${form}: yields are progress, the return is the result`, {
      script: [{ toolCalls: [{ name: 'work' }] }, 'Over.'],
      tools: () => [source],
      check({ prompts, events }) {
        expect(eventsOf(events, 'tool-progress').map((event) => event.progress)).toEqual([
          'half',
          { percent: 90 },
        ])
        expect(toldByTools(prompts[1])).toEqual([{ content: 'done' }])
      },
    })
  }

  scenario('no execute: the application supplies the result', {
    script: [{ toolCalls: [{ name: 'pick', arguments: { of: ['a', 'b'] } }] }, 'Picked.'],
    tools: () => [tool({ name: 'pick', input: z.object({ of: z.array(z.string()) }) })],
    resume: [() => ({ call_1: { result: { picked: 'b' } } })],
    check({ legs, prompts, events }) {
      expect(legs[0]!.result!.pending).toEqual([
        { callId: 'call_1', toolName: 'pick', input: { of: ['a', 'b'] }, kind: 'result' },
      ])
      expect(toldByTools(prompts[1])).toEqual([{ content: '{"picked":"b"}' }])
      expect(eventsOf(events, 'tool-result')[0]!.value).toEqual({ picked: 'b' })
    },
  })

  scenario('a callback from scratch gets the coerced JSON text', {
    script: [{ toolCalls: [{ name: 'add', arguments: { a: '1', b: 2 } }] }, 'Added.'],
    tools: ({ log }) => [
      {
        definition: {
          name: 'add',
          description: 'Add',
          inputSchema: {
            type: 'object',
            properties: { a: { type: 'number' }, b: { type: 'number' } },
            required: ['a', 'b'],
          },
        },
        metadata: { returnDirect: false, hints: {}, effect: 'once' },
        call: async (input, context) => (log.push(input, context!.callId), 'three'),
      },
    ],
    check({ prompts, log }) {
      expect(log).toEqual(['{"a":1,"b":2}', 'call_1'])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'three' }])
    },
  })
})

describe('sources', () => {
  scenario('a record names the nameless, and keeps names that are there', {
    script: [{ toolCalls: [{ name: 'setAlarm' }, { name: 'own' }] }, 'Done.'],
    tools: ({ log }) => [
      {
        setAlarm: tool({ execute: (_input, context) => void log.push(context.toolName) }),
        other: tool({ name: 'own', execute: (_input, context) => void log.push(context.toolName) }),
      },
    ],
    check({ prompts, log }) {
      const offered = prompts[0]!.options!.tools as readonly ToolCallback[]
      expect(offered.map(({ definition }) => definition)).toMatchObject([
        { name: 'setAlarm', description: 'set alarm' },
        { name: 'own' },
      ])
      expect(log).toEqual(['setAlarm', 'own'])
    },
  })

  scenario('a provider is asked once per run, whatever number of rounds', {
    script: [
      { toolCalls: [{ name: 'tick' }] },
      { toolCalls: [{ name: 'tick' }] },
      { toolCalls: [{ name: 'tock' }] },
      'Done.',
    ],
    tools: ({ log }) => [
      {
        toolCallbacks: async () => {
          log.push('asked')
          return [tool({ name: 'tick', execute: () => log.length })]
        },
      },
      [[tool({ name: 'tock', execute: () => 'tock' })]],
    ],
    check({ prompts, log, result }) {
      expect(log).toEqual(['asked'])
      const lists = prompts.map((prompt) => prompt.options!.tools)
      expect(lists.every((list) => list === lists[0])).toBe(true)
      expect(result.status).toBe('done')
    },
  })

  it('a provider is asked again by the next run', async () => {
    let asked = 0
    const client = ChatClient.create(scriptedModel(['One.', 'Two.']), {
      tools: [{ toolCallbacks: () => (asked++, []) }],
    })
    await client.prompt('a').call().content()
    await client.prompt('b').call().content()
    expect(asked).toBe(2)
  })
})

describe('context', () => {
  const whoAmI = (log: unknown[]): ToolSource =>
    tool({
      name: 'who',
      context: z.object({ user: z.string() }),
      execute: (_input, context) => void log.push({ ...context.values }, context.get('user')),
    })

  scenario('with a schema: just the declared keys, checked', {
    script: [{ toolCalls: [{ name: 'who' }] }, 'You.'],
    request: (client) => client.prompt('Go').toolContext({ user: 'ada', secret: 'x' }),
    tools: ({ log }) => [whoAmI(log)],
    check({ log, prompts }) {
      expect(log).toEqual([{ user: 'ada' }, 'ada'])
      expect(JSON.stringify(prompts.map((prompt) => prompt.messages))).not.toContain('ada')
    },
  })

  scenario('with a schema: frozen too', {
    script: [{ toolCalls: [{ name: 'who' }, { name: 'who' }] }, 'You.'],
    request: (client) => client.prompt('Go').toolContext({ user: 'ada' }),
    tools: ({ log }) => [
      tool({
        name: 'who',
        context: z.object({ user: z.string() }),
        execute(_input, { values }) {
          log.push(values.user)
          ;(values as { user: string }).user = 'eve'
        },
      }),
    ],
    check({ log, prompts }) {
      expect(log).toEqual(['ada', 'ada'])
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }, { isError: true }])
    },
  })

  scenario('none at all for a tool that needs one: no call of the batch runs', {
    script: [{ toolCalls: [{ name: 'free' }, { name: 'who' }] }],
    tools: ({ log }) => [tool({ name: 'free', execute: () => log.push('free') }), whoAmI(log)],
    check({ error, log }) {
      expect(error).toMatchObject({ name: 'ConfigurationError', code: 'invalid-tool-context' })
      expect((error as Error).message).toMatch(/Tool "who" needs .*\$\.user.*\.toolContext/s)
      expect(log).toEqual([])
    },
  })

  scenario('a context that does not fit is the program’s error', {
    script: [{ toolCalls: [{ name: 'who' }] }],
    request: (client) => client.prompt('Go').toolContext({ user: 7 }),
    tools: ({ log }) => [whoAmI(log)],
    check({ error, log }) {
      expect(error).toMatchObject({ code: 'invalid-tool-context' })
      expect((error as Error).message).toContain('who')
      expect(log).toEqual([])
    },
  })

  scenario('without one: what the request gave, over the client’s defaults, key by key, frozen', {
    script: [{ toolCalls: [{ name: 'see' }, { name: 'see' }] }, 'Seen.'],
    client: () => ({ toolContext: { a: 1, b: 1, c: 1 } }),
    request: (client) => client.prompt('Go').toolContext({ b: 2, c: 2 }).toolContext({ c: 3 }),
    tools: ({ log }) => [
      tool({
        name: 'see',
        execute(_input, context) {
          log.push({ ...context.values }, context.get('toString'))
          log.push(Object.isFrozen(context) && Object.isFrozen(context.values))
        },
      }),
    ],
    check({ log }) {
      const seen = { a: 1, b: 2, c: 3 }
      expect(log).toEqual([seen, undefined, true, seen, undefined, true])
    },
  })

  scenario('tells the tool which call it is, and the same key at every attempt', {
    script: [{ toolCalls: [{ name: 'flaky' }] }, 'At last.'],
    tools: ({ log }) => [
      tool({
        name: 'flaky',
        effect: 'keyed',
        retry: { attempts: 3, delayMs: 100 },
        execute(_input, context) {
          log.push([context.callId, context.toolName, context.attempt, context.idempotencyKey])
          if (context.attempt < 3) throw new Error('not yet')
          return 'ok'
        },
      }),
    ],
    during: ({ clock }) => clock.advance(1000),
    check({ log, prompts }) {
      expect(log).toEqual([1, 2, 3].map((n) => ['call_1', 'flaky', n, 'run_1/call_1']))
      expect(toldByTools(prompts[1])).toEqual([{ content: 'ok' }])
    },
  })

  scenario('shows the conversation only to a tool that needs it', {
    script: [{ toolCalls: [{ name: 'nosy' }, { name: 'plain' }] }, 'Well.'],
    tools: ({ log }) => [
      tool({
        name: 'nosy',
        needs: ['history'],
        execute: (_input, { history }) => void log.push(history?.map((message) => message.role)),
      }),
      tool({ name: 'plain', execute: (_input, { history }) => void log.push(history) }),
    ],
    check: ({ log }) => void expect(log).toEqual([['user'], undefined]),
  })
})

describe('output', () => {
  scenario('a result that fits its schema, as the schema makes it', {
    script: [{ toolCalls: [{ name: 'count' }] }, 'Counted.'],
    tools: () => [
      tool({ name: 'count', output: z.object({ n: z.number() }), execute: () => ({ n: 3 }) }),
    ],
    check({ prompts }) {
      const [offered] = prompts[0]!.options!.tools as readonly ToolCallback[]
      expect(offered!.definition.outputSchema).toMatchObject({ required: ['n'] })
      expect(toldByTools(prompts[1])).toEqual([{ content: '{"n":3}' }])
    },
  })

  scenario('a result that does not fit is an error for the model, and the run goes on', {
    script: [{ toolCalls: [{ name: 'count' }] }, 'Sorry.'],
    tools: () => [
      tool({
        name: 'count',
        output: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        execute: () => ({ n: 'many' }) as never,
      }),
    ],
    check({ prompts, result }) {
      const [told] = toldByTools(prompts[1])
      expect(told).toMatchObject({ isError: true })
      expect(told!.content).toContain('$.n')
      expect(result.status).toBe('done')
    },
  })

  scenario('a plain JSON Schema speaks of the JSON that a result becomes', {
    script: [{ toolCalls: [{ name: 'facts' }, { name: 'wrong' }] }, 'Known.'],
    tools: () => [
      tool({
        name: 'facts',
        output: {
          type: 'object',
          properties: {
            at: { type: 'string', format: 'date-time' },
            prices: { type: 'object', additionalProperties: { type: 'string', pattern: '^\\d+$' } },
            tags: { type: 'array', items: { type: 'string' } },
          },
          required: ['at', 'prices', 'tags'],
        },
        execute: () => ({
          at: new Date(0),
          prices: new Map([['tea', 3n]]),
          tags: new Set(['hot']),
          note: undefined,
        }),
      }),
      tool({
        name: 'wrong',
        output: { type: 'array', items: { type: 'string' } },
        execute: () => new Set([new Map([['a', 1]])]) as never,
      }),
    ],
    check({ prompts }) {
      const [facts, wrong] = toldByTools(prompts[1])
      const content = '{"at":"1970-01-01T00:00:00.000Z","prices":{"tea":"3"},"tags":["hot"]}'
      expect(facts).toEqual({ content })
      expect(wrong).toMatchObject({ isError: true })
      expect(wrong!.content).toContain('$[0]')
    },
  })

  scenario('a result converter has the last word', {
    script: [{ toolCalls: [{ name: 'price' }] }, 'Cheap.'],
    tools: () => [
      tool({
        name: 'price',
        execute: () => ({ cents: 250 }),
        resultConverter: async ({ cents }, { definition }) => `${definition.name}: ${cents / 100}`,
      }),
    ],
    check({ prompts, events }) {
      expect(toldByTools(prompts[1])).toEqual([{ content: 'price: 2.5' }])
      expect(eventsOf(events, 'tool-result')[0]!.value).toEqual({ cents: 250 })
    },
  })
})

describe('a callback called by hand', () => {
  const add = tool({
    name: 'add',
    input: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => a + b,
  })

  it('checks, runs and converts', async () => {
    expect(await add.call('{"a":1,"b":"2"}')).toBe('3')
  })

  it('rejects what does not fit, with path, expected and received', async () => {
    await expect(add.call('{"a":1,"b":"x"}')).rejects.toMatchObject({
      code: 'tool-input',
      toolName: 'add',
      issues: [{ path: '$.b', received: '"x"' }],
    })
    await expect(add.call('{"a":1')).rejects.toMatchObject({ code: 'tool-input' })
  })
})
