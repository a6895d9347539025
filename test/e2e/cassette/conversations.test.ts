/** Conversations of every kind on a cassette: whatever is recorded replays the same, in call and in stream. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  ModelResponseError,
  ProviderError,
  retryAdvisor,
  tool,
  toolRunOf,
  type ChatModel,
  type Message,
  type ToolCallback,
} from 'toolwright'
import {
  cassette,
  CassetteError,
  countingIds,
  manualClock,
  scriptedModel,
  type Cassette,
} from 'toolwright/testing'
import { taped, type Stage } from './taped.ts'

const weather = ({ log }: Pick<Stage, 'log'>) =>
  tool({
    name: 'weather',
    description: 'The weather of a city',
    input: z.object({ city: z.string() }),
    execute({ city }) {
      log.push(city)
      if (city === 'Atlantis') throw new RangeError('There is no Atlantis.')
      return { city, degrees: 21 }
    },
  })

const asks = (...cities: readonly string[]) => ({
  toolCalls: cities.map((city) => ({ name: 'weather', arguments: { city } })),
})

const rolesOf = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ role }) => role)
const toolMessage = (messages: readonly Message[]) =>
  messages.findLast((each) => each.role === 'tool')?.responses

describe('calls of tools', () => {
  taped('one after another, and several at once', {
    script: [asks('Rome'), asks('Oslo', 'Bern', 'Atlantis', 'Rome'), 'Warm.'],
    tools: (stage) => [weather(stage)],
    check({ legs, log }) {
      expect(log).toEqual(['Rome', 'Oslo', 'Bern', 'Atlantis', 'Rome'])
      expect(legs[0]!.result!.rounds).toHaveLength(3)
      expect(toolMessage(legs[0]!.result!.messages)![2]).toMatchObject({
        content: 'There is no Atlantis.',
        isError: true,
      })
    },
  })

  taped('that are refused: unknown tools, wrong arguments, broken JSON', {
    script: [
      {
        toolCalls: [
          { name: 'wether' },
          { name: 'weather', arguments: { town: 'Rome' } },
          { name: 'weather', rawArguments: '{"city":' },
        ],
      },
      'I could not.',
    ],
    tools: (stage) => [weather(stage)],
    check({ log, legs }) {
      expect(log).toEqual([])
      expect(toolMessage(legs[0]!.result!.messages)!.map(({ isError }) => isError)).toEqual([
        true,
        true,
        true,
      ])
    },
  })

  taped('without ids of their own, and with one id twice', {
    script: [
      { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' }, id: '' }] },
      { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' }, id: 'a' }] },
      { toolCalls: [{ name: 'weather', arguments: { city: 'Bern' }, id: 'a' }] },
      'Warm.',
    ],
    tools: (stage) => [weather(stage)],
    check: ({ log }) => expect(log).toHaveLength(3),
  })

  taped('whose results are the answer', {
    script: [{ toolCalls: [{ name: 'dice' }, { name: 'dice' }] }],
    tools: ({ log }) => [
      tool({ name: 'dice', returnDirect: true, execute: () => `rolled ${log.push('dice')}` }),
    ],
    check({ legs }) {
      const { response } = legs[0]!.result!
      expect(response.results.map(({ finishReason }) => finishReason)).toEqual([
        'return-direct',
        'return-direct',
      ])
      expect(response.results.map(({ message }) => message.content)).toEqual([
        'rolled 1',
        'rolled 2',
      ])
    },
  })

  taped('with results of every form', {
    script: [
      {
        toolCalls: [
          'text',
          'nothing',
          'json',
          'date',
          'list',
          'picture',
          'parts',
          'false',
          'own',
        ].map((form) => ({ name: 'give', arguments: { form } })),
      },
      'Seen.',
    ],
    tools: ({ log }) => [
      tool({
        name: 'give',
        input: z.object({ form: z.string() }),
        execute({ form }) {
          log.push(form)
          if (form === 'nothing') return undefined
          if (form === 'json') return { b: [1, { c: null }], a: '{"x":1}' }
          if (form === 'date') return '2026-01-01'
          if (form === 'list') return [1, 2, 3]
          if (form === 'picture')
            return { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }
          if (form === 'parts')
            return [
              { type: 'text', text: 'Look:' },
              { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo='.repeat(40) },
            ]
          if (form === 'false') return false
          return form
        },
        resultConverter: (value, { definition }) =>
          value === 'own' ? `${definition.name} converted` : (value as string),
      }),
    ],
    check({ legs, text }) {
      const values = legs[0]!.events.flatMap((event) =>
        event.type === 'tool-result' ? [event.value] : [],
      )
      expect(values[1]).toBe(undefined)
      expect(values[2]).toEqual({ b: [1, { c: null }], a: '{"x":1}' })
      expect(text).toContain('give converted')
      expect(text).toContain('480 characters, sha256')
    },
  })

  taped('that report progress, by the context and by yields', {
    script: [{ toolCalls: [{ name: 'count' }, { name: 'walk' }] }, 'Counted.'],
    tools: ({ log }) => [
      tool({
        name: 'count',
        execute(_input, context) {
          log.push('count')
          context.progress({ of: 2, at: 1 })
          context.progress(2)
          return 'two'
        },
      }),
      tool({
        name: 'walk',
        *execute() {
          log.push('walk')
          yield 'left'
          yield 'right'
          return 'there'
        },
      }),
    ],
    check: ({ legs }) =>
      expect(
        legs[0]!.events.flatMap((event) =>
          event.type === 'tool-progress' ? [event.progress] : [],
        ),
      ).toEqual(expect.arrayContaining([{ of: 2, at: 1 }, 2, 'left', 'right'])),
  })

  taped('that are tried again until one succeeds', {
    script: [{ toolCalls: [{ name: 'flaky' }] }, 'Done.'],
    tools: ({ log }) => [
      tool({
        name: 'flaky',
        hints: { idempotent: true },
        retry: { attempts: 3, delayMs: 1 },
        execute() {
          if (log.push('try') < 3) throw new Error(`not yet (${log.length})`)
          return 'at last'
        },
      }),
    ],
    during: ({ clock }) => clock.advance(10_000),
    check({ log, legs }) {
      expect(log).toHaveLength(3)
      expect(toolMessage(legs[0]!.result!.messages)![0]!.content).toBe('at last')
    },
  })
})

describe('callbacks from scratch and providers', () => {
  const fromScratch = (log: unknown[]): ToolCallback => ({
    definition: { name: 'raw', description: 'Raw', inputSchema: { type: 'object' } },
    metadata: { returnDirect: false, hints: {}, effect: 'once' },
    async call(input, context) {
      log.push(input)
      context!.progress('half')
      return `got ${input}`
    },
  })

  taped('are recorded like tools made by tool()', {
    script: [{ toolCalls: [{ name: 'raw', arguments: { a: 1 } }] }, 'Done.'],
    tools: ({ log }) => ({ raw: fromScratch(log) }),
    check({ log, legs }) {
      expect(log).toEqual(['{"a":1}'])
      expect(toolMessage(legs[0]!.result!.messages)![0]!.content).toBe('got {"a":1}')
    },
  })

  taped('are not asked in a replay', {
    script: [
      {
        toolCalls: [
          { name: 'raw', arguments: {} },
          { name: 'two', arguments: { value: [1] } },
        ],
      },
      'Done.',
    ],
    tools: ({ log }) => [
      { toolCallbacks: () => (log.push('asked'), [fromScratch(log)]) },
      {
        toolCallbacks: async () => [
          tool({ name: 'two', input: z.array(z.number()), execute: ([first]) => first }),
        ],
      },
    ],
    check: ({ log }) => expect(log).toEqual(['asked', '{}']),
  })
})

describe('answers of models', () => {
  const signed = {
    type: 'reasoning',
    text: 'Hm.',
    providerData: { signature: 'c2ln'.repeat(80) },
  } as const

  taped('with reasoning, media and what the provider did itself', {
    script: [
      {
        parts: [
          signed,
          { type: 'text', text: 'Looking.' },
          { type: 'provider', kind: 'web_search', data: { query: 'Rome', sources: ['a'] } },
          {
            type: 'tool-call',
            id: 'w1',
            name: 'weather',
            arguments: '{ "city": "Rome" }',
            providerData: { thought: 'x' },
          },
        ],
        usage: { inputTokens: 3, outputTokens: 4 },
      },
      {
        parts: [
          { type: 'image', mediaType: 'image/png', data: 'AAAA' },
          { type: 'text', text: 'So.' },
        ],
      },
    ],
    tools: (stage) => [weather(stage)],
    turns: [
      (client) =>
        client.prompt([
          { role: 'system', content: 'Be kind.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image', mediaType: 'image/jpeg', data: '/9j/'.repeat(100) },
            ],
          },
        ]),
    ],
    check({ legs, text }) {
      expect(legs[0]!.result!.messages[2]).toMatchObject({
        content: expect.arrayContaining([signed]) as unknown,
      })
      expect(text.split('c2ln'.repeat(80))).toHaveLength(2)
      expect(text).not.toContain('/9j/'.repeat(100))
    },
  })

  taped('that failed, and were asked for again', {
    script: [
      {
        error: new ProviderError('provider-unavailable', 'The house is closed.', {
          provider: 'scripted',
          status: 503,
          retryable: true,
        }),
      },
      'Open again.',
    ],
    client: () => ({ advisors: [retryAdvisor({ delayMs: 1 })] }),
    during: ({ clock }) => clock.advance(10_000),
    check: ({ legs }) =>
      expect(legs[0]!.result!.response.results[0]!.message.content).toBe('Open again.'),
  })

  taped('that failed for good, after some words', {
    script: [
      {
        text: 'I was about to',
        error: new ModelResponseError('broken-answer', 'It broke off.', {
          partial: 'I was about to',
        }),
      },
    ],
    check({ legs, text }) {
      expect(legs[0]!.error).toBeInstanceOf(ModelResponseError)
      expect(text).toContain('It broke off.')
    },
  })

  taped('that failed with an error of its own', {
    script: [{ error: Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' }) }],
    check: ({ legs }) => expect(legs[0]!.error).toMatchObject({ message: 'fetch failed' }),
  })

  const noticing = (model: ChatModel): ChatModel => ({
    ...model,
    capabilities: { structuredOutput: true },
    options: { temperature: 0 },
    call: async (prompt, run) => {
      run?.emit?.({ type: 'notice', code: 'own-notice', message: 'Slow today.' })
      return model.call(prompt, run)
    },
    async *stream(prompt, run) {
      yield { type: 'notice', code: 'own-notice', message: 'Slow today.' }
      yield* model.stream(prompt, run)
    },
  })

  taped('with notices, and in a schema', {
    script: ['{"degrees":21}'],
    model: noticing,
    turns: [
      (client) =>
        client.prompt('How warm?').options({
          outputSchema: {
            type: 'object',
            properties: { degrees: { type: 'number' } },
            required: ['degrees'],
          },
          temperature: 0.5,
        }),
    ],
    check({ legs, text }) {
      expect(legs[0]!.events).toContainEqual(expect.objectContaining({ code: 'own-notice' }))
      expect(JSON.parse(text).exchanges[0].request.options).toMatchObject({ temperature: 0.5 })
    },
  })
})

describe('runs that wait', () => {
  const pay = ({ log }: Pick<Stage, 'log'>) =>
    tool({
      name: 'pay',
      input: z.object({ amount: z.number() }),
      approval: ({ amount }) => (log.push(`asked ${amount}`), amount > 10),
      preview: ({ amount }) => (log.push(`shown ${amount}`), { would: `pay ${amount}` }),
      execute: ({ amount }) => (log.push(`paid ${amount}`), `paid ${amount}`),
    })

  taped('for approval, are edited, denied and approved', {
    script: [
      {
        toolCalls: [5, 20, 30, 40].map((amount) => ({
          name: 'pay',
          arguments: { amount },
          id: `p${amount}`,
        })),
      },
      'Paid.',
    ],
    tools: (stage) => [pay(stage)],
    resume: [
      () => ({ p20: 'approve' }),
      () => ({ p30: { deny: 'Too much.' }, p40: { edit: { amount: 4 } } }),
    ],
    check({ legs, log }) {
      expect(legs.map(({ result }) => result!.status)).toEqual(['suspended', 'suspended', 'done'])
      expect(legs[0]!.result!.pending![0]!.preview).toEqual({ would: 'pay 20' })
      expect(log.filter((line) => String(line).startsWith('paid'))).toEqual([
        'paid 5',
        'paid 20',
        'paid 4',
      ])
    },
  })

  taped('for answers to questions of a tool', {
    script: [{ toolCalls: [{ name: 'book', id: 'b1' }] }, 'Booked.'],
    tools: ({ log }) => [
      tool({
        name: 'book',
        execute(_input, context) {
          log.push('book')
          const seat = context.suspend({ ask: 'Which seat?' })
          const meal = context.suspend({ ask: 'Which meal?' })
          return `${String(seat)} with ${String(meal)}`
        },
      }),
    ],
    resume: [() => ({ b1: { answer: '4A' } }), () => ({ b1: { answer: 'rice' } })],
    check({ legs, log }) {
      expect(log).toEqual(['book', 'book', 'book'])
      expect(toolMessage(legs[2]!.result!.messages)![0]!.content).toBe('4A with rice')
    },
  })

  taped('for tools that keep something with their question', {
    script: [{ toolCalls: [{ name: 'order', id: 'o1' }] }, 'Ordered.'],
    tools: ({ log }) => [
      tool({
        name: 'order',
        execute(_input, context) {
          log.push('order')
          const { answers, kept, ask } = toolRunOf(context)
          if (answers.length === 0) ask({ message: 'Which floor?' }, { ticket: 7 })
          return { kept: kept!, floor: answers[0]! }
        },
      }),
    ],
    resume: [() => ({ o1: { answer: 3 } })],
    check: ({ legs }) =>
      expect(toolMessage(legs[1]!.result!.messages)![0]!.content).toBe(
        '{"kept":{"ticket":7},"floor":3}',
      ),
  })

  const look = ({ log }: Pick<Stage, 'log'>) =>
    tool({ name: 'look', execute: () => (log.push('looked'), 'seen') })
  const spend = ({ log }: Pick<Stage, 'log'>) =>
    tool({ name: 'spend', approval: true, execute: () => (log.push('spent'), 'spent') })
  /** Looks, then spends, and waits if that has to wait. */
  const program = (tools: readonly object[]): ToolCallback =>
    tool({
      name: 'program',
      composite: { tools },
      async execute(_input, context) {
        const { call, suspend } = toolRunOf(context)
        const seen = await call({ index: 0, name: 'look', arguments: {} })
        const spent = await call({ index: 1, name: 'spend', arguments: {} })
        return 'pending' in spent ? suspend({ seen: 'content' in seen }) : { seen, spent }
      },
    })
  const asksProgram = [{ toolCalls: [{ name: 'program' }] }, 'Done.']

  for (const decision of ['approve', { deny: 'Too much.' }] as const) {
    const decided = decision === 'approve' ? 'approved' : 'denied'

    taped(`for a call of a tool that calls tools of the cassette, which is ${decided}`, {
      script: asksProgram,
      tools: (stage) => [look(stage), spend(stage)],
      client: ({ tape }) => ({ tools: [program(tape.tools)] }),
      resume: [() => ({ 'call_1/1': decision })],
      check({ legs, log }) {
        expect(legs[0]!.result!.pending).toMatchObject([
          { callId: 'call_1/1', parentCallId: 'call_1', kind: 'approval', toolName: 'spend' },
        ])
        expect(legs[1]!.result!.status).toBe('done')
        expect(log.filter((line) => line === 'spent')).toHaveLength(decision === 'approve' ? 1 : 0)
      },
    })

    for (const mode of ['call', 'stream'] as const)
      it(`for a call, ${decided}, of a tool that is on the cassette: it goes on as without, and is not written: ${mode}`, async () => {
        const folder = mkdtempSync(join(tmpdir(), 'inner-'))
        onTestFinished(() => rmSync(folder, { recursive: true }))
        const file = join(folder, 'inner.cassette.json')
        const had = async (
          staged: (tools: readonly ToolCallback[]) => Pick<Cassette, 'model' | 'tools'>,
        ) => {
          const log: unknown[] = []
          const { model, tools } = staged([program([look({ log }), spend({ log })])])
          const client = ChatClient.create(model, {
            tools,
            ids: countingIds(),
            stateSecret: 'a secret of sixteen',
          })
          const { pending, state, status } = await client.prompt('Go')[mode]().result()
          const rest = await client.resume(state!, { 'call_1/1': decision })[mode]().result()
          return { log, pending, status, ended: rest.status, messages: rest.messages }
        }
        const model = () => scriptedModel(asksProgram)
        const plain = await had((tools) => ({ model: model(), tools }))
        expect(plain).toMatchObject({ status: 'suspended', ended: 'done' })
        let tape: Cassette
        const recorded = await had(
          (tools) => (tape = cassette(file, { model, tools, mode: 'record' })),
        )
        expect(recorded).toEqual(plain)
        const refused = await tape!.finish().catch((error: unknown) => error)
        expect(refused).toBeInstanceOf(CassetteError)
        expect(refused).toMatchObject({ code: 'cassette-inner-calls', file })
        expect(String(refused)).toContain('tool "program" waited for calls of its own')
        expect(readdirSync(folder)).toEqual([])
      })
  }

  taped('for results that the application supplies', {
    script: [{ toolCalls: [{ name: 'locate', id: 'l1' }] }, 'There.'],
    tools: () => [tool({ name: 'locate', description: 'Where the user is' })],
    resume: [() => ({ l1: { result: { lat: 1, lon: 2 } } })],
    check: ({ legs }) =>
      expect(toolMessage(legs[1]!.result!.messages)![0]!.content).toBe('{"lat":1,"lon":2}'),
  })
})

describe('time', () => {
  taped('that a tool does not keep', {
    script: [{ toolCalls: [{ name: 'slow' }] }, 'Too slow.'],
    tools: ({ log }) => [
      tool({
        name: 'slow',
        timeoutMs: 50,
        execute: () => (log.push('slow'), new Promise<string>(() => {})),
      }),
    ],
    // A replay is over before this moves the clock.
    during: async ({ clock, log, tape }) => {
      if (tape.mode === 'replay') return
      await vi.waitFor(() => expect(log).toEqual(['slow']))
      await clock.advance(50)
    },
    check: ({ legs }) =>
      expect(toolMessage(legs[0]!.result!.messages)![0]!.content).toBe('no result within 50 ms'),
  })

  it('a result that comes too late does not stand for that of the next call', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'late-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'late.cassette.json')
    for (const mode of ['record', 'replay'] as const) {
      const clock = manualClock()
      const begun: unknown[] = []
      const slow = tool({
        name: 'slow',
        timeoutMs: 50,
        input: z.object({ call: z.number() }),
        execute({ call }) {
          begun.push(call)
          if (call === 2) return 'ok'
          return new Promise<string>((done) => void clock.timer(80, () => done('ok')))
        },
      })
      const calls = [1, 2].map((call) => ({ toolCalls: [{ name: 'slow', arguments: { call } }] }))
      const script = [calls[0]!, { ...calls[1]!, delayMs: 60 }, 'Done.']
      const tape = cassette(file, {
        model: scriptedModel(script, { clock }),
        tools: [slow],
        mode,
      })
      const client = ChatClient.create(tape.model, { clock, tools: tape.tools })
      const running = client.prompt('Go').call().result()
      if (mode === 'record') {
        await vi.waitFor(() => expect(begun).toEqual([1]))
        await clock.advance(200)
      }
      expect(toolMessage((await running).messages)![0]!.content).toBe('ok')
      await tape.finish()
      // What was aborted would wait in the replay.
      expect(readFileSync(file, 'utf8')).not.toContain('"aborted"')
    }
  })

  taped('at which a run is aborted', {
    script: [{ text: 'I begin', hang: true }],
    turns: [(client, { abort }) => client.prompt('Go').signal(abort.signal)],
    during: async ({ abort }) => {
      await new Promise((resolve) => setImmediate(resolve))
      abort.abort(new Error('Enough.'))
    },
    check: ({ legs }) => expect(legs[0]!.error).toMatchObject({ message: 'Enough.' }),
  })
})

describe('conversations', () => {
  const memory = () => ({
    advisors: [
      chatMemoryAdvisor(messageWindowMemory({ maxMessages: 20 }), { storeToolExchange: true }),
    ],
  })

  taped('of several turns, with a memory', {
    script: [asks('Rome'), 'Warm.', asks('Oslo'), 'Cold.', 'Rome and Oslo.'],
    tools: (stage) => [weather(stage)],
    client: memory,
    turns: ['Is it warm in Rome?', 'And in Oslo?', 'What did I ask about?'].map(
      (words) => (client: ChatClient) => client.prompt(words).conversation('c1'),
    ),
    check({ legs, text }) {
      expect(rolesOf(legs[2]!.result!.messages)).toHaveLength(10)
      expect(text.match(/Is it warm in Rome/g)).toHaveLength(1)
    },
  })
})

taped('tools with a cache or a rate are run as often as they were called', {
  script: [asks('Rome'), asks('Rome'), 'Warm.'],
  tools: ({ log }) => [
    tool({
      name: 'weather',
      input: z.object({ city: z.string() }),
      hints: { readOnly: true },
      cache: { ttlMs: 1000 },
      rateLimit: { calls: 5, perMs: 1000 },
      execute: ({ city }) => `${city} ${log.push(city)}`,
    }),
  ],
  check: ({ log }) => expect(log).toEqual(['Rome', 'Rome']),
})
