/** What an observer is told, inside what, and that nothing it does changes a run. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  advisor,
  ChatClient,
  ORDER,
  tool,
  toolCallingManager,
  type Advisor,
  type Observer,
  type ObservationOutcome,
  type ToolSource,
} from 'toolwright'
import {
  recordingObserver,
  scriptedModel,
  type RecordedObservation,
  type RecordingObserver,
} from 'toolwright/testing'
import { eventsOf, scenario, toldByTools, type Outcome } from './scenario.ts'

const echo = (log: unknown[]): ToolSource =>
  tool({
    name: 'echo',
    description: 'Says it again',
    input: z.object({ say: z.string() }),
    execute: ({ say }) => (log.push(say), say),
  })
const say = (text: string) => ({ name: 'echo', arguments: { say: text } })
const boom = tool({
  name: 'boom',
  execute() {
    throw new RangeError('out of range')
  },
})

/** A scenario has one observer per run; this remembers which. */
function observed(content = false) {
  let current: RecordingObserver | undefined
  return {
    make: (): RecordingObserver => (current = recordingObserver({ content })),
    get recorded(): RecordingObserver {
      return current!
    },
  }
}

const flat = (all: readonly RecordedObservation[]): readonly RecordedObservation[] =>
  all.flatMap((each) => [each, ...flat(each.children)])

const named = (recorded: RecordingObserver, name: string): readonly RecordedObservation[] =>
  flat(recorded.observations).filter(({ kind, info }) => `${kind} ${info.name}` === name)

const outcomeOf = (recorded: RecordingObserver, name: string): ObservationOutcome =>
  named(recorded, name)[0]!.outcomes[0]!

/** Everything ends exactly once. */
function expectAllEnded({ observations }: RecordingObserver): void {
  expect(flat(observations).map(({ outcomes }) => outcomes.length)).toEqual(
    flat(observations).map(() => 1),
  )
}

const watching = (name: string, order: number): Advisor => ({
  name,
  order,
  advise: (request, next) => next({ ...request, emit: (event) => request.emit(event) }),
})

let sent: unknown[] = []
/** The same observer, which also remembers what models are sent. */
function sendingTo(recorder: RecordingObserver): Observer {
  sent = []
  return {
    ...recorder,
    start: (...started) =>
      Object.assign(recorder.start(...started)!, {
        sent: (messages: unknown) => void sent.push(messages),
      }),
  }
}

describe('what is observed', () => {
  for (const kind of ['folded', 'watching'] as const) {
    const seen = observed()
    const made = (name: string, order: number): Advisor =>
      kind === 'folded' ? advisor({ name, order }) : watching(name, order)
    scenario(`nests client > advisor > round > model and tools (${kind} advisors)`, {
      script: [{ toolCalls: [say('a'), say('b')] }, { toolCalls: [say('c')] }, 'Done.'],
      client: () => ({
        observer: seen.make(),
        advisors: [made('out', ORDER.first), made('in', ORDER.last)],
      }),
      tools: ({ log }) => [echo(log)],
      check() {
        expect(seen.recorded.outline()).toEqual([
          'client scripted',
          '  advisor out',
          '    advisor tool-calling',
          '      round 1',
          '        advisor in',
          '          model scripted',
          '        tool echo',
          '        tool echo',
          '      round 2',
          '        advisor in',
          '          model scripted',
          '        tool echo',
          '      round 3',
          '        advisor in',
          '          model scripted',
        ])
        expectAllEnded(seen.recorded)
      },
    })
  }

  const infos = observed()
  scenario('says what it is, without content', {
    script: [{ toolCalls: [say('secret word')], usage: { inputTokens: 3 } }, 'Done.'],
    client: () => ({ observer: infos.make(), toolContext: { password: 'hunter2' } }),
    request: (client) =>
      client.prompt('My diary').options({ temperature: 0.5 }).conversation('c-1'),
    tools: ({ log }) => [echo(log)],
    check({ mode }) {
      const { recorded } = infos
      const [client] = recorded.observations
      expect(client!.info).toEqual({
        kind: 'client',
        name: 'scripted',
        provider: 'scripted',
        runId: 'run_1',
        mode,
        phase: 'start',
        conversation: 'c-1',
        toolNames: ['echo'],
      })
      const [model] = named(recorded, 'model scripted')
      expect(model!.info).toMatchObject({
        kind: 'model',
        runId: 'run_1',
        mode,
        round: 1,
        toolNames: ['echo'],
        options: { temperature: 0.5 },
      })
      const [call] = named(recorded, 'tool echo')
      expect(call!.info).toMatchObject({
        kind: 'tool',
        callId: 'call_1',
        runId: 'run_1',
        definition: { name: 'echo', description: 'Says it again' },
      })
      expect(outcomeOf(recorded, 'model scripted')).toMatchObject({
        finishReason: 'tool-calls',
        usage: { inputTokens: 3 },
        failed: false,
      })
      expect(outcomeOf(recorded, 'client scripted')).toMatchObject({
        finishReason: 'stop',
        rounds: 2,
        usage: { inputTokens: 3 },
      })
      expect(textOfAll(recorded)).not.toMatch(/secret word|diary|hunter2|Done\./)
    },
  })

  const contents = observed(true)
  scenario('gives content to who asks for it, but never the tool context', {
    script: [{ toolCalls: [say('secret word')] }, 'Done.'],
    client: () => ({ observer: contents.make(), toolContext: { password: 'hunter2' } }),
    request: (client) => client.prompt('My diary'),
    tools: ({ log }) => [echo(log)],
    check() {
      const { recorded } = contents
      expect(recorded.observations[0]!.info).toMatchObject({
        messages: [{ role: 'user', content: 'My diary' }],
      })
      const [first, second] = named(recorded, 'model scripted')
      expect(first!.info).toMatchObject({ messages: [{ content: 'My diary' }] })
      expect(second!.info).toMatchObject({ messages: [{}, {}, { role: 'tool' }] })
      const [call] = named(recorded, 'tool echo')
      expect(call!.info).toMatchObject({ arguments: '{"say":"secret word"}' })
      expect(call!.outcomes).toMatchObject([{ result: 'secret word' }])
      expect(outcomeOf(recorded, 'client scripted')).toMatchObject({
        response: { results: [{ message: { content: 'Done.' } }] },
      })
      expect(textOfAll(recorded)).not.toContain('hunter2')
    },
  })

  const failing = observed()
  scenario('marks a tool whose error became words for the model', {
    script: [{ toolCalls: [{ name: 'boom' }, { name: 'nope' }, { name: 'echo' }] }, 'Done.'],
    client: () => ({ observer: failing.make() }),
    tools: ({ log }) => [boom, echo(log)],
    check({ prompts }) {
      const { recorded } = failing
      expect(toldByTools(prompts[1]).map(({ isError }) => isError)).toEqual([true, true, true])
      expect(recorded.outline().slice(3, 8)).toEqual([
        '      model scripted',
        '      tool boom !',
        '      tool nope !',
        '      tool echo !',
        '    round 2',
      ])
      const thrown = outcomeOf(recorded, 'tool boom')
      expect(thrown).toMatchObject({ failed: true, error: new RangeError('out of range') })
      expect(thrown).not.toHaveProperty('refused')
      expect(outcomeOf(recorded, 'tool nope')).toMatchObject({ failed: true, refused: true })
      expect(named(recorded, 'tool nope')[0]!.info).not.toHaveProperty('definition')
      expect(outcomeOf(recorded, 'tool echo')).toMatchObject({ refused: true })
      expect(outcomeOf(recorded, 'client scripted')).toMatchObject({ failed: false })
    },
  })

  const broken = observed()
  scenario('ends everything with the error that ended the run', {
    script: [{ toolCalls: [say('a')] }, { error: new RangeError('gone') }],
    client: () => ({ observer: broken.make(), advisors: [watching('in', ORDER.last)] }),
    tools: ({ log }) => [echo(log)],
    check({ error }) {
      expect(error).toEqual(new RangeError('gone'))
      expect(broken.recorded.outline()).toEqual([
        'client scripted !',
        '  advisor tool-calling !',
        '    round 1',
        '      advisor in',
        '        model scripted',
        '      tool echo',
        '    round 2 !',
        '      advisor in !',
        '        model scripted !',
      ])
      expectAllEnded(broken.recorded)
      const failed = flat(broken.recorded.observations).filter((each) => each.outcomes[0]!.failed)
      expect(failed.map((each) => each.outcomes[0]!.error)).toEqual(failed.map(() => error))
    },
  })

  const aborted = observed()
  scenario('ends everything at an abort, though a tool and an advisor do not listen', {
    script: [{ toolCalls: [{ name: 'deaf' }] }],
    client: () => ({ observer: aborted.make(), advisors: [watching('in', ORDER.last)] }),
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ abort }) => [
      tool({
        name: 'deaf',
        execute() {
          queueMicrotask(() => abort.abort(new RangeError('enough')))
          return new Promise(() => {})
        },
      }),
    ],
    check({ error }) {
      expect(error).toEqual(new RangeError('enough'))
      expectAllEnded(aborted.recorded)
      expect(outcomeOf(aborted.recorded, 'tool deaf')).toMatchObject({ failed: true, error })
      expect(outcomeOf(aborted.recorded, 'client scripted')).toMatchObject({ failed: true, error })
    },
  })

  for (const mode of ['call', 'stream'] as const)
    it(`nothing starts that nobody ends, though a hook hears late of an abort: ${mode}`, async () => {
      const observer = recordingObserver()
      const abort = new AbortController()
      const late: { done?: () => void } = {}
      const heard = new Promise<void>((done) => (late.done = done))
      const client = ChatClient.create(scriptedModel([{ toolCalls: [say('a')] }]), {
        observer,
        toolCalling: {
          async nextMessages(messages) {
            abort.abort(new RangeError('enough'))
            await heard
            return messages
          },
        },
      })
      const run = client.prompt('Go').tools(echo([])).signal(abort.signal)
      await expect(run[mode]().result()).rejects.toThrow('enough')
      late.done!()
      await new Promise((wake) => setImmediate(wake))
      expectAllEnded(observer)
      expect(named(observer, 'round 2')).toEqual([])
    })

  const timed = observed()
  scenario('a call that the time of the run cut off has failed, its round has not', {
    script: [{ toolCalls: [{ name: 'slow' }, say('a')] }],
    client: () => ({ observer: timed.make(), limits: { runTimeoutMs: 1_000 } }),
    tools: ({ clock, log }) => [
      tool({
        name: 'slow',
        execute() {
          queueMicrotask(() => clock.advance(1_000))
          return new Promise(() => {})
        },
      }),
      echo(log),
    ],
    check({ result }) {
      expect(result.status).toBe('limit')
      expectAllEnded(timed.recorded)
      const outcome = outcomeOf(timed.recorded, 'tool slow')
      expect(outcome).toMatchObject({ failed: true, error: { code: 'run-limit' } })
      expect(outcomeOf(timed.recorded, 'tool echo').failed).toBe(false)
      expect(outcomeOf(timed.recorded, 'round 1').failed).toBe(false)
    },
  })

  it('a reader who leaves with the result of a call does not make it a failure', async () => {
    const observer = recordingObserver()
    const client = ChatClient.create(scriptedModel([{ toolCalls: [say('a')] }, 'Done.']), {
      observer,
    })
    for await (const event of client.prompt('Go').tools(echo([])).stream().events())
      if (event.type === 'tool-result') break
    expectAllEnded(observer)
    expect(outcomeOf(observer, 'tool echo').failed).toBe(false)
    expect(outcomeOf(observer, 'client scripted')).toMatchObject({
      failed: true,
      error: { code: 'run-abandoned' },
    })
  })

  const suspended = observed()
  scenario('a suspension is an end; the resumed run is observed anew, its tools in their round', {
    script: [{ toolCalls: [say('a'), { name: 'pay' }] }, 'Paid.'],
    client: () => ({ observer: suspended.make() }),
    tools: ({ log }) => [echo(log), tool({ name: 'pay', approval: true, execute: () => 'paid' })],
    resume: [() => ({ call_2: 'approve' })],
    check() {
      const { recorded } = suspended
      expect(recorded.outline()).toEqual([
        'client scripted',
        '  advisor tool-calling',
        '    round 1',
        '      model scripted',
        '      tool echo',
        'client scripted',
        '  advisor tool-calling',
        '    round 1',
        '      tool pay',
        '    round 2',
        '      model scripted',
      ])
      const [first, second] = recorded.observations
      expect(first!.outcomes).toMatchObject([{ finishReason: 'suspended', pending: ['pay'] }])
      expect(second!.info).toMatchObject({ phase: 'resume', runId: 'run_1' })
      expectAllEnded(recorded)
    },
  })

  const noticed = observed()
  scenario('tells of notices, blank arguments, odd names and retries', {
    script: [{ toolCalls: [{ name: 'näh', rawArguments: ' ' }, { name: 'flaky' }] }, { text: '' }],
    client: () => ({ observer: noticed.make() }),
    tools: ({ log }) => [
      tool({ name: 'näh', execute: () => 'ok' }),
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
    check() {
      const { recorded } = noticed
      const codes = (name: string) => named(recorded, name)[0]!.events.map(({ code }) => code)
      expect(codes('client scripted')).toEqual(['odd-tool-name', 'empty-answer'])
      expect(codes('tool näh')).toEqual(['blank-arguments'])
      expect(named(recorded, 'tool flaky')[0]!.events).toEqual([
        { code: 'retry', message: 'Attempt 1 failed: not yet', data: { attempt: 1 } },
      ])
    },
  })

  const waits = observed()
  scenario('tells what a call waited for: a place in its batch, a lock, a rate', {
    script: [
      {
        toolCalls: ['a', 'b', 'c'].map((name) => ({ name })),
      },
      'Done.',
    ],
    client: () => ({ observer: waits.make(), limits: { parallel: 2 } }),
    tools: ({ clock }) => {
      const slow = (name: string, ms: number, more: object) =>
        tool({
          name,
          ...more,
          execute: () => new Promise<void>((done) => void clock.timer(ms, done)),
        })
      const lock = (): string => 'a secret key'
      const rateLimit = { calls: 1, perMs: 50 }
      return [
        slow('a', 10, { lock, effect: 'once' }),
        slow('b', 20, { lock, effect: 'once' }),
        slow('c', 5, { rateLimit }),
      ]
    },
    during: ({ clock }) => clock.advance(100),
    check() {
      const { recorded } = waits
      const waited = (name: string) => named(recorded, `tool ${name}`)[0]!.events
      expect(waited('a')).toEqual([])
      expect(waited('b')).toEqual([
        {
          code: 'waited',
          message: 'Waited 10 ms for its lock, which "a" had.',
          data: { for: 'lock', ms: 10, callId: 'call_1', toolName: 'a' },
        },
      ])
      expect(waited('c')).toMatchObject([
        { code: 'waited', data: { for: 'place', ms: 10, callId: 'call_1', toolName: 'a' } },
      ])
      expect(textOfAll(recorded)).not.toContain('a secret key')
    },
  })

  const rated = observed()
  scenario('tells how long a call waited for its rate', {
    script: [{ toolCalls: [{ name: 'rated' }, { name: 'rated' }] }, 'Done.'],
    client: () => ({ observer: rated.make() }),
    tools: () => [tool({ name: 'rated', rateLimit: { calls: 1, perMs: 50 }, execute: () => 'ok' })],
    during: ({ clock }) => clock.advance(100),
    check() {
      const [first, second] = named(rated.recorded, 'tool rated')
      expect(first!.events).toEqual([])
      expect(second!.events).toEqual([
        { code: 'waited', message: 'Waited 50 ms for its rate.', data: { for: 'rate', ms: 50 } },
      ])
    },
  })

  for (const mode of ['call', 'stream'] as const)
    it(`tells an observation that takes them every event of the run, notices among them: ${mode}`, async () => {
      const told: string[] = []
      const noticed: string[] = []
      const observer: Observer = {
        start: (kind) => ({
          emitted: (event) => void told.push(`${kind} ${event.type}`),
          event: ({ code }) => void noticed.push(code),
        }),
      }
      const model = scriptedModel([{ toolCalls: [say('a')] }, { text: '' }])
      const run = ChatClient.create(model, { observer }).prompt('Go').tools(echo([]))[mode]()
      const events: string[] = []
      for await (const { type } of run) events.push(`client ${type}`)
      expect(told).toEqual(events.slice(0, -1))
      expect(told).toContain('client notice')
      expect(noticed).toEqual([])
    })

  const sending = observed(true)
  scenario('tells who asks for content what the model is sent, made valid', {
    script: ['Done.'],
    client: () => ({ observer: sendingTo(sending.make()) }),
    request: (client) =>
      client.prompt([
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: [{ type: 'tool-call', id: 'x', name: 'y', arguments: '{' }] },
        { role: 'user', content: 'On' },
      ]),
    check({ prompts }) {
      expect(sent).toEqual([prompts[0]!.messages])
      expect(sent[0]).toHaveLength(4)
    },
  })

  it('tells nobody else what the model is sent', async () => {
    sent = []
    const observer = sendingTo(recordingObserver())
    await ChatClient.create(scriptedModel(['Hi.']), { observer })
      .prompt('Go')
      .call()
      .content()
    expect(sent).toEqual([])
  })

  it('runs that interleave stay apart', async () => {
    const observer = recordingObserver()
    const client = ChatClient.create(
      scriptedModel([
        { toolCalls: [{ name: 'wait' }], delayMs: 5 },
        { toolCalls: [{ name: 'wait' }] },
        'A',
        'B',
      ]),
      { observer, tools: [tool({ name: 'wait', execute: () => Promise.resolve('ok') })] },
    )
    await Promise.all([client.prompt('Go').call().content(), client.prompt('Go').stream().result()])
    const shape = [
      'client scripted',
      '  advisor tool-calling',
      '    round 1',
      '      model scripted',
      '      tool wait',
      '    round 2',
      '      model scripted',
    ]
    expect(observer.outline()).toEqual([...shape, ...shape])
    for (const client of observer.observations) {
      const runs = flat([client]).map((each) => each.info.runId)
      expect(new Set(runs).size).toBe(1)
    }
  })

  it('a manager by hand observes its tools, under nothing', async () => {
    const observer = recordingObserver({ content: true })
    const manager = toolCallingManager({ observer })
    const model = scriptedModel([{ toolCalls: [say('a'), { name: 'boom' }] }])
    const prompt = { messages: [], options: { tools: [echo([]), boom] } }
    await manager.executeToolCalls(prompt, await model.call(prompt))
    expect(observer.outline()).toEqual(['tool echo', 'tool boom !'])
    expect(observer.observations[0]!.outcomes[0]).toMatchObject({ result: 'a' })
  })

  it('a client with a manager is observed by the manager’s observer', async () => {
    const observer = recordingObserver()
    const manager = toolCallingManager({ observer })
    await ChatClient.create(scriptedModel(['Hi.']), { manager })
      .prompt('Go')
      .call()
      .content()
    expect(observer.outline()[0]).toBe('client scripted')
  })

  it('gives durations of the clock', async () => {
    let now = 0
    const observer = recordingObserver()
    await ChatClient.create(scriptedModel(['Hi.']), {
      observer,
      clock: { now: () => now, monotonic: () => (now += 10), timer: () => () => {} },
    })
      .prompt('Go')
      .call()
      .content()
    const model = outcomeOf(observer, 'model scripted').durationMs
    const client = outcomeOf(observer, 'client scripted').durationMs
    expect(model).toBeGreaterThan(0)
    expect(client).toBeGreaterThan(model)
  })
})

describe('around', () => {
  for (const mode of ['call', 'stream'] as const) {
    for (const kind of ['folded', 'watching'] as const) {
      it(`makes the observation ambient for all that runs inside it (${mode}, ${kind})`, async () => {
        const ambient = new AsyncLocalStorage<string>()
        const recorder = recordingObserver()
        const observer: Observer = {
          start: (...started) => recorder.start(...started),
          around: (observation, run) => {
            const { kind, info } = observation as RecordedObservation
            return ambient.run(`${kind} ${info.name}`, run)
          },
        }
        const seen: string[] = []
        const look = (where: string): void =>
          void seen.push(`${where}: ${ambient.getStore() ?? 'nothing'}`)
        const inside: Advisor =
          kind === 'folded'
            ? advisor({
                name: 'in',
                order: ORDER.last,
                before: () => look('before'),
                after: () => look('after'),
              })
            : {
                name: 'in',
                order: ORDER.last,
                async advise(request, next) {
                  look('before')
                  const answer = await next({ ...request, emit: (event) => request.emit(event) })
                  look('after')
                  return answer
                },
              }
        const model = scriptedModel([
          () => (look('model'), { text: 'So. ', toolCalls: [{ name: 'a' }, { name: 'b' }] }),
          () => (look('model'), 'Done.'),
        ])
        const looking = (name: string): ToolSource =>
          tool({
            name,
            async execute() {
              await Promise.resolve()
              look(name)
            },
          })
        const request = ChatClient.create(model, { observer, advisors: [inside] })
          .prompt('Go')
          .tools(looking('a'), looking('b'))
        await ambient.run('the program', async () => {
          const run = mode === 'call' ? request.call() : request.stream()
          for await (const _event of run) look('reader')
        })
        const round = ['before: advisor in', 'model: model scripted', 'after: advisor in']
        expect(seen.filter((line) => !line.startsWith('reader'))).toEqual([
          ...round,
          'a: tool a',
          'b: tool b',
          ...round,
        ])
        const readers = seen.filter((line) => line.startsWith('reader'))
        expect(new Set(readers)).toEqual(new Set(['reader: the program']))
      })
    }
  }
})

describe('an observer that misbehaves', () => {
  const fail = (): never => {
    throw new Error('observer is broken, key sk-abcdefghijkl')
  }
  const forever = (): never => new Promise(() => {}) as never
  const ways: { readonly [way: string]: Observer } = {
    'throws at start': { start: fail },
    'throws at the end': { start: () => ({ end: fail }) },
    'throws at events': { start: () => ({ event: fail, end: fail }) },
    'throws around': { start: () => ({}), around: fail },
    'throws after running': {
      start: () => ({}),
      around: (_observation, run) => (run(), fail()),
    },
    'throws where its end is looked up': {
      start: () => ({
        get end() {
          return fail()
        },
      }),
    },
    'throws where it is asked about what is inside': {
      start: () => ({
        get inside() {
          return fail()
        },
      }),
    },
    'throws where it is asked whether it takes events': {
      start: () => ({
        get emitted() {
          return fail()
        },
      }),
    },
    'throws at everything that is looked up': {
      start: () => new Proxy({}, { get: fail }),
      around: (_observation, run) => run(),
    },
    'rejects later': { start: () => ({ end: async () => fail() }) as never },
    'never answers': {
      start: () => ({ end: forever, event: forever, emitted: forever }),
      around: (_observation, run) => (run(), forever()),
    },
    'never runs what it should': { start: () => ({}), around: (() => {}) as never },
    'runs it twice': { start: () => ({}), around: (_observation, run) => (run(), run()) },
    'runs it later': {
      start: () => ({}),
      around: (async (_observation: unknown, run: () => unknown) => {
        await Promise.resolve()
        return run()
      }) as never,
    },
    'returns nothing': { start: () => {} },
    'returns nonsense': { start: () => 'nonsense' as never },
  }
  const noticing = Object.keys(ways).filter((way) => /throws|rejects/.test(way))

  for (const [way, observer] of Object.entries(ways)) {
    const check = ({ result, log, events }: Outcome): void => {
      expect(result.status).toBe('done')
      expect(log).toEqual(['a', 'b'])
      const notices = eventsOf(events, 'notice')
      expect(notices.map(({ code }) => code)).toEqual(
        noticing.includes(way) ? ['observer-failed'] : [],
      )
      for (const { message } of notices) expect(message).not.toContain('abcdefghijkl')
    }
    scenario(`${way}: the run is the same`, {
      script: [{ toolCalls: [say('a'), say('b')] }, 'Done.'],
      client: () => ({ observer }),
      tools: ({ log }) => [echo(log)],
      check,
    })
  }

  scenario('empties the events it is told of: the readers get them whole', {
    script: [{ toolCalls: [say('a')] }, 'Done.'],
    client: () => ({
      observer: {
        start: () => ({
          emitted(event: object) {
            for (const key of Object.keys(event)) Reflect.deleteProperty(event, key)
          },
        }),
      },
    }),
    tools: ({ log }) => [echo(log)],
    check({ events }) {
      expect(events.filter(({ type }) => type === undefined)).toEqual([])
      expect(eventsOf(events, 'tool-result')).toMatchObject([{ response: { content: 'a' } }])
    },
  })

  const odd = observed()
  for (const pending of ['nonsense', [undefined]])
    scenario(`an advisor returns ${JSON.stringify(pending)} as pending: the run is the same`, {
      script: ['Done.'],
      client: () => ({
        observer: odd.make(),
        advisors: [
          {
            name: 'odd',
            order: ORDER.first,
            advise: async (request, next) => ({
              ...(await next(request)),
              pending: pending as never,
            }),
          },
        ],
      }),
      check({ result }) {
        expect(result.response.results[0]!.message.content).toBe('Done.')
        expectAllEnded(odd.recorded)
      },
    })

  scenario('a run that fails, fails as it would without', {
    script: [{ error: new RangeError('gone') }],
    client: () => ({
      observer: {
        start: () => ({}),
        around: (async (_o: unknown, run: () => unknown) => run()) as never,
      },
    }),
    check: ({ error }) => void expect(error).toEqual(new RangeError('gone')),
  })
})

const textOfAll = ({ observations }: RecordingObserver): string =>
  JSON.stringify(
    flat(observations).map(({ info: { parent: _, ...info }, outcomes }) => [info, outcomes]),
  )
