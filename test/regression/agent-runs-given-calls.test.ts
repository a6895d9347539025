/** `runCalls` runs the calls of a solution through the executor of all tools, and through nothing else. */
import { describe, expect, it } from 'vitest'
import { tool, type ChatEvent, type RunState } from 'toolwright'
import {
  agentRegistry,
  requestAgent,
  runAgent,
  runCalls,
  type AgentConfig,
  type AgentMessage,
  type AgentRegistry,
  type Call,
} from 'toolwright/agent'
import { manualClock } from 'toolwright/testing'
import { z } from 'zod'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { answering, SUMMARY } from '../e2e/agent/agent-stage.ts'

const context: readonly AgentMessage[] = [
  {
    type: 'tool',
    tool: {
      pay: {
        type: 'object',
        description: 'Pays. Returns a receipt.',
        properties: { amount: { type: 'number' } },
        required: ['amount'],
      },
      note: { type: 'object', properties: { text: {} } },
      rate: {
        type: 'object',
        properties: { text: { type: 'string' }, _output: { type: 'number' } },
      },
    },
  },
  { type: 'input', amount: 250 },
  { type: 'text', text: 'Go' },
]

const payCall: Call = { _tool: 'pay', amount: '†input.amount', _outputPath: '†state.receipt' }

/** A model that no call may ask. */
const silent = (): AgentConfig['model'] => answering()

function registryOf(log: unknown[]): AgentRegistry {
  const registry = agentRegistry()
  registry.activity('note', ({ text }) => (log.push(text), 'noted'))
  registry.activity('pay', ({ amount }) => (log.push(amount), `receipt for ${String(amount)}`), {
    approval: ({ amount }) => Number(amount) > 100,
  })
  return registry
}

const configOf = (log: unknown[], more: Partial<AgentConfig> = {}): AgentConfig => ({
  model: silent(),
  registry: registryOf(log),
  clock: manualClock(),
  ids: countingIds(),
  ...more,
})

describe('the calls of a solution', () => {
  it('run in the order of their data, and leave the same messages as in a loop', async () => {
    const calls: readonly Call[] = [
      { _tool: 'note', text: '†state.receipt' },
      { _tool: 'pay', amount: 5, _outputPath: '†state.receipt' },
      { _tool: 'rate', text: 'fine', _output: 4 },
    ]
    const log: unknown[] = []
    const { messages, responses, ...rest } = await runCalls(configOf(log), calls, context)
    expect(log).toEqual([5, 'receipt for 5'])
    expect(responses.map(({ id, name, content }) => [id, name, content])).toEqual([
      ['call_1_1', 'note', 'noted'],
      ['call_1_2', 'pay', 'receipt for 5'],
      ['call_1_3', 'rate', '4'],
    ])
    expect(rest).toEqual({})
    const looped = await runAgent(
      { ...configOf([]), model: answering({ calls }, { output: { summary: '' } }) },
      SUMMARY,
      context,
    )
    expect(messages).toEqual(looped.messages)
  })

  it('run with what requestAgent gave, and the next request sees their data', async () => {
    const model = answering({ calls: [{ _tool: 'note', text: 'a' }] }, { output: { summary: 'b' } })
    const config = { ...configOf([]), model }
    const first = await requestAgent(config, SUMMARY, context)
    const { messages } = await runCalls(config, first.calls, context)
    const second = await requestAgent(config, SUMMARY, messages)
    expect(second.output).toEqual({ summary: 'b' })
    expect(JSON.stringify(model.prompts[1])).toContain('noted')
    expect(model.prompts).toHaveLength(2)
  })

  it('are told as events, without a word of a model', async () => {
    const events: ChatEvent[] = []
    const config = configOf([], { onEvent: (event) => void events.push(event) })
    await runCalls(config, [{ _tool: 'note', text: 'a' }], context)
    expect(events.map(({ type }) => type)).toEqual([
      'tool-call-start',
      'tool-call',
      'tool-execution-start',
      'tool-result',
      'response',
    ])
  })

  it('that are none give none', async () => {
    expect(await runCalls(configOf([]), [], context)).toEqual({ messages: context, responses: [] })
  })

  it('run in a context that says nothing else', async () => {
    const { responses } = await runCalls(configOf([]), [{ _tool: 'note' }], context.slice(0, 1))
    expect(responses).toMatchObject([{ content: 'noted' }])
  })

  it('may be those of functions', async () => {
    const add = tool({
      name: 'add',
      description: 'Adds. Returns the sum.',
      input: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => a + b,
    })
    const config = configOf([], { tools: [add] })
    const { responses } = await runCalls(config, [{ _tool: 'add', a: 1, b: '2' }], context)
    expect(responses).toMatchObject([{ content: '3' }])
  })
})

describe('the executor', () => {
  it('answers for unknown tools, bad arguments and failures', async () => {
    const config = configOf([])
    config.registry!.activity('rate', () => {
      throw new Error('out of order')
    })
    const { responses } = await runCalls(
      config,
      [{ _tool: 'nope' }, { _tool: 'pay', amount: 'much' }, { _tool: 'rate', text: 'x' }],
      context,
    )
    expect(responses.map(({ isError }) => isError)).toEqual([true, true, true])
    expect(responses.map(({ content }) => content)).toEqual([
      expect.stringContaining('nope'),
      expect.stringContaining('$.amount'),
      expect.stringContaining('out of order'),
    ])
  })

  it('asks the policy, which may deny', async () => {
    const log: unknown[] = []
    const config = configOf(log, {
      policy: ({ toolName }) => (toolName === 'note' ? { deny: 'No.' } : 'allow'),
    })
    const { responses } = await runCalls(config, [{ _tool: 'note', text: 'a' }], context)
    expect(log).toEqual([])
    expect(responses).toMatchObject([{ isError: true, content: expect.stringContaining('No.') }])
  })

  it('holds the limits of calls', async () => {
    const log: unknown[] = []
    const config = configOf(log, { limits: { callsTotal: 2 } })
    const calls = ['a', 'b', 'c'].map((text) => ({ _tool: 'note', text }))
    const { responses } = await runCalls(config, calls, context)
    expect(log).toEqual(['a', 'b'])
    expect(responses.map(({ isError = false }) => isError)).toEqual([false, false, true])
  })

  it('tells the policy the labels of the context', async () => {
    const seen: unknown[] = []
    const secret: AgentMessage = {
      role: 'user',
      content: 'secret',
      label: { trust: 'untrusted', private: true },
    }
    const config = configOf([], { policy: ({ labels }) => (seen.push(labels), 'allow') })
    await runCalls(config, [{ _tool: 'note', text: 'a' }], [...context, secret])
    expect(seen).toMatchObject([{ run: { trust: 'untrusted', private: true } }])
  })

  it('suspends what needs approval, and goes on in another process', async () => {
    const log: unknown[] = []
    const calls = [
      payCall,
      { _tool: 'note', text: 'besides' },
      { _tool: 'note', text: '†state.receipt' },
    ]
    const config = configOf(log, { stateSecret: 'a secret of both processes', ids: undefined })
    const first = await runCalls(config, calls, context)
    expect(log).toEqual(['besides'])
    expect(first.responses).toMatchObject([{ id: 'call_1_2', content: 'noted' }])
    expect(first.pending).toMatchObject([
      { callId: 'call_1_1', toolName: 'pay', kind: 'approval', input: { amount: 250 } },
    ])
    const resume = {
      state: JSON.parse(JSON.stringify(first.state)) as RunState,
      decisions: { call_1_1: 'approve' as const },
    }
    const second = await runCalls({ ...config, resume }, calls, context)
    expect(log).toEqual(['besides', 250, 'receipt for 250'])
    expect(second.pending).toBeUndefined()
    expect(second.responses.map(({ content }) => content)).toEqual([
      'receipt for 250',
      'noted',
      'noted',
    ])
    expect(second.messages).toHaveLength(context.length + 3)
    await expect(runCalls({ ...config, resume }, calls, context)).rejects.toMatchObject({
      code: 'state-used',
    })
  })

  it('lets no decision about some calls run others', async () => {
    const log: unknown[] = []
    const config = configOf(log)
    const { state } = await runCalls(config, [payCall], context)
    const resume = { state: state!, decisions: { call_1_1: 'approve' as const } }
    const others = [{ _tool: 'pay', amount: 9_999 }]
    await expect(runCalls({ ...config, resume }, others, context)).rejects.toThrow(
      /other calls than those given/,
    )
    expect(log).toEqual([])
  })

  it('takes no routing from a call', async () => {
    const notices: string[] = []
    const log: unknown[] = []
    const config = configOf(log, {
      onEvent: (event) => void (event.type === 'notice' && notices.push(event.code)),
    })
    const call = { _tool: 'rate', text: 'x', _output: 1, _activity: 'note' }
    const { responses } = await runCalls(config, [call], context)
    expect(log).toEqual([])
    expect(responses).toMatchObject([{ content: '1' }])
    expect(notices).toEqual(['agent-ignored-field'])
  })
})

describe('what is no list of calls', () => {
  const cyclic: Record<string, unknown> = { _tool: 'note' }
  cyclic.text = cyclic
  it.each([
    ['nothing', undefined, /are nothing, not a list/],
    ['an object', { _tool: 'note' }, /not a list/],
    ['a text among them', ['note'], /\[0\] is "note"; a call is an object with _tool/],
    ['a call without a tool', [{ text: 'a' }], /a call is an object with _tool/],
    ['a cycle', [cyclic], /\[0\] has no JSON form/],
  ])('is refused: %s', async (_name, calls, problem) => {
    await expect(runCalls(configOf([]), calls as never, context)).rejects.toThrow(problem)
    await expect(runCalls(configOf([]), calls as never, context)).rejects.toMatchObject({
      code: 'agent-calls',
    })
  })
})
