/** What a trace file holds of a run, in call and in stream, and what it never holds. */
import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  advisor,
  ChatClient,
  clientTool,
  tool,
  toolCallingManager,
  type ToolSource,
} from 'toolwright'
import { runAgent } from 'toolwright/agent'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import {
  exchangeCost,
  readPrices,
  readTrace,
  type Trace,
  type TraceExchange,
  type TraceFile,
  type TraceRun,
} from 'toolwright/trace'
import { scenario } from '../e2e/scenario.ts'
import { linesIn, tracing } from './trace-folder.ts'

const read = ({ path }: TraceFile): Trace => readTrace(readFileSync(path, 'utf8'))

const later = (
  clock: { timer(ms: number, wake: () => void): unknown },
  ms: number,
): Promise<void> => new Promise((done) => void clock.timer(ms, done))

/** A run in a line for each thing, with its times in ms. */
function outline({ legs }: TraceRun): readonly string[] {
  return legs.flatMap(({ phase, rounds, pending, status, waitedMs = 0 }) => [
    `${phase}${waitedMs > 0 ? ` after ${waitedMs}` : ''}`,
    ...rounds.flatMap(({ number, exchanges, calls, waitedFor }) => [
      `round ${number}${waitedFor === undefined ? '' : ` waited for ${waitedFor}`}`,
      ...exchanges.map(
        (each) => `  ${each.model} ${each.startedAt}-${each.endedAt} ${each.finishReason}`,
      ),
      ...calls.map((each) => `  ${each.name} ${each.startedAt}-${each.endedAt} ${each.status}`),
    ]),
    ...pending.map(({ callId, kind }) => `${callId} waits: ${kind}`),
    status,
  ])
}

describe('a trace file', () => {
  let trace: TraceFile
  scenario('has a line for each observation and event, after one that says the version', {
    script: [
      { toolCalls: [{ name: 'echo', arguments: { say: 'hello' } }], usage: { inputTokens: 7 } },
      'Done.',
    ],
    client: ({ clock }) => ({ observer: (trace = tracing({ clock })) }),
    request: (client) => client.prompt('Go').conversation('c-1').options({ temperature: 0.5 }),
    tools: () => [
      tool({ name: 'echo', input: z.object({ say: z.string() }), execute: ({ say }) => say }),
    ],
    check({ mode }) {
      const lines = linesIn(trace.path)
      const common = { at: 0, writer: 'writer_1' }
      expect(lines[0]).toEqual({ type: 'trace', version: 1, content: false, ...common })
      expect(lines[1]).toEqual({
        type: 'start',
        ...common,
        id: 1,
        kind: 'client',
        name: 'scripted',
        runId: 'run_1',
        mode,
        phase: 'start',
        provider: 'scripted',
        conversation: 'c-1',
        toolNames: ['echo'],
      })
      const shapes = lines.map((line) => {
        const { type, kind = '', name = '', event } = line as { [field: string]: string }
        return `${type} ${kind}${name && ' '}${name}${(event as unknown as { type: string })?.type ?? ''}`.trim()
      })
      expect(shapes.filter((shape) => shape !== 'event deltas')).toEqual([
        'trace',
        'start client scripted',
        'start advisor tool-calling',
        'start round 1',
        'start model scripted',
        'event tool-call-start',
        'event tool-call',
        'event round-end',
        'end',
        'start tool echo',
        'event tool-execution-start',
        'event tool-result',
        'end',
        'end',
        'start round 2',
        'start model scripted',
        'event round-end',
        'end',
        'end',
        'end',
        'end',
      ])
      // What a stream shows piece by piece is counted, not kept: a secret in pieces is not recognised.
      const deltas = lines
        .map(({ event }) => event)
        .filter((event) => Object(event).type === 'deltas')
      const counted = [
        { of: 'tool-call-delta', callId: 'call_1', characters: 15 },
        { of: 'text-delta', characters: 5 },
      ]
      expect(deltas).toMatchObject(mode === 'stream' ? counted : [])
    },
  })

  scenario('is read as runs with rounds, exchanges and calls, each with its times', {
    script: [
      { toolCalls: [{ name: 'slow' }, { name: 'quick' }], delayMs: 10, usage: { inputTokens: 5 } },
      { text: 'Done.', delayMs: 5, usage: { inputTokens: 9, outputTokens: 2 } },
    ],
    client: ({ clock }) => ({ observer: (trace = tracing({ clock })) }),
    tools: ({ clock }) => [
      tool({ name: 'slow', execute: () => later(clock, 30) }),
      tool({ name: 'quick', execute: () => later(clock, 3) }),
    ],
    during: ({ clock }) => clock.advance(100),
    check() {
      const { runs, problems, calls, content } = read(trace)
      expect({ problems, calls, content }).toEqual({ problems: [], calls: [], content: false })
      expect(runs).toHaveLength(1)
      expect(outline(runs[0]!)).toEqual([
        'start',
        'round 1 waited for call_1',
        '  scripted 0-10 tool-calls',
        '  slow 10-40 done',
        '  quick 10-13 done',
        'round 2',
        '  scripted 40-45 stop',
        'done',
      ])
      expect(runs[0]).toMatchObject({
        id: 'run_1',
        status: 'done',
        startedAt: 0,
        endedAt: 45,
        usage: { inputTokens: 14, outputTokens: 2 },
      })
    },
  })

  scenario('tells what failed, what was refused, and what waited for whom', {
    script: [
      {
        toolCalls: [
          { name: 'boom' },
          { name: 'nope' },
          { name: 'first' },
          { name: 'second' },
          { name: 'flaky' },
        ],
      },
      { error: new RangeError('gone') },
    ],
    client: ({ clock }) => ({ observer: (trace = tracing({ clock })) }),
    tools: ({ clock, log }) => {
      const lock = (): string => 'door'
      return [
        tool({
          name: 'boom',
          execute() {
            throw new TypeError('hidden')
          },
        }),
        tool({ name: 'first', lock, effect: 'once', execute: () => later(clock, 20) }),
        tool({ name: 'second', lock, effect: 'once', execute: () => later(clock, 1) }),
        tool({
          name: 'flaky',
          effect: 'read',
          retry: { attempts: 2, delayMs: 5 },
          execute() {
            if (log.push('try') === 1) throw new Error('not yet')
          },
        }),
      ]
    },
    during: ({ clock }) => clock.advance(100),
    check() {
      const [run] = read(trace).runs
      const [leg] = run!.legs
      expect(run!.status).toBe('failed')
      expect(leg!.failure).toEqual({ name: 'RangeError' })
      const [boom, nope, first, second, flaky] = leg!.rounds[0]!.calls
      expect(boom).toMatchObject({ status: 'failed', failure: { name: 'TypeError' }, attempts: 1 })
      expect(nope).toMatchObject({
        name: '(not offered)',
        isOffered: false,
        status: 'refused',
        refusal: 'unknown-tool',
        attempts: 0,
      })
      expect(first).toMatchObject({ waits: [], ranAt: 0, endedAt: 20 })
      expect(second).toMatchObject({
        startedAt: 0,
        ranAt: 20,
        endedAt: 21,
        waits: [{ for: 'lock', ms: 20, callId: 'call_3', toolName: 'first' }],
      })
      expect(flaky).toMatchObject({
        attempts: 2,
        status: 'done',
        events: [{ type: 'observed', code: 'retry', data: { attempt: 1 } }],
      })
      expect(leg!.rounds[1]).toMatchObject({
        failed: true,
        exchanges: [{ failed: true, failure: { name: 'RangeError' } }],
      })
    },
  })

  let waiting: TraceFile | undefined
  let time = 0
  for (const content of [false, true])
    scenario(`says of a call that it was edited${content ? ', with what ran' : ''}`, {
      script: [{ toolCalls: [{ name: 'pay', arguments: { amount: 9 } }] }, 'Done.'],
      client: ({ clock }) => ({ observer: (trace = tracing({ clock, content })) }),
      tools: () => [
        tool({
          name: 'pay',
          approval: true,
          input: z.object({ amount: z.number() }),
          execute: () => 'paid',
        }),
      ],
      resume: [() => ({ call_1: { edit: { amount: 2 } } })],
      check() {
        const calls = read(trace)
          .runs.flatMap(({ legs }) => legs.flatMap(({ rounds }) => rounds))
          .flatMap((round) => round.calls)
        expect(calls.map((call) => [call.edited, call.arguments])).toEqual([
          [true, content ? '{"amount":2}' : undefined],
        ])
      },
    })

  scenario('joins the legs of a run that waited', {
    script: [{ toolCalls: [{ name: 'echo' }, { name: 'pay' }] }, 'Paid.'],
    client: ({ clock }) => ({
      observer: (waiting ??= tracing({
        clock: { ...clock, now: () => time, monotonic: () => time },
      })),
    }),
    tools: () => [
      tool({ name: 'echo', execute: () => 'e' }),
      tool({ name: 'pay', approval: true, execute: () => 'paid' }),
    ],
    resume: [
      () => {
        time += 1000
        return { call_2: 'approve' }
      },
    ],
    check({ mode }) {
      const [run, ...others] = read(waiting!).runs
      expect(others).toEqual([])
      expect(outline(run!).map(withoutTimes)).toEqual([
        'start',
        'round 1',
        '  scripted tool-calls',
        '  echo done',
        'call_2 waits: approval',
        'suspended',
        'resume after 1000',
        'round 1',
        '  pay done',
        'round 2',
        '  scripted stop',
        'done',
      ])
      expect(run!.legs.map((leg) => leg.mode)).toEqual([mode, mode])
      waiting = undefined
    },
  })
})

const withoutTimes = (line: string): string => line.replace(/ \d+-\d+/, '')

describe('what stands inside', () => {
  for (const mode of ['call', 'stream'] as const) {
    it(`a client that is a tool is a run inside its call, told once: ${mode}`, async () => {
      const trace = tracing()
      const inner = ChatClient.create(
        scriptedModel([{ toolCalls: [{ name: 'look' }], usage: { inputTokens: 3 } }, 'Found.']),
        { observer: trace, tools: [tool({ name: 'look', execute: () => 'here' })] },
      )
      const ask = clientTool(inner, { name: 'ask', description: 'Asks' })
      const model = scriptedModel([
        { toolCalls: [{ name: 'ask', arguments: { prompt: 'x' } }] },
        'Ok.',
      ])
      const client = ChatClient.create(model, { observer: trace, tools: [ask] })
      await client.prompt('Go')[mode]().result()
      const { runs } = read(trace)
      expect(runs).toHaveLength(1)
      const [call] = runs[0]!.legs[0]!.rounds[0]!.calls
      expect(call).toMatchObject({ name: 'ask', status: 'done', events: [] })
      expect(call!.runs).toHaveLength(1)
      expect(
        call!.runs[0]!.legs[0]!.rounds.map(({ calls }) => calls.map(({ name }) => name)),
      ).toEqual([['look'], []])
      expect(call!.runs[0]!.usage).toEqual({ inputTokens: 3 })
      // The run around gets the events of the one inside, and does not write them again.
      expect(linesIn(trace.path).filter(({ event }) => 'parentCallId' in Object(event))).toEqual([])
    })

    it(`of a run inside that nobody watches, the events stand at its call: ${mode}`, async () => {
      const trace = tracing()
      const inner = ChatClient.create(
        scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'Found.']),
        {
          tools: [tool({ name: 'look', execute: () => 'here' })],
        },
      )
      const ask = clientTool(inner, { name: 'ask', description: 'Asks' })
      const model = scriptedModel([
        { toolCalls: [{ name: 'ask', arguments: { prompt: 'x' } }] },
        'Ok.',
      ])
      await ChatClient.create(model, { observer: trace, tools: [ask] })
        .prompt('Go')
        [mode]()
        .result()
      const [call] = read(trace).runs[0]!.legs[0]!.rounds[0]!.calls
      expect(call!.runs).toEqual([])
      expect(call!.attempts).toBe(1)
      expect(call!.events.map(({ type }) => type)).toEqual([
        'round-end',
        'tool-execution-start',
        'tool-result',
        'round-end',
      ])
    })
  }

  it('an agent, and a manager by hand, with its calls', async () => {
    const trace = tracing()
    const solution = { meta: { path: '/', version: '2' }, calls: [], output: { ok: true } }
    const model = scriptedModel([JSON.stringify(solution)], {
      capabilities: { structuredOutput: true },
    })
    const output = { type: 'object', properties: { ok: { type: 'boolean' } } } as const
    await runAgent({ model, observer: trace }, output, [{ type: 'text', text: 'Go' }])
    const manager = toolCallingManager({ observer: trace })
    const asking = scriptedModel([{ toolCalls: [{ name: 'echo' }] }])
    const prompt = {
      messages: [],
      options: { tools: [tool({ name: 'echo', execute: () => 'a' })] },
    }
    await manager.executeToolCalls(prompt, await asking.call(prompt))
    const { runs, calls } = read(trace)
    expect(runs.map(({ status }) => status)).toEqual(['done'])
    expect(runs[0]!.legs[0]!.rounds[0]!.exchanges).toHaveLength(1)
    expect(calls).toMatchObject([{ name: 'echo', status: 'done' }])
  })

  it('several runs, also at the same time, and one that asks without a loop', async () => {
    const trace = tracing()
    const client = ChatClient.create(scriptedModel(['A', 'B', 'C']), { observer: trace })
    await Promise.all([client.prompt('1').call().content(), client.prompt('2').stream().result()])
    await client.prompt('3').toolCalling(false).call().content()
    const { runs } = read(trace)
    expect(runs.map(({ status, legs }) => [status, legs[0]!.rounds.length])).toEqual([
      ['done', 1],
      ['done', 1],
      ['done', 1],
    ])
    expect(new Set(runs.map(({ id }) => id)).size).toBe(3)
  })

  it('times never go back while anything is under way, whatever becomes of the wall clock', async () => {
    let wall = Date.UTC(2026, 0, 1)
    let passed = 0
    const clock = { now: () => wall, monotonic: () => ++passed, timer: () => () => {} }
    const trace = tracing({ clock })
    let goOn = (): void => {}
    const wait = tool({ name: 'wait', execute: () => new Promise<void>((done) => (goOn = done)) })
    const steps = [{ toolCalls: [{ name: 'wait' }] }, 'Waited.']
    const long = ChatClient.create(scriptedModel(steps), { observer: trace, tools: [wait] })
    const short = ChatClient.create(scriptedModel(['A', 'B']), { observer: trace })
    const first = long.prompt('Go').call().content()
    await vi.waitFor(() => expect(linesIn(trace.path).at(-1)).toMatchObject({ type: 'event' }))
    const hour = 3_600_000
    wall -= hour
    await short.prompt('Go').call().content()
    goOn()
    await first
    // The first line is made when the next one is written.
    const [, ...lines] = linesIn(trace.path)
    const times = lines.map(({ at }) => at as number)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(read(trace).runs).toHaveLength(2)
    // When nothing is under way, it follows.
    await short.prompt('Go').call().content()
    const last = read(trace).runs.at(-1)!
    expect(last.startedAt).toBeLessThan(wall + hour / 2)
  })

  for (const content of [false, true])
    it(`an exchange names the model that the request asked for: content ${content}`, async () => {
      const trace = tracing({ content })
      const client = ChatClient.create(scriptedModel(['A', 'B']), { observer: trace })
      await client.prompt('Go').options({ model: 'large-2' }).call().content()
      await client.prompt('Go').call().content()
      const exchanges = read(trace).runs.map(({ legs }) => legs[0]!.rounds[0]!.exchanges[0]!)
      expect(exchanges.map(({ model }) => model)).toEqual(['large-2', 'scripted'])
      const prices = readPrices({ models: { 'large-2': { input: 1, output: 1 } } })
      const usage = { inputTokens: 1_000_000, outputTokens: 0 }
      const { answeredBy: _other, ...exchange } = exchanges[0]!
      expect(exchangeCost({ ...exchange, usage }, prices)).toBe(1)
    })

  it('an advisor inside the loop that asks twice has both exchanges in its round', async () => {
    const trace = tracing()
    const twice = {
      name: 'twice',
      order: 900,
      advise: async (request: never, next: (r: never) => Promise<never>) => {
        await next(request)
        return next(request)
      },
    }
    await ChatClient.create(scriptedModel(['A', 'B']), {
      observer: trace,
      advisors: [twice as never, advisor({ name: 'out' })],
    })
      .prompt('Go')
      .call()
      .content()
    const [leg] = read(trace).runs[0]!.legs
    expect(leg!.advisors.map(({ name }) => name)).toEqual(['out', 'tool-calling'])
    expect(leg!.rounds).toMatchObject([{ advisors: [{ name: 'twice' }] }])
    expect(leg!.rounds[0]!.exchanges).toHaveLength(2)
  })
})

const CANARY = /canary/i

/** Words of a person, a model, a tool and a context, in every place where there are any. */
function talkative(log: unknown[]): readonly ToolSource[] {
  return [
    tool({
      name: 'ask',
      input: z.object({ say: z.string() }),
      retry: { attempts: 2, delayMs: 0 },
      effect: 'read',
      async *execute({ say }, context) {
        yield { progress: `canary progress ${say}` }
        if (log.push('try') === 1)
          throw Object.assign(new Error(`canary error ${say}`), {
            name: 'canaryName',
            code: 'canary-code',
          })
        return { result: 'canary result', user: context.get('user') }
      },
    }),
    tool({
      name: 'pay',
      approval: true,
      preview: () => 'canary preview',
      input: z.object({ to: z.string() }),
      execute: () => 'canary paid',
    }),
  ]
}

const SECRET_STEPS: readonly ScriptedStep[] = [
  {
    text: 'canary thoughts',
    toolCalls: [
      { name: 'ask', arguments: { say: 'canary argument' } },
      { name: 'canaryTool', arguments: { a: 'canary' } },
      { name: 'ask', rawArguments: '{"say": canary' },
      { name: 'ask', arguments: { say: 7, canary: 'canary key' } },
      { name: 'pay', arguments: { to: 'canary payee' } },
    ],
  },
  'The canary answer.',
]

describe('content', () => {
  let trace: TraceFile
  for (const content of [false, true])
    scenario(`${content ? 'is there if it was asked for' : 'no word of it is in the file'}`, {
      script: SECRET_STEPS,
      client: () => ({
        observer: (trace ??= tracing({ content })),
        system: 'canary system',
        toolContext: { user: 'canary context', token: 'canary token' },
      }),
      request: (client) =>
        client.prompt('canary prompt').options({
          stopSequences: ['canary stop'],
          providerOptions: { scripted: { note: 'canary option' } },
        }),
      tools: ({ log }) => talkative(log),
      resume: [() => ({ call_5: { deny: 'canary denial' } })],
      during: ({ clock }) => clock.advance(100),
      check() {
        const text = readFileSync(trace.path, 'utf8')
        const { runs } = readTrace(text)
        expect(runs[0]!.legs.map(({ status }) => status)).toEqual(['suspended', 'done'])
        trace = undefined as never
        if (!content) return expect(text).not.toMatch(CANARY)
        const words = ['prompt', 'system', 'thoughts', 'argument', 'progress', 'error', 'result']
        for (const word of [...words, 'preview', 'payee', 'denial', 'answer', 'stop'])
          expect(text).toContain(`canary ${word}`)
        expect(text).toContain('canaryTool')
        // A tool put it into its result; nothing else of the context is there.
        expect(text).not.toContain('canary token')
      },
    })

  it('an error of the provider, a notice and an aborted run leave no words either', async () => {
    const trace = tracing()
    const failing = scriptedModel([
      { error: new Error('canary: 400, "canary prompt" is too long') },
    ])
    const client = ChatClient.create(failing, { observer: trace })
    await expect(client.prompt('canary').call().content()).rejects.toThrow('canary')
    // Also under the codes of what the library itself observes, of which more is kept.
    const codes = ['mcp-list', 'retry', 'waited']
    const noticing = advisor({
      name: 'notices',
      before: (request) => {
        for (const code of codes)
          request.emit({
            type: 'notice',
            code,
            message: 'canary notice',
            data: { canary: 'canary data' },
          })
      },
      onEvent: (event) => event,
    })
    await ChatClient.create(scriptedModel(['canary']), { observer: trace, advisors: [noticing] })
      .prompt('canary')
      .stream()
      .result()
    const text = readFileSync(trace.path, 'utf8')
    expect(text).not.toMatch(CANARY)
    for (const code of codes) expect(text).toContain(`"code":"${code}"`)
  })

  for (const mode of ['call', 'stream'] as const)
    it(`the messages are those the model got, each written once: ${mode}`, async () => {
      const trace = tracing({ content: true })
      const model = scriptedModel([
        { toolCalls: [{ name: 'echo' }] },
        { toolCalls: [{ name: 'echo' }] },
        'Done.',
      ])
      await ChatClient.create(model, {
        observer: trace,
        system: 'Be brief.',
        tools: [tool({ name: 'echo', execute: () => 'a' })],
      })
        .prompt('Go')
        [mode]()
        .result()
      const exchanges = read(trace).runs[0]!.legs[0]!.rounds.flatMap((round) => round.exchanges)
      expect(exchanges.map(({ messages }) => messages)).toEqual(
        model.prompts.map(({ messages }) => messages),
      )
      const sent = linesIn(trace.path).filter(({ type }) => type === 'sent')
      expect(sent.map(({ same }) => same)).toEqual([0, 2, 4])
    })

  it('secrets are redacted, in texts and by the name of their field', async () => {
    const trace = tracing({ content: true })
    const model = scriptedModel([
      { toolCalls: [{ name: 'login', arguments: { password: 'hunter2hunter2', user: 'ada' } }] },
      { chunks: ['The key is sk-abcd', 'efghijklmnop', '.'] },
    ])
    const login = tool({
      name: 'login',
      input: z.object({ password: z.string(), user: z.string() }),
      execute: () => ({ api_key: 'k-1234567', note: 'Bearer abcdef123456' }),
    })
    await ChatClient.create(model, { observer: trace, tools: [login] })
      .prompt('Go')
      .stream()
      .result()
    const text = readFileSync(trace.path, 'utf8')
    expect(text).not.toMatch(/hunter2|k-1234567|abcdef123456|abcdefghijklmnop|efghijkl/)
    expect(text).toContain('ada')
  })
})

describe('the file', () => {
  it('has one line for each thing, for every reader of lines', async () => {
    const trace = tracing({ content: true })
    const words = 'one\u2028two\u2029three\rfour\nfive'
    await ChatClient.create(scriptedModel([words]), { observer: trace })
      .prompt(words)
      .call()
      .content()
    expect(readFileSync(trace.path, 'utf8')).not.toMatch(/[\u2028\u2029\r]/)
    const [{ messages, answer }] = read(trace).runs[0]!.legs[0]!.rounds[0]!.exchanges as [
      TraceExchange,
    ]
    expect(messages).toEqual([{ role: 'user', content: words }])
    expect(answer).toMatchObject([{ message: { content: words } }])
  })

  it('is for its owner only, and what is there stays', async () => {
    const first = tracing()
    const ask = async (observer: TraceFile) =>
      ChatClient.create(scriptedModel(['Hi.']), { observer })
        .prompt('Go')
        .call()
        .content()
    await ask(first)
    first.close()
    await ask(first)
    expect(statSync(first.path).mode & 0o777).toBe(0o600)
    expect(read(first).runs).toHaveLength(2)
    expect(linesIn(first.path).filter(({ type }) => type === 'trace')).toHaveLength(2)
  })
})
