/** An agent’s calls go through the executor of all tools: approval, suspension, policy, limits, time, events, durability. */
import { describe, expect, it, vi } from 'vitest'
import { RunSuspendedError, tool, type ChatEvent, type Durability, type RunState } from 'toolwright'
import {
  agentRegistry,
  runAgent,
  type AgentMessage,
  type AgentRegistry,
  type Call,
  type ToolSchema,
} from 'toolwright/agent'
import { manualClock } from 'toolwright/testing'
import { z } from 'zod'
import {
  answering,
  appended,
  play,
  registryWith,
  SUMMARY,
  textRead,
  type Answer,
} from './agent-stage.ts'

const pay: ToolSchema = {
  type: 'object',
  description: 'Pays. Returns a receipt.',
  properties: { amount: { type: 'number' } },
  required: ['amount'],
}
const note: ToolSchema = { type: 'object', properties: { text: {} } }
const context: readonly AgentMessage[] = [
  { type: 'tool', tool: { pay, note } },
  { type: 'input', amount: 250 },
  { type: 'text', text: 'Go' },
]
const DONE: Answer = { output: { summary: 'done' } }
const payCall: Call = { _tool: 'pay', amount: '†input.amount', _outputPath: '†state.receipt' }

function payingRegistry(log: unknown[] = []): AgentRegistry {
  const registry = registryWith({ note: ({ text }) => (log.push(text), 'noted') })
  registry.activity('pay', ({ amount }) => (log.push(amount), `receipt for ${String(amount)}`), {
    approval: ({ amount }) => Number(amount) > 100,
    preview: ({ amount }) => `Pays ${String(amount)}`,
  })
  return registry
}

async function suspended(run: Promise<unknown>): Promise<RunSuspendedError> {
  const error = await run.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RunSuspendedError)
  return error as RunSuspendedError
}

const overJson = (state: RunState | undefined): RunState =>
  JSON.parse(JSON.stringify(state)) as RunState

describe('a call that needs consent', () => {
  const start = (log: unknown[], calls: readonly Call[], then: readonly Answer[] = [DONE]) => {
    const model = answering({ calls }, ...then)
    const config = { model, registry: payingRegistry(log), stateSecret: 'a secret of both' }
    return { model, config, first: suspended(runAgent(config, SUMMARY, context)) }
  }

  it('suspends the run with its references looked up; the others run, and it goes on elsewhere', async () => {
    const log: unknown[] = []
    const { config, model, first } = start(log, [
      payCall,
      { _tool: 'note', text: 'besides' },
      { _tool: 'note', text: '†state.receipt' },
    ])
    const { result } = await first
    expect(log).toEqual(['besides'])
    expect(result.pending).toMatchObject([
      {
        toolName: 'pay',
        kind: 'approval',
        input: { amount: 250, _outputPath: '†state.receipt' },
        preview: 'Pays 250',
      },
    ])
    const resume = {
      state: overJson(result.state),
      decisions: { [result.pending![0]!.callId]: 'approve' as const },
    }
    const ended = await runAgent({ ...config, resume }, SUMMARY, context)
    expect(log).toEqual(['besides', 250, 'receipt for 250'])
    expect(ended.output).toEqual({ summary: 'done' })
    expect(appended(ended)).toMatchObject([
      { kind: 'result', data: { tool: 'note', result: 'noted' } },
      { kind: 'state', data: { receipt: 'receipt for 250' } },
      { kind: 'result', data: { tool: 'note', result: 'noted' } },
    ])
    expect(ended.calls).toHaveLength(3)
    expect(model.remaining).toBe(0)
    expect(textRead(model.prompts[1]!).match(/^Go$/gm)).toHaveLength(1)
    expect(
      model.prompts[1]!.messages.every(({ role }) => role === 'system' || role === 'user'),
    ).toBe(true)
  })

  it('that is denied is an error the model reads, and what waits for it is not run', async () => {
    const log: unknown[] = []
    const { config, first } = start(log, [payCall, { _tool: 'note', text: '†state.receipt' }])
    const { result } = await first
    const resume = {
      state: overJson(result.state),
      decisions: { [result.pending![0]!.callId]: { deny: 'Too much.' } },
    }
    const { errors } = await runAgent({ ...config, resume }, SUMMARY, context)
    expect(log).toEqual([])
    expect(errors.map(({ error }) => error)).toEqual([
      expect.stringContaining('Too much.'),
      expect.stringContaining('the call that should write †state.receipt failed'),
    ])
  })

  it('may be edited', async () => {
    const log: unknown[] = []
    const { config, first } = start(log, [payCall])
    const { result } = await first
    const edit = { amount: 90, _outputPath: '†state.receipt' }
    const resume = {
      state: overJson(result.state),
      decisions: { [result.pending![0]!.callId]: { edit } },
    }
    const ended = await runAgent({ ...config, resume }, SUMMARY, context)
    expect(log).toEqual([90])
    expect(appended(ended)).toMatchObject([{ data: { receipt: 'receipt for 90' } }])
  })

  it('with an output in the same answer still ends with that output', async () => {
    const log: unknown[] = []
    const model = answering({ calls: [payCall], output: { summary: 'paid' } })
    const config = { model, registry: payingRegistry(log), stateSecret: 'a secret of both' }
    const { result } = await suspended(runAgent(config, SUMMARY, context))
    const resume = {
      state: overJson(result.state),
      decisions: { [result.pending![0]!.callId]: 'approve' as const },
    }
    const { output } = await runAgent({ ...config, resume }, SUMMARY, context)
    expect(output).toEqual({ summary: 'paid' })
    expect(log).toEqual([250])
  })

  it('of two, one decided: the rest stays pending, and a state is used once', async () => {
    const log: unknown[] = []
    const { config, first } = start(log, [
      payCall,
      { ...payCall, amount: 300, _outputPath: '†state.other' },
    ])
    const { result } = await first
    const [one, two] = result.pending!
    const state = overJson(result.state)
    const again = await suspended(
      runAgent(
        { ...config, resume: { state, decisions: { [one!.callId]: 'approve' } } },
        SUMMARY,
        context,
      ),
    )
    expect(again.result.pending).toMatchObject([{ callId: two!.callId }])
    expect(log).toEqual([250])
    await expect(
      runAgent(
        { ...config, resume: { state, decisions: { [one!.callId]: 'approve' } } },
        SUMMARY,
        context,
      ),
    ).rejects.toMatchObject({ code: 'state-used' })
    const last = {
      state: overJson(again.result.state),
      decisions: { [two!.callId]: 'approve' as const },
    }
    const ended = await runAgent({ ...config, resume: last }, SUMMARY, context)
    expect(log).toEqual([250, 300])
    expect(appended(ended)).toHaveLength(2)
  })

  it('is refused when the tool has changed since', async () => {
    const { config, first } = start([], [payCall])
    const { result } = await first
    const resume = {
      state: overJson(result.state),
      decisions: { [result.pending![0]!.callId]: 'approve' as const },
    }
    const changed: readonly AgentMessage[] = [
      ...context,
      { type: 'tool', tool: { pay: { ...pay, description: 'Other. Returns text.' } } },
    ]
    await expect(runAgent({ ...config, resume }, SUMMARY, changed)).rejects.toMatchObject({
      code: 'state-tools-changed',
    })
  })
})

describe('an activity', () => {
  it('may ask a question, report progress and see the host’s values', async () => {
    const registry = agentRegistry()
    registry.activity('pay', function* (...[{ amount }, , , run]) {
      yield 'looking'
      const account = run.suspend('Which account?')
      return `${String(run.values.user)} ${String(amount)} ${String(account)}`
    })
    const events: ChatEvent[] = []
    const model = answering({ calls: [{ _tool: 'pay', amount: 5 }] }, DONE)
    const config = {
      model,
      registry,
      toolContext: { user: 'ada' },
      onEvent: (event: ChatEvent) => void events.push(event),
    }
    const { result } = await suspended(runAgent(config, SUMMARY, context))
    expect(result.pending).toMatchObject([{ kind: 'question', question: 'Which account?' }])
    const resume = {
      state: overJson(result.state),
      decisions: { [result.pending![0]!.callId]: { answer: 'savings' } },
    }
    const ended = await runAgent({ ...config, resume }, SUMMARY, context)
    expect(appended(ended)).toMatchObject([{ data: { result: 'ada 5 savings' } }])
    expect(events.map(({ type }) => type)).toEqual([
      'round-end', 'tool-call-start', 'tool-call', 'tool-execution-start', 'tool-progress', 'suspended', 'response',
      'tool-execution-start', 'tool-progress', 'tool-result', 'round-end', 'response',
    ]) // prettier-ignore
  })

  it('that takes too long is an error', async () => {
    const clock = manualClock()
    const registry = agentRegistry()
    registry.activity('pay', () => new Promise(() => {}), { timeoutMs: 50 })
    const run = play({
      answers: [{ calls: [{ _tool: 'pay', amount: 1 }] }, DONE],
      output: SUMMARY,
      context,
      registry,
      clock,
    })
    await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(60)
    expect((await run).result.errors).toMatchObject([
      { error: expect.stringContaining('no result within 50 ms') },
    ])
  })

  it('is not run when the policy says no', async () => {
    const log: unknown[] = []
    const { result } = await play({
      answers: [
        {
          calls: [
            { _tool: 'pay', amount: 1 },
            { _tool: 'note', text: 'x' },
          ],
        },
        DONE,
      ],
      output: SUMMARY,
      context,
      registry: payingRegistry(log),
      policy: ({ toolName, input }) =>
        toolName === 'pay' ? { deny: `no ${JSON.stringify(input)}` } : 'allow',
    })
    expect(log).toEqual(['x'])
    expect(result.errors).toMatchObject([{ error: expect.stringContaining('no {"amount":1}') }])
  })

  it('is run as often as the limits allow', async () => {
    const log: unknown[] = []
    const calls = [1, 2, 3].map((amount) => ({ _tool: 'pay', amount }))
    const { result } = await play({
      answers: [{ calls }, DONE],
      output: SUMMARY,
      context,
      registry: payingRegistry(log),
      limits: { callsTotal: 2 },
      onLimit: 'tell-model',
    })
    expect(log).toEqual([1, 2])
    expect(result.errors).toMatchObject([
      { error: expect.stringContaining('2 tool calls were already made (limits.callsTotal)') },
    ])
  })

  it('stops when the run is aborted', async () => {
    const abort = new AbortController()
    const registry = registryWith({
      pay: () => {
        abort.abort(new Error('stop'))
        return new Promise(() => {})
      },
    })
    await expect(
      play({
        answers: [{ calls: [{ _tool: 'pay', amount: 1 }] }],
        output: SUMMARY,
        context,
        registry,
        signal: abort.signal,
      }),
    ).rejects.toThrow('stop')
  })
})

describe('a tool whose result is the answer', () => {
  const direct = (result: unknown): AgentRegistry => {
    const registry = agentRegistry()
    registry.activity('pay', () => result, { returnDirect: true })
    return registry
  }

  it('ends the run with it', async () => {
    const { result } = await play({
      answers: [{ calls: [{ _tool: 'pay', amount: 1 }] }],
      output: SUMMARY,
      context,
      registry: direct({ summary: 'direct' }),
    })
    expect(result).toMatchObject({ output: { summary: 'direct' }, turns: 1 })
  })

  it('gives way to an output that came with the call', async () => {
    const { result } = await play({
      answers: [{ calls: [{ _tool: 'pay', amount: 1 }], output: { summary: 'said' } }],
      output: SUMMARY,
      context,
      registry: direct({ summary: 'direct' }),
    })
    expect(result.output).toEqual({ summary: 'said' })
  })

  it('must give what was asked for', async () => {
    const run = play({
      answers: [{ calls: [{ _tool: 'pay', amount: 1 }] }],
      output: SUMMARY,
      context,
      registry: direct('words'),
    })
    await expect(run).rejects.toMatchObject({ code: 'tool-output', toolName: 'pay' })
  })
})

describe('a durable run', () => {
  it('repeats nothing when it is replayed, and appends the same', async () => {
    const steps = new Map<string, unknown>()
    const durability: Durability = {
      async step(key, run) {
        if (!steps.has(key)) steps.set(key, JSON.stringify((await run()) ?? null))
        return JSON.parse(steps.get(key) as string) as never
      },
    }
    const big = { text: 'x'.repeat(100_000) }
    const work = vi.fn(() => big)
    const registry = registryWith({ note: work })
    const ids = { next: (prefix: string) => `${prefix}_1` }
    const calls: readonly Call[] = [
      { _tool: 'note', text: 1, _outputPath: '†state.big' },
      { _tool: 'note', text: '†state.big' },
    ]
    const run = (answers: readonly Answer[]) =>
      runAgent(
        { model: answering(...answers), registry, durability, ids, clock: manualClock() },
        SUMMARY,
        context,
      )
    const first = await run([{ calls }, DONE])
    expect(work).toHaveBeenCalledTimes(2)
    const second = await run([])
    expect(work).toHaveBeenCalledTimes(2)
    expect(second).toEqual(first)
    expect(appended(second)[0]).toMatchObject({ data: { big } })
  })

  it('that was interrupted before a result was appended has it from what was recorded', async () => {
    const steps = new Map<string, string>()
    const durability: Durability = {
      async step(key, run) {
        if (!steps.has(key)) steps.set(key, JSON.stringify((await run()) ?? null))
        return JSON.parse(steps.get(key)!) as never
      },
    }
    const work = vi.fn(({ text }: Call) => (text === 1 ? { a: [1] } : undefined))
    const ids = { next: (prefix: string) => `${prefix}_1` }
    const run = (answers: readonly Answer[]) =>
      runAgent(
        {
          model: answering(...answers),
          registry: registryWith({ note: work }),
          durability,
          ids,
          clock: manualClock(),
        },
        SUMMARY,
        context,
      )
    const calls = [1, 2].map((text) => ({ _tool: 'note', text }))
    const first = await run([{ calls }, DONE])
    for (const key of steps.keys()) if (key.includes('agent-record')) steps.delete(key)
    const second = await run([])
    expect(work).toHaveBeenCalledTimes(2)
    expect(appended(second)).toEqual(appended(first))
  })
})

describe('tools of a chat client in an agent', () => {
  const log: unknown[] = []
  const weather = tool({
    name: 'weather',
    description: 'Weather of a day',
    input: z.object({ day: z.iso.date().transform((text) => new Date(text)) }),
    context: z.object({ unit: z.string() }),
    approval: ({ day }) => day.getFullYear() > 2030,
    execute: ({ day }, { values }) => {
      log.push([day, values])
      return { degrees: 20, unit: values.unit }
    },
  })
  const scratch = {
    definition: {
      name: 'scratch',
      description: 'From scratch',
      inputSchema: { type: 'object' as const, properties: { n: { type: 'number' as const } } },
    },
    metadata: { returnDirect: false, hints: {}, effect: 'once' as const },
    call: async (input: string) => `got ${input}`,
  }

  it('run with their own checks, settings and context; reasons are taken away before', async () => {
    log.length = 0
    const { result, model } = await play({
      answers: [
        {
          calls: [
            {
              _tool: 'weather',
              day: '2026-01-02',
              _reasoningForCall: 'To know',
              _outputPath: '†state.w',
            },
            { _tool: 'scratch', n: '†state.w.degrees', _reasoningForCall: 'Too' },
            { _tool: 'weather', day: 'soon' },
            { _tool: 'mood', text: 'fine', _output: 'good' },
          ],
        },
        DONE,
      ],
      output: SUMMARY,
      context: [
        {
          type: 'tool',
          tool: {
            mood: {
              type: 'object',
              properties: { text: { type: 'string' }, _output: { type: 'string' } },
            },
          },
        },
        { type: 'text', text: 'Go' },
      ],
      tools: [weather, scratch],
      toolContext: { unit: 'C', secret: 1 },
      reasoning: 'required',
    })
    expect(log).toEqual([[new Date('2026-01-02'), { unit: 'C' }]])
    expect(appended(result)).toEqual([
      {
        type: 'data',
        kind: 'error',
        data: { call: { _tool: 'weather', day: 'soon' }, error: expect.stringContaining('$.day') },
      },
      { type: 'data', kind: 'state', data: { w: { degrees: 20, unit: 'C' } } },
      { type: 'data', kind: 'result', data: { tool: 'mood', result: 'good' } },
      { type: 'data', kind: 'result', data: { tool: 'scratch', result: 'got {"n":20}' } },
    ])
    const names = JSON.stringify(model.prompts[0]!.options!.outputSchema)
    for (const name of ['weather', 'scratch', 'mood']) expect(names).toContain(`"const":"${name}"`)
    expect(names).toContain('_reasoningForCall')
  })

  it('ask for approval as they do elsewhere', async () => {
    log.length = 0
    const run = play({
      answers: [{ calls: [{ _tool: 'weather', day: '2031-01-02' }] }],
      output: SUMMARY,
      context: [{ type: 'text', text: 'Go' }],
      tools: [weather],
      toolContext: { unit: 'C' },
    })
    expect((await suspended(run)).result.pending).toMatchObject([{ kind: 'approval' }])
    expect(log).toEqual([])
  })

  it('give way to a definition of the context, which holds besides their own checks and approval', async () => {
    log.length = 0
    const narrowed: ToolSchema = {
      type: 'object',
      description: 'Weather of two days. Returns degrees.',
      properties: { day: { enum: ['2026-01-02', '2031-01-02'] } },
      required: ['day'],
    }
    const run = play({
      answers: [
        {
          calls: [
            { _tool: 'weather', day: '2026-01-02' },
            { _tool: 'weather', day: '2026-01-03' },
          ],
        },
        { calls: [{ _tool: 'weather', day: '2031-01-02' }] },
      ],
      output: SUMMARY,
      context: [
        { type: 'tool', tool: { weather: narrowed } },
        { type: 'text', text: 'Go' },
      ],
      tools: [weather],
      toolContext: { unit: 'C' },
    })
    const { result } = await suspended(run)
    expect(log).toEqual([[new Date('2026-01-02'), { unit: 'C' }]])
    expect(result.pending).toMatchObject([{ kind: 'approval', input: { day: '2031-01-02' } }])
    expect(result.state!.context.agent).toMatchObject({
      errors: [
        { error: expect.stringContaining('$.day: expected one of "2026-01-02", "2031-01-02"') },
      ],
    })
  })
})

describe('labels', () => {
  const read: ToolSchema = {
    type: 'object',
    description: 'Returns mail',
    _outputPath: '†state.mail',
  }
  const send: ToolSchema = {
    type: 'object',
    description: 'Returns nothing',
    properties: { text: {} },
  }
  const labelled = (): AgentRegistry => {
    const registry = registryWith({ send: () => 'sent' })
    registry.activity('read', () => 'private words', {
      labels: { emits: 'untrusted', reads: 'private' },
    })
    return registry
  }
  const seen = async (
    context: readonly AgentMessage[],
    answers: readonly Answer[],
    registry: AgentRegistry,
  ) => {
    const labels: { [name: string]: unknown } = {}
    await play({
      answers,
      output: SUMMARY,
      context,
      registry,
      policy: ({ toolName, labels: { run } }) => ((labels[toolName] = run), 'allow'),
    })
    return labels
  }
  const untrusted = { trust: 'untrusted', private: true }

  it('of what one call read are known when another of the same answer sends it', async () => {
    const calls = [{ _tool: 'send', text: '†state.mail' }, { _tool: 'read' }]
    const context: readonly AgentMessage[] = [
      { type: 'tool', tool: { read, send } },
      { type: 'text', text: 'Go' },
    ]
    expect(await seen(context, [{ calls }, DONE], labelled())).toEqual({
      read: { trust: 'trusted' },
      send: untrusted,
    })
  })

  it('go into a delegate, and come out of it', async () => {
    const registry = labelled()
    registry.delegate('inner', {
      context: [
        { type: 'tool', tool: { send } },
        { type: 'text', text: 'Inside' },
      ],
      schema: { type: 'string' },
    })
    registry.delegate('reader', {
      context: [
        { type: 'tool', tool: { read } },
        { type: 'text', text: 'Inside' },
      ],
      schema: { type: 'string' },
    })
    const inner: ToolSchema = { type: 'object', description: 'Returns text', _delegate: 'inner' }
    const reader: ToolSchema = { type: 'object', description: 'Returns text', _delegate: 'reader' }
    const say: AgentMessage = { type: 'text', text: 'Go' }
    const into = await seen(
      [{ type: 'tool', tool: { read, inner } }, say],
      [
        { calls: [{ _tool: 'read' }] },
        { calls: [{ _tool: 'inner' }] },
        { calls: [{ _tool: 'send', text: 'x' }] },
        { output: 'ok' },
        DONE,
      ],
      registry,
    )
    expect(into).toMatchObject({ send: untrusted })
    const out = await seen(
      [{ type: 'tool', tool: { reader, send } }, say],
      [
        { calls: [{ _tool: 'reader' }] },
        { calls: [{ _tool: 'read' }] },
        { output: 'ok' },
        { calls: [{ _tool: 'send', text: 'x' }] },
        DONE,
      ],
      registry,
    )
    expect(out).toMatchObject({ send: untrusted })
  })
})

describe('a long result', () => {
  it('is shown to the model in part, and passed on whole', async () => {
    const long = 'x'.repeat(5000)
    const lengths: number[] = []
    const { read } = await play({
      answers: [
        { calls: [{ _tool: 'note', text: 1, _outputPath: '†state.long' }] },
        { calls: [{ _tool: 'note', text: '†state.long' }] },
        DONE,
      ],
      output: SUMMARY,
      context,
      registry: registryWith({ note: ({ text }) => (lengths.push(String(text).length), long) }),
      limits: { resultBytes: 500 },
    })
    expect(lengths).toEqual([1, 5000])
    expect(read[1]).toContain('bytes left out')
    expect(read[1]!.length).toBeLessThan(2500)
  })
})
