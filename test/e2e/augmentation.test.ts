/** Tools with extra arguments: shown, checked, told, decided upon, and taken away again. */
import { describe, expect, it } from 'vitest'
import {
  augmentTools,
  ChatClient,
  Tool,
  tool,
  type AugmentedArguments,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { eventsOf, scenario, toldByTools, type Outcome } from './scenario.ts'

const thought = z.object({
  innerThought: z.string().describe('Your reasoning for calling this tool'),
  confidence: z.enum(['low', 'high']).optional(),
})
const ARGUMENTS = { city: 'Oslo', innerThought: 'They asked.' }
const CALL = { toolCalls: [{ name: 'weather', arguments: ARGUMENTS }] }

const weather = (log: unknown[], options: Record<string, unknown> = {}): ToolCallback =>
  tool({
    name: 'weather',
    description: 'The weather of a city',
    input: z.object({ city: z.string() }),
    ...options,
    execute: (input) => (log.push(input), 'rain'),
  })

const scratch = (log: unknown[]): ToolCallback => ({
  definition: {
    name: 'weather',
    description: 'The weather of a city',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  metadata: { returnDirect: false, hints: {}, effect: 'once' },
  call: async (input) => (log.push(JSON.parse(input)), 'rain'),
})

class WeatherTools {
  readonly #log: unknown[]
  constructor(log: unknown[]) {
    this.#log = log
  }

  @Tool({ input: z.object({ city: z.string() }) })
  weather(input: { city: string }): string {
    this.#log.push(input)
    return 'rain'
  }
}

const SOURCES: { readonly [name: string]: (log: unknown[]) => ToolSource } = {
  'a tool': (log) => weather(log),
  'a callback from scratch': scratch,
  'a provider': (log) => ({ toolCallbacks: async () => [weather(log)] }),
  'a record': (log) => ({
    weather: tool({
      input: z.object({ city: z.string() }),
      execute: (input) => (log.push(input), 'rain'),
    }),
  }),
  'an object with @Tool methods': (log) => new WeatherTools(log),
  'an array of these': (log) => [[weather(log)], [tool({ name: 'other', execute: () => 1 })]],
}

describe('a source', () => {
  for (const [name, source] of Object.entries(SOURCES)) {
    scenario(`${name}: the model is asked for more, the program is told, the tool gets its own`, {
      script: [CALL, 'Rain.'],
      tools: ({ log }) => [
        augmentTools(source(log), { input: thought, onArguments: (event) => void log.push(event) }),
      ],
      check({ log, prompts }) {
        const [{ definition }] = prompts[0]!.options!.tools as [ToolCallback]
        expect(definition.inputSchema).toEqual({
          type: 'object',
          properties: {
            city: { type: 'string' },
            innerThought: { type: 'string', description: 'Your reasoning for calling this tool' },
            confidence: { type: 'string', enum: ['low', 'high'] },
          },
          required: ['city', 'innerThought'],
          additionalProperties: false,
        })
        expect(log).toEqual([
          {
            toolDefinition: definition,
            rawInput: JSON.stringify(ARGUMENTS),
            arguments: { innerThought: 'They asked.' },
            callId: 'call_1',
          },
          { city: 'Oslo' },
        ])
        expect(toldByTools(prompts[1])).toEqual([{ content: 'rain' }])
      },
    })
  }

  it('a provider is still asked once per run, and its tools stay the same', async () => {
    const log: unknown[] = []
    const inner = weather([])
    const provider = { toolCallbacks: () => (log.push('asked'), [inner]) }
    const model = scriptedModel([CALL, 'One.', CALL, 'Two.'])
    const client = ChatClient.create(model, { tools: [augmentTools(provider, { input: thought })] })
    expect(log).toEqual([])
    await client.prompt('Go').call().content()
    await client.prompt('Go').call().content()
    expect(log).toEqual(['asked', 'asked'])
    const offered = model.prompts.map((prompt) => prompt.options!.tools![0])
    expect(new Set(offered).size).toBe(1)
  })

  it('an augmented tool can be augmented again', async () => {
    const log: unknown[] = []
    const once = augmentTools(weather(log), {
      input: thought,
      onArguments: (event) => void log.push(event.arguments),
    })
    const [twice] = augmentTools(once, {
      input: z.object({ mood: z.string() }),
      onArguments: (event) => void log.push(event.arguments),
    }) as readonly [ToolCallback]
    await twice.call(JSON.stringify({ ...ARGUMENTS, mood: 'calm' }))
    expect(log).toEqual([{ mood: 'calm' }, { innerThought: 'They asked.' }, { city: 'Oslo' }])
  })
})

describe('what a tool is', () => {
  scenario('stays: return direct, hints, labels, timeout, examples', {
    script: [CALL],
    tools: ({ log }) => [
      augmentTools(
        weather(log, {
          title: 'Weather',
          returnDirect: true,
          hints: { readOnly: true },
          labels: { emits: 'untrusted' },
          timeoutMs: 5,
          examples: ['Will it rain?'],
          output: z.string(),
        }),
        { input: thought },
      ),
    ],
    check({ result, prompts }) {
      expect(result.response.results[0]).toMatchObject({ finishReason: 'return-direct' })
      const [offered] = prompts[0]!.options!.tools as [ToolCallback]
      expect(offered.definition).toMatchObject({
        name: 'weather',
        title: 'Weather',
        description: 'The weather of a city',
        examples: ['Will it rain?'],
        outputSchema: { type: 'string' },
      })
      expect(offered.metadata).toEqual({
        returnDirect: true,
        hints: { readOnly: true },
        effect: 'read',
        labels: { emits: 'untrusted' },
        timeoutMs: 5,
      })
    },
  })

  it('examples of inputs go when they would lack a required argument', () => {
    const inputExamples = [{ city: 'Oslo' }]
    const of = (input: z.ZodType) =>
      (augmentTools(weather([], { inputExamples }), { input }) as readonly [ToolCallback])[0]
        .definition.inputExamples
    expect(of(thought)).toBeUndefined()
    expect(of(thought.partial())).toEqual(inputExamples)
  })

  scenario('its own checks hold: transforms reach it, both parts’ issues go to the model', {
    script: [
      { toolCalls: [{ name: 'ring', arguments: { at: 'soon', confidence: 'some', extra: 1 } }] },
      { toolCalls: [{ name: 'ring', arguments: { at: '2026-01-02', innerThought: 'Now' } }] },
      'Set.',
    ],
    tools: ({ log }) => [
      augmentTools(
        tool({
          name: 'ring',
          input: z.object({ at: z.iso.date().transform((text) => new Date(text)) }),
          execute: ({ at }) => void log.push(at instanceof Date),
        }),
        { input: thought },
      ),
    ],
    check({ log, prompts }) {
      const [told] = toldByTools(prompts[1])
      expect(told).toMatchObject({ isError: true })
      expect(told!.content).toContain('Correct your arguments')
      expect(told!.content).toContain('$.extra')
      expect(told!.content).toContain('$.innerThought')
      expect(told!.content).toContain('$.confidence')
      expect(log).toEqual([true])
    },
  })

  scenario('a tool whose input is no object gets just that, also with keepArguments', {
    script: [
      { toolCalls: [{ name: 'double', arguments: { value: '21', innerThought: 'Sum' } }] },
      '42.',
    ],
    client: ({ log }) => ({ policy: ({ input }) => (log.push(input), 'allow') }),
    tools: ({ log }) => [
      augmentTools(
        tool({
          name: 'double',
          input: z.number(),
          approval: (n) => (log.push(n), false),
          execute: (n) => (log.push(n), n * 2),
        }),
        { input: thought, keepArguments: true },
      ),
    ],
    check({ log, prompts }) {
      expect(log).toEqual([{ value: 21, innerThought: 'Sum' }, 21, 21])
      expect(toldByTools(prompts[1])).toEqual([{ content: '42' }])
    },
  })

  scenario('a generator is run to its end, its yields are progress', {
    script: [{ toolCalls: [{ name: 'work', arguments: { innerThought: 'x' } }] }, 'Done.'],
    tools: () => [
      augmentTools(
        tool({
          name: 'work',
          execute: function* () {
            yield 'half'
            return 'all'
          },
        }),
        { input: thought, onArguments: async () => {} },
      ),
    ],
    check({ events, prompts }) {
      expect(eventsOf(events, 'tool-progress')).toMatchObject([{ progress: 'half' }])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'all' }])
    },
  })

  for (const [name, make] of Object.entries({ 'a tool': weather, 'a callback': scratch })) {
    scenario(`${name} with keepArguments gets all of them`, {
      script: [CALL, 'Rain.'],
      tools: ({ log }) => [augmentTools(make(log), { input: thought, keepArguments: true })],
      check: ({ log }) => void expect(log).toEqual([ARGUMENTS]),
    })
  }
})

describe('who decides about a call', () => {
  scenario('sees the extra arguments: approval rule, preview, policy, and whoever approves', {
    script: [CALL, 'Rain.'],
    client: ({ log }) => ({ policy: ({ input }) => (log.push(['policy', input]), 'allow') }),
    tools: ({ log }) => [
      augmentTools(
        weather(log, {
          approval: (input: typeof ARGUMENTS) => input.innerThought.includes('asked'),
          preview: (input: typeof ARGUMENTS) => input.innerThought,
        }),
        { input: thought, onArguments: () => void log.push('told') },
      ),
    ],
    resume: [() => ({ call_1: { edit: { city: 'Bergen', innerThought: 'Closer.' } } })],
    check({ log, legs }) {
      expect(legs[0]!.result!.pending).toMatchObject([{ input: ARGUMENTS, preview: 'They asked.' }])
      expect(log).toEqual([
        ['policy', ARGUMENTS],
        ['policy', { city: 'Bergen', innerThought: 'Closer.' }],
        'told',
        { city: 'Bergen' },
      ])
    },
  })
})

describe('onArguments', () => {
  const slow = (log: unknown[], events: AugmentedArguments[] = []): ToolSource =>
    augmentTools(weather(log), {
      input: thought,
      async onArguments(event) {
        events.push(event)
        await Promise.resolve()
        log.push('told')
      },
    })

  scenario('is awaited before the tool runs', {
    script: [CALL, 'Rain.'],
    tools: ({ log }) => [slow(log)],
    check: ({ log }) => void expect(log).toEqual(['told', { city: 'Oslo' }]),
  })

  for (const [how, onArguments] of Object.entries({
    throws: () => {
      throw new Error('disk full, key sk-abcdefghijklmnop1234')
    },
    rejects: () => Promise.reject(new Error('disk full, key sk-abcdefghijklmnop1234')),
  })) {
    scenario(`that ${how} is noticed, redacted, and the tool runs`, {
      script: [CALL, 'Rain.'],
      tools: ({ log }) => [augmentTools(weather(log), { input: thought, onArguments })],
      check({ log, events, prompts }: Outcome) {
        expect(log).toEqual([{ city: 'Oslo' }])
        expect(toldByTools(prompts[1])).toEqual([{ content: 'rain' }])
        expect(eventsOf(events, 'notice')).toMatchObject([
          {
            code: 'on-arguments-failed',
            message: 'onArguments of tool "weather" failed: disk full, key [redacted]',
            data: { callId: 'call_1' },
          },
        ])
      },
    })
  }

  scenario('that outlives the call’s time: the tool does not run', {
    script: [CALL, 'Too slow.'],
    client: () => ({ limits: { toolTimeoutMs: 100 } }),
    tools: ({ log, clock }) => [
      augmentTools(weather(log), {
        input: thought,
        onArguments: () => new Promise((resolve) => void clock.timer(200, resolve)),
      }),
    ],
    during: ({ clock }) => clock.advance(300),
    check({ log, prompts }) {
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }])
    },
  })

  scenario('is told once, however often the tool is tried', {
    script: [CALL, 'Rain.'],
    tools: ({ log }) => [
      augmentTools(
        tool({
          name: 'weather',
          input: z.object({ city: z.string() }),
          hints: { readOnly: true },
          retry: { attempts: 2, delayMs: 1 },
          execute(_input, { attempt }) {
            log.push(attempt)
            if (attempt === 1) throw new Error('again')
            return 'rain'
          },
        }),
        { input: thought, onArguments: () => void log.push('told') },
      ),
    ],
    during: ({ clock }) => clock.advance(10),
    check: ({ log }) => void expect(log).toEqual(['told', 1, 2]),
  })

  scenario('is told once, though the tool asks somebody and begins again with the answer', {
    script: [CALL, 'Rain.'],
    tools: ({ log }) => [
      augmentTools(
        tool({
          name: 'weather',
          input: z.object({ city: z.string() }),
          execute: (_input, context) => void log.push(context.suspend('Where exactly?')),
        }),
        { input: thought, onArguments: () => void log.push('told') },
      ),
    ],
    resume: [() => ({ call_1: { answer: 'In the park' } })],
    check: ({ log }) => void expect(log).toEqual(['told', 'In the park']),
  })

  it('a tool called by hand tells it too, and checks both parts', async () => {
    const events: AugmentedArguments[] = []
    const [byHand] = slow([], events) as readonly [ToolCallback]
    expect(await byHand.call('{ "city": "Oslo", "innerThought": "Mine" }')).toBe('rain')
    expect(events).toMatchObject([
      {
        arguments: { innerThought: 'Mine' },
        rawInput: '{ "city": "Oslo", "innerThought": "Mine" }',
      },
    ])
    await expect(byHand.call('{"city":"Oslo"}')).rejects.toMatchObject({
      code: 'tool-input',
      issues: [{ path: '$.innerThought' }],
    })
  })
})

describe('bad input', () => {
  const CASES: { readonly [name: string]: readonly [() => unknown, string, RegExp] } = {
    'a name that is taken': [
      () => augmentTools(weather([]), { input: z.object({ city: z.string() }) }),
      'argument-taken',
      /Tool "weather" already has an argument "city"\. Rename/,
    ],
    'a schema of no object': [
      () => augmentTools(weather([]), { input: z.string() }),
      'invalid-schema',
      /at least one property/,
    ],
    'an empty schema': [
      () => augmentTools(weather([]), { input: z.object({}) }),
      'invalid-schema',
      /at least one property/,
    ],
    'no schema': [
      () => augmentTools(weather([]), {} as never),
      'invalid-option',
      /needs input, a schema/,
    ],
    'no options': [
      () => augmentTools(weather([]), undefined as never),
      'invalid-option',
      /needs input, a schema/,
    ],
    'a misspelt option': [
      () => augmentTools(weather([]), { input: thought, onArgument: () => {} } as never),
      'unknown-option',
      /Did you mean "onArguments"/,
    ],
    'onArguments that is no function': [
      () => augmentTools(weather([]), { input: thought, onArguments: 'log' as never }),
      'invalid-option',
      /onArguments is a function/,
    ],
    'no source': [
      () => augmentTools({} as never, { input: thought }),
      'invalid-tool-source',
      /no tools/,
    ],
  }
  for (const [name, [make, code, message]] of Object.entries(CASES)) {
    it(`${name}: an error at once`, () => {
      expect(make).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
      )
    })
  }

  it('a name taken by a provider’s tool: an error before the model is asked', async () => {
    const model = scriptedModel([])
    const source = augmentTools(
      { toolCallbacks: () => [weather([])] },
      { input: z.object({ city: z.string() }) },
    )
    const run = ChatClient.create(model).prompt('Go').tools(source).call()
    await expect(run.content()).rejects.toMatchObject({ code: 'argument-taken' })
    expect(model.prompts).toEqual([])
  })
})
