/** The spans of every kind of run, as the SDK exports them: whole trees, whole attributes. */
import { trace } from '@opentelemetry/api'
import { otelObserver } from '@toolwright/otel'
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  clientTool,
  messageWindowMemory,
  retryAdvisor,
  tool,
  toolCallingManager,
  toolRunOf,
  type ChatClientOptions,
} from 'toolwright'
import { agentRegistry, runAgent } from 'toolwright/agent'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { keywordToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { scenario, type Mode } from '../e2e/scenario.ts'
import { telemetry, type SeenSpan } from './telemetry.ts'

const seen = telemetry()
const observing = (options: ChatClientOptions = {}) => {
  seen.reset()
  return { observer: otelObserver(), ...options }
}

const look = tool({ name: 'look', description: 'Looks', execute: () => 'seen' })
const pay = tool({ name: 'pay', description: 'Pays', approval: true, execute: () => 'paid' })

/** A model that is streamed says so, and when its first piece came. */
const streamed = (mode: Mode): object =>
  mode === 'stream'
    ? { 'gen_ai.request.stream': true, 'gen_ai.response.time_to_first_chunk': 0 }
    : {}

const chat = (mode: Mode, round: number, more: object = {}): SeenSpan => ({
  name: 'chat scripted',
  kind: 'CLIENT',
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.request.model': 'scripted',
    'gen_ai.response.model': 'scripted',
    'gen_ai.response.finish_reasons': ['stop'],
    'toolwright.run.id': 'run_1',
    'toolwright.round': round,
    ...streamed(mode),
    ...more,
  },
})
const ASKED = { 'gen_ai.response.finish_reasons': ['tool_call'] }

const called = (name: string, callId: string, more: object = {}): SeenSpan['attributes'] => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': callId,
  'toolwright.run.id': 'run_1',
  ...more,
})

/** A call that went well, of a tool whose description is its name if it is not said. */
const executed = (name: string, callId: string, more: object = {}): SeenSpan => ({
  name: `execute_tool ${name}`,
  kind: 'INTERNAL',
  attributes: called(name, callId, { 'gen_ai.tool.description': name, ...more }),
})
const LOOKS = { 'gen_ai.tool.description': 'Looks' }

/** A run of two rounds that ended well, if nothing else is said. */
const invoked = (children: readonly SeenSpan[], more: object = {}): SeenSpan => {
  const attributes: SeenSpan['attributes'] = {
    'gen_ai.operation.name': 'invoke_agent',
    'toolwright.run.id': 'run_1',
    'toolwright.finish_reason': 'stop',
    'toolwright.rounds': 2,
    ...more,
  }
  const agent = attributes['gen_ai.agent.name']
  const name = typeof agent === 'string' ? `invoke_agent ${agent}` : 'invoke_agent'
  return { name, kind: 'INTERNAL', attributes, children: [...children] }
}

const failedCall = (name: string, callId: string, type: string): SeenSpan => ({
  ...executed(name, callId, { 'error.type': type }),
  failed: true,
})

/** Of the first round, before anything was answered. */
function failedChat(mode: Mode, type: string): SeenSpan {
  const { attributes, ...span } = chat(mode, 1, { 'error.type': type })
  const {
    'gen_ai.response.model': _model,
    'gen_ai.response.finish_reasons': _reasons,
    'gen_ai.response.time_to_first_chunk': _first,
    ...asked
  } = attributes
  return { ...span, attributes: asked, failed: true }
}

/** A run that failed in its first round. */
function failedRun(children: readonly SeenSpan[], type: string): SeenSpan {
  const { attributes, ...span } = invoked(children, { 'error.type': type, 'toolwright.rounds': 1 })
  const { 'toolwright.finish_reason': _reason, ...known } = attributes
  return { ...span, attributes: known, failed: true }
}

describe('one run', () => {
  scenario('one tool: everything that is known, and nothing else', {
    script: [
      {
        toolCalls: [{ name: 'look' }],
        usage: { inputTokens: 10, outputTokens: 2, totalTokens: 22, cacheReadTokens: 10 },
      },
      { text: 'Done.', usage: { inputTokens: 20, outputTokens: 3, reasoningTokens: 1 } },
    ],
    client: () => observing({ observer: otelObserver({ agentName: 'support' }) }),
    request: (client) =>
      client.prompt('Go').conversation('c-1').options({ temperature: 0.5, maxTokens: 9 }),
    tools: () => [look],
    check({ mode }) {
      const asked = {
        'gen_ai.conversation.id': 'c-1',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.max_tokens': 9,
      }
      expect(seen.trees()).toEqual([
        {
          name: 'invoke_agent support',
          kind: 'INTERNAL',
          attributes: {
            'gen_ai.operation.name': 'invoke_agent',
            'gen_ai.agent.name': 'support',
            'gen_ai.conversation.id': 'c-1',
            'gen_ai.usage.input_tokens': 40,
            'gen_ai.usage.output_tokens': 5,
            'toolwright.run.id': 'run_1',
            'toolwright.finish_reason': 'stop',
            'toolwright.rounds': 2,
          },
          children: [
            chat(mode, 1, {
              ...asked,
              ...ASKED,
              'gen_ai.usage.input_tokens': 20,
              'gen_ai.usage.output_tokens': 2,
              'gen_ai.usage.cache_read.input_tokens': 10,
            }),
            {
              name: 'execute_tool look',
              kind: 'INTERNAL',
              attributes: called('look', 'call_1', {
                'gen_ai.tool.description': 'Looks',
                'gen_ai.agent.name': 'support',
                'gen_ai.conversation.id': 'c-1',
              }),
            },
            chat(mode, 2, {
              ...asked,
              'gen_ai.usage.input_tokens': 20,
              'gen_ai.usage.output_tokens': 3,
              'gen_ai.usage.reasoning.output_tokens': 1,
            }),
          ],
        },
      ])
    },
  })

  scenario('a cache beside the input counts as input, also where the total leaves it out', {
    script: [
      {
        toolCalls: [{ name: 'look' }],
        usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12, cacheReadTokens: 100 },
      },
      {
        text: 'Done.',
        usage: {
          inputTokens: 100,
          outputTokens: 2,
          totalTokens: 102,
          cacheReadTokens: 60,
          cacheWriteTokens: 40,
        },
      },
    ],
    client: () => observing(),
    tools: () => [look],
    check() {
      const inputs = seen
        .finished()
        .map(({ name, attributes }) => [name, attributes['gen_ai.usage.input_tokens']])
      expect(inputs).toEqual([
        ['chat scripted', 110],
        ['execute_tool look', undefined],
        ['chat scripted', 100],
        ['invoke_agent', 210],
      ])
    },
  })

  scenario('what a tool calls stands in it', {
    script: [{ toolCalls: [{ name: 'program' }] }, 'Done.'],
    client: () => observing(),
    tools: () => [
      tool({
        name: 'program',
        composite: { tools: [look] },
        async execute(_input, context) {
          const { call } = toolRunOf(context)
          await Promise.all([0, 1].map((index) => call({ index, name: 'look', arguments: {} })))
        },
      }),
    ],
    check({ mode }) {
      const inside = ['call_1/0', 'call_1/1'].map((id) => executed('look', id, LOOKS))
      expect(seen.trees()).toEqual([
        invoked([
          chat(mode, 1, ASKED),
          { ...executed('program', 'call_1'), children: inside },
          chat(mode, 2),
        ]),
      ])
    },
  })

  scenario('parallel tools stand beside each other, and what they do stands in them', {
    script: [{ toolCalls: [{ name: 'a' }, { name: 'b' }] }, 'Done.'],
    client: () => observing(),
    tools: () =>
      ['a', 'b'].map((name) =>
        tool({
          name,
          async *execute() {
            yield 'working'
            await Promise.resolve()
            trace.getTracer('mine').startSpan(`inside ${name}`).end()
            return name
          },
        }),
      ),
    check({ mode }) {
      const inside = (name: string) => ({
        children: [{ name: `inside ${name}`, kind: 'INTERNAL', attributes: {} }],
      })
      expect(seen.trees()).toEqual([
        invoked([
          chat(mode, 1, ASKED),
          { ...executed('a', 'call_1'), ...inside('a') },
          { ...executed('b', 'call_2'), ...inside('b') },
          chat(mode, 2),
        ]),
      ])
    },
  })

  scenario('failed and refused calls are errors by their code; made-up names are one name', {
    script: [
      {
        toolCalls: [
          { name: 'boom' },
          { name: 'made_up_7f3a' },
          { name: 'strict', arguments: { a: 'x' } },
          { name: 'slow' },
        ],
      },
      'Done.',
    ],
    client: () => observing(),
    during: ({ clock }) => clock.advance(1000),
    tools: () => [
      tool({
        name: 'boom',
        execute() {
          throw new RangeError('secret words')
        },
      }),
      tool({
        name: 'strict',
        input: { type: 'object', properties: { a: { type: 'number' } } },
        execute: () => 'ok',
      }),
      tool({ name: 'slow', timeoutMs: 50, execute: () => new Promise(() => {}) }),
    ],
    check({ mode }) {
      expect(seen.trees()).toEqual([
        invoked([
          chat(mode, 1, ASKED),
          failedCall('boom', 'call_1', 'tool-execution'),
          {
            name: 'execute_tool _OTHER',
            kind: 'INTERNAL',
            failed: true,
            attributes: {
              'gen_ai.operation.name': 'execute_tool',
              'gen_ai.tool.name': '_OTHER',
              'gen_ai.tool.call.id': 'call_2',
              'toolwright.run.id': 'run_1',
              'error.type': 'unknown-tool',
            },
          },
          failedCall('strict', 'call_3', 'tool-input'),
          failedCall('slow', 'call_4', 'tool-timeout'),
          chat(mode, 2),
        ]),
      ])
    },
  })

  scenario('a run that fails is an error, and so is what failed in it', {
    script: [{ error: new RangeError('secret words') }],
    client: () => observing(),
    check({ mode }) {
      expect(seen.trees()).toEqual([failedRun([failedChat(mode, 'RangeError')], 'RangeError')])
    },
  })

  scenario('an abort ends every span, though a tool does not listen', {
    script: [{ toolCalls: [{ name: 'deaf' }] }],
    client: () => observing(),
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ abort }) => [
      tool({
        name: 'deaf',
        execute() {
          queueMicrotask(() => abort.abort(new DOMException('enough', 'AbortError')))
          return new Promise(() => {})
        },
      }),
    ],
    check({ mode }) {
      expect(seen.trees()).toEqual([
        failedRun([chat(mode, 1, ASKED), failedCall('deaf', 'call_1', 'AbortError')], 'AbortError'),
      ])
    },
  })

  scenario('a tool that stops by itself when the caller aborts has the type of the abort', {
    script: [{ toolCalls: [{ name: 'listening' }] }],
    client: () => observing(),
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ abort }) => [
      tool({
        name: 'listening',
        execute(_: unknown, context) {
          queueMicrotask(() => abort.abort())
          return new Promise((_resolve, reject) => {
            context.signal.addEventListener('abort', () => reject(context.signal.reason as Error))
          })
        },
      }),
    ],
    check({ mode }) {
      const listening = failedCall('listening', 'call_1', 'AbortError')
      expect(seen.trees()).toEqual([failedRun([chat(mode, 1, ASKED), listening], 'AbortError')])
    },
  })

  scenario('return direct', {
    script: [{ toolCalls: [{ name: 'direct' }] }],
    client: () => observing(),
    tools: () => [tool({ name: 'direct', returnDirect: true, execute: () => 'This.' })],
    check({ mode }) {
      expect(seen.trees()).toEqual([
        invoked([chat(mode, 1, ASKED), executed('direct', 'call_1')], {
          'toolwright.finish_reason': 'return-direct',
          'toolwright.rounds': 1,
        }),
      ])
    },
  })

  scenario('notices and retries are events, by their codes', {
    script: [{ toolCalls: [{ name: 'flaky' }] }, { text: '' }],
    client: () => observing(),
    during: ({ clock }) => clock.advance(100),
    tools: ({ log }) => [
      tool({
        name: 'flaky',
        effect: 'read',
        retry: { attempts: 2, delayMs: 5 },
        execute: () => {
          if (log.push('try') === 1) throw new Error('secret words')
        },
      }),
    ],
    check({ mode }) {
      const retry = {
        name: 'toolwright.retry',
        attributes: { 'toolwright.notice.code': 'retry', 'toolwright.attempt': 1 },
      }
      const notice = {
        name: 'toolwright.notice',
        attributes: { 'toolwright.notice.code': 'empty-answer' },
      }
      expect(seen.trees()).toEqual([
        {
          ...invoked([
            chat(mode, 1, ASKED),
            { ...executed('flaky', 'call_1'), events: [retry] },
            chat(mode, 2),
          ]),
          events: [notice],
        },
      ])
    },
  })

  scenario('a retry of the retry advisor is an event of the run, with a chat for each try', {
    script: [{ error: new TypeError('fetch failed') }, 'Done.'],
    client: ({ clock }) =>
      observing({ clock, advisors: [retryAdvisor({ retryIf: () => true, clock })] }),
    during: ({ clock }) => clock.advance(60_000),
    check({ mode }) {
      expect(seen.trees()).toEqual([
        {
          ...invoked([failedChat(mode, 'TypeError'), chat(mode, 1)], { 'toolwright.rounds': 1 }),
          events: [
            {
              name: 'toolwright.retry',
              attributes: { 'toolwright.notice.code': 'retry', 'toolwright.attempt': 1 },
            },
          ],
        },
      ])
    },
  })
})

describe('suspension', () => {
  scenario('of a run with two observers of OpenTelemetry: each links to its own first leg', {
    script: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'],
    client: () =>
      observing({
        observer: [
          otelObserver({ agentName: 'one' }),
          { ...otelObserver({ agentName: 'two' }), name: 'otel-2' },
        ],
      }),
    tools: () => [pay],
    resume: [() => ({ call_1: 'approve' })],
    check() {
      const runs = seen.finished().filter(({ name }) => name.startsWith('invoke_agent'))
      const idOf = new Map(
        runs
          .filter(({ links }) => links.length === 0)
          .map((span) => [span.name, span.spanContext().spanId]),
      )
      const later = runs.filter(({ links }) => links.length > 0)
      expect([...idOf.keys()].sort()).toEqual(['invoke_agent one', 'invoke_agent two'])
      expect(later).toHaveLength(2)
      for (const { name, links } of later)
        expect(links.map(({ context }) => context.spanId)).toEqual([idOf.get(name)])
    },
  })

  scenario('is an event and no error; every later leg links to the first and has its own usage', {
    script: [
      {
        toolCalls: [{ name: 'look' }, { name: 'pay' }],
        usage: { inputTokens: 10, outputTokens: 1 },
      },
      { toolCalls: [{ name: 'pay' }] },
      { text: 'Paid.', usage: { inputTokens: 7 } },
    ],
    client: () => observing(),
    tools: () => [look, pay],
    resume: [() => ({ call_2: 'approve' }), () => ({ call_3: { deny: 'enough' } })],
    check({ mode }) {
      const waits = {
        events: [
          { name: 'toolwright.suspended', attributes: { 'toolwright.pending.tools': ['pay'] } },
        ],
      }
      const suspended = { 'toolwright.finish_reason': 'suspended', 'toolwright.rounds': 1 }
      const resumed = { 'toolwright.resumed': true, 'toolwright.rounds': 1 }
      // The first span that was started.
      const links = ['1'.padStart(16, '0')]
      const used = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 1 }
      const told = { 'gen_ai.usage.input_tokens': 7 }
      const pays = { 'gen_ai.tool.description': 'Pays' }
      expect(seen.trees()).toEqual([
        {
          ...invoked([chat(mode, 1, { ...ASKED, ...used }), executed('look', 'call_1', LOOKS)], {
            ...suspended,
            ...used,
          }),
          ...waits,
        },
        {
          ...invoked([executed('pay', 'call_2', pays), chat(mode, 2, ASKED)], {
            ...resumed,
            ...suspended,
          }),
          ...waits,
          links,
        },
        {
          ...invoked(
            [
              { ...executed('pay', 'call_3', { ...pays, 'error.type': 'denied' }), failed: true },
              chat(mode, 3, told),
            ],
            { ...resumed, ...told },
          ),
          links,
        },
      ])
    },
  })

  for (const content of [false, true])
    scenario(`a call that was edited says so${content ? ', and has what ran' : ''}`, {
      script: [{ toolCalls: [{ name: 'pay', arguments: { amount: 9 } }] }, 'Done.'],
      client: () => observing({ observer: otelObserver({ content }) }),
      tools: () => [
        tool({
          name: 'pay',
          description: 'Pays',
          approval: true,
          input: { type: 'object', properties: { amount: { type: 'number' } } },
          execute: () => 'paid',
        }),
      ],
      resume: [() => ({ call_1: { edit: { amount: 2 } } })],
      check() {
        const calls = seen.finished().filter(({ name }) => name === 'execute_tool pay')
        const ran = 'gen_ai.tool.call.arguments'
        expect(calls.map(({ attributes }) => [attributes['toolwright.edited'], attributes[ran]])) // prettier-ignore
          .toEqual([[true, content ? '{"amount":2}' : undefined]])
      },
    })

  scenario('a tool that asks a question has an event, and runs again in the next leg', {
    script: [{ toolCalls: [{ name: 'ask' }] }, 'Done.'],
    client: () => observing(),
    tools: () => [
      tool({ name: 'ask', execute: (_input: unknown, context) => context.suspend('Which?') }),
    ],
    resume: [() => ({ call_1: { answer: 'this' } })],
    check({ mode }) {
      const asks = executed('ask', 'call_1')
      const pending = { 'toolwright.pending.tools': ['ask'] }
      expect(seen.trees()).toEqual([
        {
          ...invoked(
            [
              chat(mode, 1, ASKED),
              { ...asks, events: [{ name: 'toolwright.suspended', attributes: pending }] },
            ],
            { 'toolwright.finish_reason': 'suspended', 'toolwright.rounds': 1 },
          ),
          events: [{ name: 'toolwright.suspended', attributes: pending }],
        },
        {
          ...invoked([asks, chat(mode, 2)], { 'toolwright.resumed': true, 'toolwright.rounds': 1 }),
          links: ['1'.padStart(16, '0')],
        },
      ])
    },
  })
})

describe('what stands around and inside', () => {
  for (const mode of ['call', 'stream'] as const) {
    it(`stands in the program's own span, which its reader keeps: ${mode}`, async () => {
      seen.reset()
      const client = ChatClient.create(
        scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'Done.']),
        {
          observer: otelObserver(),
          tools: [look],
        },
      )
      const tracer = trace.getTracer('mine')
      await tracer.startActiveSpan('request', async (request) => {
        for await (const _event of client.prompt('Go')[mode]()) tracer.startSpan('reading').end()
        request.end()
      })
      const lines = seen.outline().filter((line) => !line.includes('reading'))
      expect(lines).toEqual([
        'request',
        '  invoke_agent',
        '    chat scripted',
        '    execute_tool look',
        '    chat scripted',
      ])
      expect(new Set(seen.outline().filter((line) => line.includes('reading')))).toEqual(
        new Set(['  reading']),
      )
      expect(new Set(seen.finished().map((span) => span.spanContext().traceId)).size).toBe(1)
    })

    it(`a client that is a tool stands in the call of that tool: ${mode}`, async () => {
      seen.reset()
      const fixed = { ids: countingIds(), clock: manualClock() }
      const inner = ChatClient.create(
        scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'Found.']),
        {
          ...fixed,
          observer: otelObserver({ agentName: 'researcher' }),
          tools: [look],
        },
      )
      const outer = ChatClient.create(
        scriptedModel([{ toolCalls: [{ name: 'research', arguments: { prompt: 'x' } }] }, 'Done.']),
        {
          ...fixed,
          observer: otelObserver({ agentName: 'lead' }),
          tools: [clientTool(inner, { name: 'research', description: 'Researches' })],
        },
      )
      await outer.prompt('Go')[mode]().result()
      const lead = { 'gen_ai.agent.name': 'lead' }
      const researcher = { 'gen_ai.agent.name': 'researcher', 'toolwright.run.id': 'run_2' }
      const second = { 'toolwright.run.id': 'run_2' }
      const research = invoked(
        [
          chat(mode, 1, { ...ASKED, ...second }),
          executed('look', 'call_1', { ...LOOKS, ...researcher }),
          chat(mode, 2, second),
        ],
        researcher,
      )
      expect(seen.trees()).toEqual([
        invoked(
          [
            chat(mode, 1, ASKED),
            {
              ...executed('research', 'call_1', {
                ...lead,
                'gen_ai.tool.description': 'Researches',
              }),
              children: [research],
            },
            chat(mode, 2),
          ],
          lead,
        ),
      ])
    })

    it(`memory and its conversation make no span; the id is on all: ${mode}`, async () => {
      seen.reset()
      const memory = messageWindowMemory()
      const client = ChatClient.create(
        scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'Done.']),
        {
          ids: countingIds(),
          clock: manualClock(),
          observer: otelObserver(),
          tools: [look],
          advisors: [chatMemoryAdvisor(memory)],
        },
      )
      const key = { tenant: 'acme', conversation: 'c-9' }
      await client.prompt('Go').conversation(key)[mode]().result()
      const id = { 'gen_ai.conversation.id': 'c-9' }
      expect(seen.trees()).toEqual([
        invoked(
          [
            chat(mode, 1, { ...ASKED, ...id }),
            executed('look', 'call_1', { ...LOOKS, ...id }),
            chat(mode, 2, id),
          ],
          id,
        ),
      ])
    })

    it(`a search for tools is a call like any other: ${mode}`, async () => {
      seen.reset()
      const client = ChatClient.create(
        scriptedModel([
          { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['look'] } }] },
          { toolCalls: [{ name: 'look' }] },
          'Done.',
        ]),
        {
          ids: countingIds(),
          clock: manualClock(),
          observer: otelObserver(),
          tools: [look, pay],
          advisors: [toolSearchAdvisor({ index: keywordToolIndex() })],
        },
      )
      await client.prompt('Go')[mode]().result()
      expect(seen.trees()).toEqual([
        invoked(
          [
            chat(mode, 1, ASKED),
            executed('toolSearchTool', 'call_1', {
              'gen_ai.tool.description': 'Find tools by what they do; call them in your next turn.',
            }),
            chat(mode, 2, ASKED),
            executed('look', 'call_2', LOOKS),
            chat(mode, 3),
          ],
          { 'toolwright.rounds': 3 },
        ),
      ])
    })
  }

  it('an agent: its run, its turns, its calls', async () => {
    seen.reset()
    const registry = agentRegistry()
    registry.activity('note', () => 'noted')
    const note = { type: 'object' as const, properties: { text: { type: 'string' as const } } }
    const model = scriptedModel([
      JSON.stringify({ meta: {}, calls: [{ _tool: 'note', text: 'a' }], output: null }),
      JSON.stringify({ meta: {}, calls: [], output: { sum: 3 } }),
    ])
    await runAgent(
      {
        model,
        registry,
        ids: countingIds(),
        clock: manualClock(),
        observer: otelObserver({ agentName: 'adder' }),
      },
      { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      [
        { type: 'tool', tool: { note } },
        { type: 'text', text: 'Note it, then add.' },
      ],
    )
    const adder = { 'gen_ai.agent.name': 'adder' }
    const json = { 'gen_ai.output.type': 'json' }
    expect(seen.trees()).toEqual([
      invoked(
        [chat('call', 1, json), executed('note', 'call_1_1', adder), chat('call', 2, json)],
        adder,
      ),
    ])
  })

  it('a manager by hand: its calls stand in the ambient span', async () => {
    seen.reset()
    const manager = toolCallingManager({ observer: otelObserver() })
    const prompt = { messages: [], options: { tools: [look] } }
    const response = await scriptedModel([{ toolCalls: [{ name: 'look' }] }]).call(prompt)
    await trace.getTracer('mine').startActiveSpan('request', async (span) => {
      await manager.executeToolCalls(prompt, response)
      span.end()
    })
    expect(seen.outline()).toEqual(['request', '  execute_tool look'])
  })
})
