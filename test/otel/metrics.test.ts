/** The metrics of runs, by their exact points. */
import { metrics, trace } from '@opentelemetry/api'
import { otelObserver } from '@toolwright/otel'
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  clientTool,
  retryAdvisor,
  tool,
  type ChatEvent,
  type ChatModel,
  type ToolPolicy,
} from 'toolwright'
import { manualClock, scriptedModel, seededRandom } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { scenario } from '../e2e/scenario.ts'
import { telemetry } from './telemetry.ts'

const seen = telemetry()
const once = (sum: number, count = 1): object => ({ is: { count, sum } })
const CHAT = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'scripted',
  'gen_ai.request.model': 'scripted',
  'gen_ai.response.model': 'scripted',
}

const doubling = (first: number, count: number, factor = 2): readonly number[] =>
  Array.from({ length: count }, (_, index) => Number((first * factor ** index).toFixed(2)))

const CALL = ['s', doubling(0.01, 14)]

describe('metrics', () => {
  scenario('of a run with a tool that takes its time', {
    script: [
      {
        toolCalls: [{ name: 'slow' }, { name: 'made_up_1' }, { name: 'made_up_2' }],
        usage: { inputTokens: 10, outputTokens: 2 },
      },
      { text: 'Done.', usage: { inputTokens: 20, outputTokens: 3 } },
    ],
    client() {
      seen.reset()
      return { observer: otelObserver({ agentName: 'support' }) }
    },
    tools: ({ clock }) => [
      tool({ name: 'slow', execute: async () => void (await clock.advance(2500)) }),
    ],
    async check({ mode }) {
      const agent = { 'gen_ai.agent.name': 'support' }
      const unknown = { ...agent, 'gen_ai.tool.name': '_OTHER', 'error.type': 'unknown-tool' }
      const known = { ...agent, 'gen_ai.tool.name': 'slow', 'gen_ai.tool.type': 'function' }
      expect(await seen.points()).toEqual({
        'gen_ai.client.operation.duration': [{ ...CHAT, ...once(0, 2) }],
        ...(mode === 'stream' && {
          'gen_ai.client.operation.time_to_first_chunk': [{ ...CHAT, ...once(0, 2) }],
          // Three calls, each a start and its arguments; the calls as a whole and the response say it again.
          'gen_ai.client.operation.time_per_output_chunk': [{ ...CHAT, ...once(0, 5) }],
        }),
        'gen_ai.client.token.usage': [
          { ...CHAT, 'gen_ai.token.type': 'input', ...once(30, 2) },
          { ...CHAT, 'gen_ai.token.type': 'output', ...once(5, 2) },
        ],
        'gen_ai.execute_tool.duration': [
          { ...unknown, ...once(0, 2) },
          { ...known, ...once(2.5) },
        ],
        'toolwright.tool.refusals': [{ ...unknown, is: 2 }],
        'gen_ai.invoke_agent.duration': [{ ...agent, ...once(2.5) }],
        'gen_ai.invoke_agent.inference_calls': [{ ...agent, ...once(2) }],
        'gen_ai.invoke_agent.tool_calls': [{ ...agent, ...once(3) }],
      })
      const atOnce = (count: number) => ({ in: { 0.01: count }, min: 0, max: 0 })
      expect(await seen.spreads()).toEqual({
        'gen_ai.client.operation.duration': [atOnce(2)],
        ...(mode === 'stream' && {
          'gen_ai.client.operation.time_to_first_chunk': [atOnce(2)],
          'gen_ai.client.operation.time_per_output_chunk': [atOnce(5)],
        }),
        'gen_ai.client.token.usage': [
          { in: { 16: 1, 64: 1 }, min: 10, max: 20 },
          { in: { 4: 2 }, min: 2, max: 3 },
        ],
        'gen_ai.execute_tool.duration': [atOnce(2), { in: { 2.56: 1 }, min: 2.5, max: 2.5 }],
        'gen_ai.invoke_agent.duration': [{ in: { 3.2: 1 }, min: 2.5, max: 2.5 }],
        'gen_ai.invoke_agent.inference_calls': [{ in: { 2: 1 }, min: 2, max: 2 }],
        'gen_ai.invoke_agent.tool_calls': [{ in: { 4: 1 }, min: 3, max: 3 }],
      })
      expect(await seen.shapes()).toEqual({
        'gen_ai.client.operation.duration': CALL,
        ...(mode === 'stream' && {
          'gen_ai.client.operation.time_to_first_chunk': CALL,
          'gen_ai.client.operation.time_per_output_chunk': CALL,
        }),
        'gen_ai.client.token.usage': ['{token}', doubling(1, 14, 4)],
        'gen_ai.execute_tool.duration': CALL,
        'toolwright.tool.refusals': ['{tool_call}'],
        'gen_ai.invoke_agent.duration': ['s', doubling(0.1, 13)],
        'gen_ai.invoke_agent.inference_calls': ['{inference_call}', doubling(1, 8)],
        'gen_ai.invoke_agent.tool_calls': ['{tool_call}', doubling(1, 8)],
      })
      expect(doubling(0.01, 14).at(-1)).toBe(81.92)
      expect(doubling(1, 14, 4).at(-1)).toBe(67_108_864)
      expect(doubling(0.1, 13).at(-1)).toBe(409.6)
    },
  })

  scenario('of a run that waits and goes on', {
    script: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'],
    client() {
      seen.reset()
      return { observer: otelObserver() }
    },
    tools: () => [tool({ name: 'pay', approval: true, execute: () => 'paid' })],
    resume: [() => ({ call_1: 'approve' })],
    async check({ mode }) {
      const pay = { 'gen_ai.tool.name': 'pay', 'gen_ai.tool.type': 'function' }
      expect(await seen.points()).toEqual({
        'gen_ai.client.operation.duration': [{ ...CHAT, ...once(0, 2) }],
        ...(mode === 'stream' && {
          'gen_ai.client.operation.time_to_first_chunk': [{ ...CHAT, ...once(0, 2) }],
          'gen_ai.client.operation.time_per_output_chunk': [{ ...CHAT, ...once(0) }],
        }),
        'gen_ai.execute_tool.duration': [{ ...pay, ...once(0) }],
        'toolwright.run.suspensions': [{ is: 1 }],
        // Two legs, each with what it did itself.
        'gen_ai.invoke_agent.duration': [once(0, 2)],
        'gen_ai.invoke_agent.inference_calls': [once(2, 2)],
        'gen_ai.invoke_agent.tool_calls': [once(1, 2)],
      })
    },
  })

  scenario('of a run that retries and fails, by the newer names', {
    script: [{ toolCalls: [{ name: 'flaky' }] }, { error: new RangeError('gone') }],
    client() {
      seen.reset()
      return { observer: otelObserver({ inferenceNames: 'inference' }) }
    },
    tools: ({ log }) => [
      tool({
        name: 'flaky',
        effect: 'read',
        retry: { attempts: 2, delayMs: 5 },
        execute: () => {
          if (log.push('try') === 1) throw new Error('not yet')
        },
      }),
    ],
    during: ({ clock }) => clock.advance(100),
    async check({ mode }) {
      const flaky = { 'gen_ai.tool.name': 'flaky', 'gen_ai.tool.type': 'function' }
      const { 'gen_ai.response.model': _model, ...asked } = CHAT
      const failed = { 'error.type': 'RangeError' }
      expect(await seen.points()).toEqual({
        'gen_ai.client.inference.duration': [
          { ...CHAT, ...once(0) },
          { ...asked, ...failed, ...once(0) },
        ],
        ...(mode === 'stream' && {
          'gen_ai.client.inference.time_to_first_chunk': [{ ...CHAT, ...once(0) }],
          'gen_ai.client.inference.time_per_output_chunk': [{ ...CHAT, ...once(0) }],
        }),
        'gen_ai.execute_tool.duration': [{ ...flaky, ...once(0.005) }],
        'toolwright.retries': [{ ...flaky, 'gen_ai.operation.name': 'execute_tool', is: 1 }],
        'gen_ai.invoke_agent.duration': [{ ...failed, ...once(0.005) }],
        'gen_ai.invoke_agent.inference_calls': [once(2)],
        'gen_ai.invoke_agent.tool_calls': [once(1)],
      })
      expect(await seen.shapes()).toEqual({
        'gen_ai.client.inference.duration': CALL,
        ...(mode === 'stream' && {
          'gen_ai.client.inference.time_to_first_chunk': CALL,
          'gen_ai.client.inference.time_per_output_chunk': CALL,
        }),
        'gen_ai.execute_tool.duration': CALL,
        'toolwright.retries': ['{retry}'],
        'gen_ai.invoke_agent.duration': ['s', doubling(0.1, 13)],
        'gen_ai.invoke_agent.inference_calls': ['{inference_call}', doubling(1, 8)],
        'gen_ai.invoke_agent.tool_calls': ['{tool_call}', doubling(1, 8)],
      })
    },
  })

  scenario('of calls that are not run, each by why not', {
    script: [
      { toolCalls: [{ name: 'pay' }, { name: 'strict', arguments: { a: 'x' } }] },
      { toolCalls: [{ name: 'once' }, { name: 'once', arguments: { again: true } }] },
    ],
    client() {
      seen.reset()
      const policy: ToolPolicy = ({ toolName }) => (toolName === 'pay' ? 'deny' : 'allow')
      return { observer: otelObserver(), policy }
    },
    request: (client) => client.prompt('Go').limits({ callsPerTool: 1 }),
    tools: () => [
      tool({ name: 'pay', execute: () => 'paid' }),
      tool({
        name: 'strict',
        input: { type: 'object', properties: { a: { type: 'number' } } },
        execute: () => 'ok',
      }),
      tool({ name: 'once', input: { type: 'object' }, execute: () => 'ok' }),
    ],
    async check({ mode }) {
      const of = (name: string, type?: string): object => ({
        'gen_ai.tool.name': name,
        'gen_ai.tool.type': 'function',
        ...(type !== undefined && { 'error.type': type }),
      })
      const refused = [of('pay', 'denied'), of('strict', 'tool-input'), of('once', 'run-limit')]
      expect(await seen.points()).toEqual({
        'toolwright.tool.refusals': refused.map((about) => ({ ...about, is: 1 })),
        'gen_ai.client.operation.duration': [{ ...CHAT, ...once(0, 2) }],
        ...(mode === 'stream' && {
          'gen_ai.client.operation.time_to_first_chunk': [{ ...CHAT, ...once(0, 2) }],
          // Of the four calls two have arguments that come in two pieces.
          'gen_ai.client.operation.time_per_output_chunk': [{ ...CHAT, ...once(0, 8) }],
        }),
        'gen_ai.execute_tool.duration': [...refused, of('once')].map((about) => ({
          ...about,
          ...once(0),
        })),
        'gen_ai.invoke_agent.duration': [once(0)],
        'gen_ai.invoke_agent.inference_calls': [once(2)],
        'gen_ai.invoke_agent.tool_calls': [once(4)],
      })
    },
  })

  scenario('of a run whose model is asked again', {
    script: [{ error: new TypeError('fetch failed') }, 'Done.'],
    client({ clock }) {
      seen.reset()
      const advisors = [
        retryAdvisor({
          retryIf: () => true,
          clock,
          random: { ...seededRandom(1), next: () => 0.5 },
        }),
      ]
      return { clock, advisors, observer: otelObserver({ agentName: 'support' }) }
    },
    during: ({ clock }) => clock.advance(60_000),
    async check({ mode }) {
      const agent = { 'gen_ai.agent.name': 'support' }
      const { 'gen_ai.response.model': _model, ...asked } = CHAT
      expect(await seen.points()).toEqual({
        'gen_ai.client.operation.duration': [
          { ...asked, 'error.type': 'TypeError', ...once(0) },
          { ...CHAT, ...once(0) },
        ],
        ...(mode === 'stream' && {
          'gen_ai.client.operation.time_to_first_chunk': [{ ...CHAT, ...once(0) }],
        }),
        'toolwright.retries': [{ 'gen_ai.operation.name': 'chat', ...agent, is: 1 }],
        'gen_ai.invoke_agent.duration': [{ ...agent, ...once(0.25) }],
        'gen_ai.invoke_agent.inference_calls': [{ ...agent, ...once(2) }],
        'gen_ai.invoke_agent.tool_calls': [{ ...agent, ...once(0) }],
      })
    },
  })

  for (const mode of ['call', 'stream'] as const)
    it(`a retry of a run inside a tool counts once, under its own agent: ${mode}`, async () => {
      seen.reset()
      const retry: ChatEvent = { type: 'notice', code: 'model-retry', message: 'Busy' }
      const scripted = scriptedModel(['Found.'])
      const busy: ChatModel = {
        ...scripted,
        call(prompt, run) {
          run?.emit?.(retry)
          return scripted.call(prompt, run)
        },
        async *stream(prompt, run) {
          yield retry
          yield* scripted.stream(prompt, run)
        },
      }
      const ids = countingIds()
      const inner = ChatClient.create(busy, {
        ids,
        observer: otelObserver({ agentName: 'researcher' }),
      })
      const toolCalls = [{ name: 'research', arguments: { prompt: 'x' } }]
      const outer = ChatClient.create(scriptedModel([{ toolCalls }, 'Done.']), {
        ids,
        observer: otelObserver({ agentName: 'lead' }),
        tools: [clientTool(inner, { name: 'research', description: 'Researches' })],
      })
      await outer.prompt('Go')[mode]().result()
      expect((await seen.points())['toolwright.retries']).toEqual([
        { 'gen_ai.operation.name': 'chat', 'gen_ai.agent.name': 'researcher', is: 1 },
      ])
      // Both runs show it, and the outer one says whose it is.
      const [lead] = seen.trees()
      const told = { 'toolwright.notice.code': 'model-retry' }
      expect(lead!.events).toEqual([
        { name: 'toolwright.retry', attributes: { ...told, 'toolwright.run.id': 'run_2' } },
      ])
      expect(lead!.children![1]!.children![0]!.events).toEqual([
        { name: 'toolwright.retry', attributes: told },
      ])
    })

  it('a slow stream: until its first piece, between the pieces that came apart, and in all', async () => {
    seen.reset()
    const clock = manualClock()
    const scripted = scriptedModel(['One two three.'])
    const model: ChatModel = {
      ...scripted,
      async *stream(prompt, run) {
        await clock.advance(1500)
        for await (const event of scripted.stream(prompt, run)) {
          yield event
          await clock.advance(event.type === 'text-delta' ? 250 : 0)
        }
      },
    }
    await ChatClient.create(model, { clock, observer: otelObserver() })
      .prompt('Go')
      .stream()
      .result()
    const points = await seen.points()
    expect(points['gen_ai.client.operation.time_to_first_chunk']).toEqual([
      { ...CHAT, ...once(1.5) },
    ])
    expect(points['gen_ai.client.operation.time_per_output_chunk']).toEqual([
      { ...CHAT, ...once(0.5, 2) },
    ])
    const spreads = await seen.spreads()
    expect(spreads['gen_ai.client.operation.time_to_first_chunk']).toEqual([
      { in: { 2.56: 1 }, min: 1.5, max: 1.5 },
    ])
    expect(spreads['gen_ai.client.operation.time_per_output_chunk']).toEqual([
      { in: { 0.32: 2 }, min: 0.25, max: 0.25 },
    ])
    const [chat] = seen.trees()[0]!.children!
    expect(chat!.attributes['gen_ai.response.time_to_first_chunk']).toBe(1.5)
  })

  it('an SDK that starts after the observer was made and used is used from then on', async () => {
    const observer = otelObserver()
    const ask = (): Promise<string> =>
      ChatClient.create(scriptedModel(['Hi.']), { observer })
        .prompt('Go')
        .call()
        .content()
    metrics.disable()
    await ask()
    seen.reset()
    await ask()
    const points = await seen.points()
    expect(points['gen_ai.invoke_agent.inference_calls']).toEqual([once(1)])
    expect(trace.getActiveSpan()).toBeUndefined()
  })
})
