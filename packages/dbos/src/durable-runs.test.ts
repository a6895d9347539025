/** Durable runs on a real PostgreSQL, in one process. What crashes do is in lives.matrix.test.ts and in test/durable. */
import { describe, expect, it as test } from 'vitest'
import { ChatClient, tool, toolCallingManager, type ChatEvent } from 'toolwright'
import { NO_POSTGRES } from '../../../test/postgres/postgres-server.ts'
import { durableRuns, type DurableRun } from './index.ts'
import { durableStage } from './testing/durable-stage.ts'
import { roundModel, type Said } from './testing/round-model.ts'

const it = test.skipIf(NO_POSTGRES[0])
const stage = durableStage()

const add = tool({
  name: 'add',
  description: 'Add two numbers',
  effect: 'keyed',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  } as const,
  execute: ({ a, b }) => a + b,
})
const refund = tool({
  name: 'refund',
  description: 'Refund an order',
  approval: true,
  input: {
    type: 'object',
    properties: { order: { type: 'number' } },
    required: ['order'],
  } as const,
  execute: ({ order }, context) => ({ order, by: context.values['user'] ?? 'nobody' }),
})

const ADDING: readonly Said[] = [
  [
    ['add', { a: 1, b: 2 }],
    ['add', { a: 3, b: 4 }],
  ],
  'The sums are 3 and 7.',
]
const REFUNDING: readonly Said[] = [[['refund', { order: 7 }]], 'It is done.']
const clientOf = (said: readonly Said[]): ChatClient =>
  ChatClient.create(roundModel(said), { tools: [add, refund] })

async function eventsOf(run: DurableRun, skip = 0): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of run.events({ skip })) events.push(event)
  return events
}
const typesOf = (events: readonly ChatEvent[]): readonly string[] => events.map(({ type }) => type)
const textIn = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error: { readonly code?: string }) => error.code ?? error,
  )

describe('a run', () => {
  it('is answered, and tells everything once, to readers that come early, late or again', async () => {
    const durable = await stage.open({ sums: clientOf(ADDING) })
    const run = await durable.start('sums', { prompt: 'Add.' })
    const early = eventsOf(run)
    const result = await run.result()
    expect(result).toMatchObject({ status: 'done' })
    expect(result.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
    const late = await eventsOf(await durable.attach(run.runId))
    expect(await early).toEqual(late)
    expect(textIn(late)).toBe('The sums are 3 and 7.')
    expect(typesOf(late).filter((type) => type === 'tool-result')).toHaveLength(2)
    expect(typesOf(late).at(-1)).toBe('response')
    expect(await eventsOf(run, late.length - 2)).toEqual(late.slice(-2))
  })

  it('gives the same answer without streaming, and has no deltas then', async () => {
    const durable = await stage.open({ sums: clientOf(ADDING) })
    const run = await durable.start('sums', { prompt: 'Add.', stream: false })
    const streamed = await durable.start('sums', { prompt: 'Add.' })
    const [called, read] = [await run.result(), await streamed.result()]
    expect(called.messages).toEqual(read.messages)
    const [ofCall, ofStream] = [await eventsOf(run), await eventsOf(streamed)]
    const complete = (events: readonly ChatEvent[]): readonly string[] =>
      typesOf(events.filter(({ type }) => type !== 'text-delta')).toSorted()
    expect(complete(ofCall)).toEqual(complete(ofStream))
    expect(textIn(ofCall)).toBe('')
  })

  it('may be asked with characters that PostgreSQL does not keep', async () => {
    const durable = await stage.open({ sums: clientOf(ADDING) })
    const prompt = 'Add \u0000 and \ud800.'
    const run = await durable.start('sums', { prompt, options: { toolNames: [] } })
    expect((await run.result()).messages[0]).toMatchObject({ content: prompt })
  })

  it('that fails says why', async () => {
    const model = roundModel(['never'], () => {
      throw new Error('no such planet')
    })
    const durable = await stage.open({ broken: ChatClient.create(model) })
    const run = await durable.start('broken', { prompt: 'Hello?' })
    await expect(run.result()).rejects.toMatchObject({
      code: 'durable-failed',
      runId: run.runId,
      message: expect.stringContaining('no such planet') as string,
    })
    const { runs } = await durable.list({ status: 'failed' })
    expect(runs.find(({ runId }) => runId === run.runId)?.error?.message).toContain(
      'no such planet',
    )
  })

  it('whose step is too large for its record fails and names the step', async () => {
    const durable = await stage.open(
      { long: ChatClient.create(roundModel(['x'.repeat(1_100_000)])) },
      { stepBytes: 1024 * 1024 },
    )
    const run = await durable.start('long', { prompt: 'Write.' })
    await expect(run.result()).rejects.toMatchObject({
      code: 'durable-failed',
      cause: { code: 'step-too-large', message: expect.stringContaining('model') as string },
    })
  })
})

describe('the result of a tool', () => {
  it('is cut, and what its undo would need is left out, before it costs the run', async () => {
    const dump = tool({
      name: 'dump',
      description: 'Dump',
      effect: 'keyed',
      execute: () => '\u0001'.repeat(500_000),
      undo: () => {},
    })
    const model = roundModel([[['dump', {}]], 'Done.'])
    const clients = { dumps: ChatClient.create(model, { tools: [dump] }) }
    const durable = await stage.open(clients, { stepBytes: 1024 * 1024 })
    const run = await durable.start('dumps', { prompt: 'Dump.', stream: false })
    expect((await run.result()).status).toBe('done')
    await stage.sql(`update toolwright.runs set status = 'limit' where run_id = $1`, [run.runId])
    expect((await run.cancel({ undo: true })).notUndone).toMatchObject([
      { toolName: 'dump', reason: expect.stringContaining('too large') as string },
    ])
  })
})

describe('a run that waits', () => {
  it('is listed, decided once, and goes on with the context it was started with', async () => {
    const durable = await stage.open({ support: clientOf(REFUNDING) })
    const run = await durable.start('support', {
      prompt: 'Refund order 7.',
      conversation: { tenant: 't', conversation: 'c' },
      toolContext: { user: 'ada' },
    })
    const waiting = await run.result()
    expect(waiting.status).toBe('suspended')
    const { runs } = await durable.list({ status: 'suspended', client: 'support' })
    expect(runs.find(({ runId }) => runId === run.runId)).toMatchObject({
      conversation: { tenant: 't', conversation: 'c' },
      pending: [{ callId: 'call_1_1', toolName: 'refund', input: { order: 7 }, kind: 'approval' }],
    })
    const decided = await durable.decide(run.runId, { call_1_1: 'approve' })
    const done = await decided.result()
    expect(done).toMatchObject({ status: 'done' })
    expect(JSON.stringify(done.messages)).toContain('ada')
    expect(await codeOf(durable.decide(run.runId, { call_1_1: 'approve' }))).toBe(
      'durable-not-waiting',
    )
    const types = typesOf(await eventsOf(run))
    expect(types.filter((type) => type === 'suspended')).toHaveLength(1)
    expect(types.filter((type) => type === 'response')).toHaveLength(2)
  })

  it('has one winner among decisions that race', async () => {
    const durable = await stage.open({ support: clientOf(REFUNDING) })
    const run = await durable.start('support', { prompt: 'Refund.' })
    await run.result()
    const racing = Array.from({ length: 20 }, (_, index) =>
      codeOf(durable.decide(run.runId, { call_1_1: index % 2 ? 'approve' : { deny: 'no' } })),
    )
    const codes = await Promise.all(racing)
    expect(codes.filter((code) => code === 'resolved')).toHaveLength(1)
    expect(codes.filter((code) => code === 'durable-not-waiting')).toHaveLength(19)
    const { messages } = await (await durable.attach(run.runId)).result()
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(1)
  })

  it('waits on after a decision that is refused, and says why', async () => {
    const durable = await stage.open({ support: clientOf(REFUNDING) })
    const run = await durable.start('support', { prompt: 'Refund.' })
    await run.result()
    expect(await codeOf(durable.decide(run.runId, { other: 'approve' }))).toBe(
      'decision-unknown-call',
    )
    expect(await codeOf(durable.decide(run.runId, { call_1_1: { answer: 1 } }))).toBe(
      'decision-wrong-kind',
    )
    expect(await codeOf(durable.decide(run.runId, { call_1_1: { edit: { order: 'x' } } }))).toBe(
      'decision-invalid-edit',
    )
    expect((await run.result()).status).toBe('suspended')
    const edited = await durable.decide(run.runId, { call_1_1: { edit: { order: 8 } } })
    expect(JSON.stringify((await edited.result()).messages)).toContain('\\"order\\":8')
  })

  it('takes the result of a tool that returns nothing, and refuses what has no JSON form', async () => {
    const mail = tool({ name: 'mail', description: 'Mail' })
    const model = roundModel([[['mail', {}]], 'Done.'])
    const durable = await stage.open({ mail: ChatClient.create(model, { tools: [mail] }) })
    const run = await durable.start('mail', { prompt: 'Mail.' })
    expect((await run.result()).pending).toMatchObject([{ kind: 'result' }])
    const date = durable.decide(run.runId, { call_1_1: { result: new Date() as never } })
    await expect(date).rejects.toMatchObject({
      code: 'durable-input',
      message: 'decisions.call_1_1.result is a Date, which is no JSON. Give plain JSON.',
    })
    const decided = await durable.decide(run.runId, { call_1_1: { result: undefined } })
    expect((await decided.result()).status).toBe('done')
  })

  it('waits on when the policy refuses an edit that looked right', async () => {
    const client = clientOf(REFUNDING).with({
      policy: ({ input }) =>
        (input as { order: number }).order === 9 ? { deny: 'not nine' } : 'allow',
    })
    const durable = await stage.open({ support: client })
    const run = await durable.start('support', { prompt: 'Refund.' })
    await run.result()
    const refused = await durable.decide(run.runId, { call_1_1: { edit: { order: 9 } } })
    await expect(refused.result()).rejects.toMatchObject({
      code: 'decision-invalid-edit',
      message: expect.stringContaining('not nine') as string,
    })
    expect((await run.result()).status).toBe('suspended')
    const { runs } = await durable.list({ status: 'suspended' })
    expect(runs.find(({ runId }) => runId === run.runId)?.pending).toMatchObject([
      { callId: 'call_1_1', kind: 'approval' },
    ])
    const again = await durable.decide(run.runId, { call_1_1: 'approve' })
    expect((await again.result()).status).toBe('done')
  })
})

describe('one run id', () => {
  it('is one run: started again with the same input it is given, with another it is refused', async () => {
    const model = roundModel(ADDING)
    const durable = await stage.open({ sums: ChatClient.create(model, { tools: [add] }) })
    const started = await Promise.all(
      Array.from({ length: 10 }, () => durable.start('sums', { prompt: 'Add.' }, { runId: 'one' })),
    )
    const results = await Promise.all(started.map((run) => run.result()))
    expect(new Set(results.map(({ messages }) => JSON.stringify(messages))).size).toBe(1)
    expect(model.asked).toBe(2)
    const asked = (toolContext: object): Promise<unknown> =>
      codeOf(durable.start('sums', { prompt: 'Add.', toolContext } as never, { runId: 'two' }))
    expect(await asked({ a: 1, b: { c: 2, d: 3 } })).toBe('resolved')
    expect(await asked({ b: { d: 3, c: 2 }, a: 1 })).toBe('resolved')
    expect(await asked({ b: { d: 3, c: 2 }, a: 2 })).toBe('durable-run-taken')
    expect(await codeOf(durable.start('sums', { prompt: 'Other.' }, { runId: 'one' }))).toBe(
      'durable-run-taken',
    )
    const spelled = { prompt: 'Add.', stream: true, options: {}, params: {}, toolContext: {} }
    expect((await durable.start('sums', spelled, { runId: 'one' })).runId).toBe('one')
  })
})

describe('cancel', () => {
  it('ends a run that runs; its tool is told, and no step begins any more', async () => {
    let aborted = false
    const started = deferred()
    const slow = tool({
      name: 'slow',
      description: 'Takes its time',
      effect: 'keyed',
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          started.resolve(undefined)
          signal.addEventListener('abort', () => ((aborted = true), reject(new Error('told'))))
        }),
    })
    const model = roundModel([[['slow', {}]], 'Done.'])
    const durable = await stage.open({ slow: ChatClient.create(model, { tools: [slow] }) })
    const run = await durable.start('slow', { prompt: 'Go.' })
    await started.promise
    expect(await run.cancel()).toEqual({ cancelled: true, undone: [], notUndone: [] })
    expect(await codeOf(run.result())).toBe('durable-cancelled')
    expect(await run.cancel()).toMatchObject({ cancelled: false })
    await expect.poll(() => aborted).toBe(true)
    expect(model.asked).toBe(1)
  })

  it('tells the tool of the cancelled run only, if a worker took several at once', async () => {
    const started: string[] = []
    const told: unknown[] = []
    const slow = tool({
      name: 'slow',
      description: 'Takes its time',
      effect: 'keyed',
      execute: (_input, { signal, values }) =>
        new Promise((_resolve, reject) => {
          const which = values['which'] as string
          started.push(which)
          signal.addEventListener('abort', () => (told.push(which), reject(new Error('told'))))
        }),
    })
    const clients = {
      slow: ChatClient.create(roundModel([[['slow', {}]], 'Done.']), { tools: [slow] }),
    }
    // Both wait in the queue when the worker comes.
    const starter = await stage.open(clients, { concurrency: 0 })
    const [one, other] = await Promise.all(
      ['one', 'other'].map((which) =>
        starter.start('slow', { prompt: 'Go.', toolContext: { which } }),
      ),
    )
    await starter.close()
    const durable = await stage.open(clients)
    const patience = { timeout: 20_000 }
    await expect.poll(() => started.toSorted(), patience).toEqual(['one', 'other'])
    await durable.cancel(one!.runId)
    await expect.poll(() => told, patience).toEqual(['one'])
    await durable.cancel(other!.runId)
    await expect.poll(() => told, patience).toEqual(['one', 'other'])
  })

  it('undoes a run that failed, too; what was too large to be kept is reported', async () => {
    const undone: unknown[] = []
    const book = tool({
      name: 'book',
      description: 'Book',
      effect: 'keyed',
      input: {
        type: 'object',
        properties: { size: { type: 'number' } },
        required: ['size'],
      } as const,
      execute: ({ size }) => ({ size, pages: 'x'.repeat(size) }),
      undo: (_input, result) => void undone.push((result as { size: number }).size),
    })
    const model = roundModel(
      [[['book', { size: 1 }]], [['book', { size: 40_000_000 }]], 'Done.'],
      (round) => {
        if (round === 3) throw new Error('no more')
      },
    )
    const durable = await stage.open({ travel: ChatClient.create(model, { tools: [book] }) })
    const run = await durable.start('travel', { prompt: 'Book.', stream: false })
    expect(await codeOf(run.result())).toBe('durable-failed')
    expect(await run.cancel({ undo: true })).toEqual({
      cancelled: false,
      undone: [{ callId: 'call_1_1', toolName: 'book' }],
      notUndone: [
        {
          callId: 'call_2_1',
          toolName: 'book',
          reason: expect.stringContaining('too large') as string,
        },
      ],
    })
    expect(undone).toEqual([1])
  })

  it('undoes what finished, newest first, each once, and says what it could not undo', async () => {
    const undone: unknown[] = []
    const book = (name: string, more: object = {}) =>
      tool({
        name,
        description: 'Book something',
        input: {
          type: 'object',
          properties: { what: { type: 'string' } },
          required: ['what'],
        } as const,
        execute: ({ what }) => ({ number: `${name}-${what}` }),
        ...more,
      })
    const flight = book('flight', {
      undo: (input: unknown, result: unknown) => void undone.push([input, result]),
    })
    const hotel = book('hotel', {
      effect: 'keyed',
      undo: (input: unknown, result: unknown, context: { idempotencyKey: string }) =>
        void undone.push([input, result, context.idempotencyKey]),
    })
    const car = book('car')
    const taxi = book('taxi', { undo: () => Promise.reject(new Error('gone')) })
    const client = ChatClient.create(
      roundModel([
        [['flight', { what: 'a' }]],
        [['hotel', { what: 'b' }], ['car', { what: 'c' }], ['taxi', { what: 'd' }]],
        [['refund', { order: 1 }]],
        'Done.',
      ]),
      { tools: [flight, hotel, car, taxi, refund] },
    ) // prettier-ignore
    const durable = await stage.open({ travel: client })
    const run = await durable.start('travel', { prompt: 'Book.' })
    expect((await run.result()).status).toBe('suspended')
    const report = await durable.cancel(run.runId, { undo: true })
    expect(report).toEqual({
      cancelled: true,
      undone: [
        { callId: 'call_2_1', toolName: 'hotel' },
        { callId: 'call_1_1', toolName: 'flight' },
      ],
      notUndone: [
        { callId: 'call_2_3', toolName: 'taxi', reason: expect.stringContaining('gone') as string },
        {
          callId: 'call_2_2',
          toolName: 'car',
          reason: expect.stringContaining('no undo') as string,
        },
      ],
    })
    expect(undone).toEqual([
      [{ what: 'b' }, { number: 'hotel-b' }, `${run.runId}/call_2_1`],
      [{ what: 'a' }, { number: 'flight-a' }],
    ])
    expect(await durable.cancel(run.runId, { undo: true })).toEqual({ ...report, cancelled: false })
    expect(undone).toHaveLength(2)
  })
})

describe('what is asked wrongly', () => {
  it('is refused with a code that says what to do', async () => {
    const durable = await stage.open({ sums: clientOf(ADDING) })
    const start = (input: object, options?: object, client = 'sums'): Promise<unknown> =>
      codeOf(durable.start(client, input as never, options as never))
    expect(await start({ prompt: 'x' }, {}, 'sum')).toBe('durable-client')
    expect(await start({ prompt: 'x', toolContext: { db: () => 1 } })).toBe('durable-input')
    expect(await start({ prompt: 'x', toolContext: { at: new Date() } })).toBe('durable-input')
    expect(await start({ prompt: 'x', toolContext: { n: 1n } })).toBe('durable-input')
    expect(await start({ prompt: 'x', toolContext: { n: NaN } })).toBe('durable-input')
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(await start({ prompt: 'x', toolContext: circle })).toBe('durable-input')
    expect(await start({ prompt: 'x', tools: [] })).toBe('unknown-option')
    expect(await start({ prompt: 'x', conversation: '' })).toBe('missing-conversation-id')
    expect(await start({})).toBe('invalid-message')
    expect(await start({ prompt: [] })).toBe('invalid-message')
    expect(await start({ prompt: [{ role: 'developer', content: 'x' }] })).toBe('invalid-message')
    expect(await start({ prompt: 'x', options: { toolNames: ['nope'] } }, { runId: 'free' })).toBe(
      'unknown-tool-name',
    )
    expect(await start({ prompt: 'x' }, { runId: 'free' })).toBe('resolved')
    expect(await start({ prompt: 'x', params: null })).toBe('invalid-option')
    expect(await start({ prompt: 'x', options: { temprature: 1 } })).toBe('unknown-option')
    await expect(
      durable.start('sums', { prompt: 'x', options: { tools: [] } as never }),
    ).rejects.toMatchObject({
      code: 'unknown-option',
      message: expect.stringContaining('"tools": tools are those of the client') as string,
    })
    expect(await start({ prompt: 'x' }, { runId: 'a/b' })).toBe('invalid-option')
    expect(await start({ prompt: 'x' }, { run: 'a' })).toBe('unknown-option')
    expect(await codeOf(durable.attach('nobody'))).toBe('durable-unknown-run')
    expect(await codeOf(durable.decide('nobody', {}))).toBe('durable-unknown-run')
    expect(await codeOf(durable.cancel('nobody'))).toBe('durable-unknown-run')
    for (const id of ['a\0b', '\ud800', '', 'x'.repeat(100_000), 7 as never, undefined as never])
      expect(await codeOf(durable.attach(id))).toBe('durable-unknown-run')
    expect(await codeOf(durable.list({ limit: 0 }))).toBe('invalid-option')
    expect(await codeOf(durable.list({ status: 'lost' as never }))).toBe('invalid-option')
    expect(await codeOf(durable.list({ cursor: 'x' }))).toBe('invalid-option')
    const { url } = stage.server
    const clients = { sums: clientOf(ADDING) }
    expect(await codeOf(durableRuns({ url, clients }))).toBe('durable-already-open')
    const run = await durable.start('sums', { prompt: 'Add.' })
    await run.result()
    await durable.close()
    expect(await codeOf(eventsOf(run))).toBe('durable-closed')
    expect(await codeOf(run.result())).toBe('durable-closed')
    expect(await codeOf(run.cancel())).toBe('durable-closed')
    expect(await codeOf(durable.list())).toBe('durable-closed')
    expect(await codeOf(durableRuns({ url: 'file:x', clients }))).toBe('invalid-option')
    expect(await codeOf(durableRuns({ url, clients: {} }))).toBe('durable-client')
    expect(await codeOf(durableRuns({ url, clients, heartbeat: 1 } as never))).toBe(
      'unknown-option',
    )
    expect(await codeOf(durableRuns({ url, clients, executorId: 'local' }))).toBe('invalid-option')
    expect(await codeOf(durableRuns({ url, clients, stepBytes: 50_000 }))).toBe('invalid-option')
    const own = ChatClient.create(roundModel(['x']), { manager: toolCallingManager() })
    expect(await codeOf(durableRuns({ url, clients: { own } }))).toBe('durable-client')
    const down = durableRuns({ url: 'postgres://nobody@127.0.0.1:1/none', clients })
    expect(await codeOf(down)).toBe('database-unreachable')
    const noBase = durableRuns({ url: url.replace(/postgres$/, 'nowhere'), clients })
    expect(await codeOf(noBase)).toBe('database-refused')
  })

  it('leaves the list in pages', async () => {
    const durable = await stage.open({ paged: ChatClient.create(roundModel(['Hi.'])) })
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => durable.start('paged', { prompt: 'x' })),
    )
    await Promise.all(runs.map((run) => run.result()))
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await durable.list({ client: 'paged', limit: 2, ...(cursor && { cursor }) })
      found.push(...page.runs.map(({ runId }) => runId))
      ;({ cursor } = page)
    } while (cursor !== undefined)
    expect(found.toSorted()).toEqual(runs.map(({ runId }) => runId).toSorted())
  })
})

function deferred(): { readonly promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve!: (value: unknown) => void
  const promise = new Promise((done) => (resolve = done))
  return { promise, resolve }
}
