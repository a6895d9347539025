/** Runs that live in more than one worker: left, taken over, cut off, blocked, and through restarts of PostgreSQL. */
import { describe, expect, it as test } from 'vitest'
import pg from 'pg'
import {
  advisor,
  ChatClient,
  clientTool,
  tool,
  toolRunOf,
  type ChatEvent,
  type Json,
  type NestedOutcome,
  type ToolCallback,
} from 'toolwright'
import { NO_POSTGRES } from '../../../test/postgres/postgres-server.ts'
import type { DurableRun, DurableRuns, DurableRunsOptions } from './index.ts'
import { durableStage } from './testing/durable-stage.ts'
import { gate } from './testing/gate.ts'
import { roundModel } from './testing/round-model.ts'

const it = test.skipIf(NO_POSTGRES[0])
const stage = durableStage()

/** A tool that waits in its first life, and what it did in all lives. */
function heldTool(effect: 'keyed' | 'once') {
  const held = gate()
  const did: string[] = []
  let lives = 0
  const pay = tool({
    name: 'pay',
    description: 'Pay a bill',
    effect,
    async execute(_input, { idempotencyKey }) {
      did.push(idempotencyKey)
      if (lives++ === 0) await held.wait()
      return 'paid'
    },
  })
  const client = ChatClient.create(roundModel([[['pay', {}]], 'Done.']), { tools: [pay] })
  return { held, did, client }
}

/** Starts a run, and leaves it in the middle of its tool. */
async function leftInTool(
  effect: 'keyed' | 'once',
  options?: Partial<DurableRunsOptions>,
): Promise<ReturnType<typeof heldTool> & { readonly run: DurableRun; readonly runId: string }> {
  const parts = heldTool(effect)
  const first = await stage.open({ bills: parts.client }, options)
  const { runId } = await first.start('bills', { prompt: 'Pay.' })
  await parts.held.reached
  await first.close()
  const second = await stage.open({ bills: parts.client }, options)
  return { ...parts, runId, run: await second.attach(runId) }
}

const PENDING = { callId: 'call_1_1', toolName: 'pay', kind: 'unknown-outcome' }

describe('a worker that leaves in the middle of a tool', () => {
  it('leaves the run to another, which runs a keyed tool again under the same key', async () => {
    const { run, did } = await leftInTool('keyed')
    expect((await run.result()).status).toBe('done')
    expect(did).toHaveLength(2)
    expect(new Set(did).size).toBe(1)
  })

  it('leaves a run that it is about to begin', async () => {
    const held = gate()
    let times = 0
    const note = tool({ name: 'note', description: 'Note', execute: () => 'noted' })
    const tools = { toolCallbacks: async () => (times++ === 0 && (await held.wait()), [note]) }
    const model = roundModel(['Done.'])
    const clients = { notes: ChatClient.create(model, { tools: [tools] }) }
    const first = await stage.open(clients)
    const { runId } = await first.start('notes', { prompt: 'Go.' })
    await held.reached
    const closing = first.close()
    held.open()
    await closing
    expect(model.asked).toBe(0)
    const second = await stage.open(clients)
    expect((await (await second.attach(runId)).result()).status).toBe('done')
  })

  it('leaves a call whose outcome nobody knows, which waits to be decided', async () => {
    const { run, runId, did } = await leftInTool('once')
    const waiting = await run.result()
    expect(waiting).toMatchObject({ status: 'suspended', pending: [PENDING] })
    expect(did).toHaveLength(1)
    expect(runId).toBe(run.runId)
  })

  it.each([
    { name: 'retry', decision: 'retry' as const, said: 'paid', times: 2 },
    { name: 'a result', decision: { result: 'I looked' }, said: 'I looked', times: 1 },
    { name: 'a result of nothing', decision: { result: undefined }, said: 'Done', times: 1 },
    { name: 'a denial', decision: { deny: 'leave it' }, said: 'leave it', times: 1 },
  ])('and $name decides it', async ({ decision, said, times }) => {
    const parts = heldTool('once')
    const first = await stage.open({ bills: parts.client })
    const { runId } = await first.start('bills', { prompt: 'Pay.' })
    await parts.held.reached
    await first.close()
    const second = await stage.open({ bills: parts.client })
    await (await second.attach(runId)).result()
    const done = await (await second.decide(runId, { call_1_1: decision })).result()
    expect(done.status).toBe('done')
    expect(JSON.stringify(done.messages)).toContain(said)
    expect(parts.did).toHaveLength(times)
  })

  it('fails the run, or tells the model, if that was asked for', async () => {
    const failing = await leftInTool('once', { onUnknownOutcome: 'fail' })
    await expect(failing.run.result()).rejects.toMatchObject({
      code: 'durable-failed',
      cause: { code: 'unknown-outcome' },
    })
    expect(await failing.run.cancel({ undo: true })).toMatchObject({
      notUndone: [{ callId: 'call_1_1', reason: expect.stringContaining('was cut off') as string }],
    })
    const { run, did } = await leftInSecond(() =>
      leftInTool('once', { onUnknownOutcome: 'tell-model' }),
    )
    const { status, messages } = await run.result()
    expect(status).toBe('done')
    expect(JSON.stringify(messages.at(-2))).toContain('isError')
    expect(did).toHaveLength(1)
  })
})

describe('a worker that leaves while a tool of a tool runs', () => {
  /** What was told of calls, each once, with the call that made it. */
  const toldIn = async (run: DurableRun): Promise<readonly string[]> => {
    const told: string[] = []
    for await (const event of run.events())
      if (event.type === 'tool-result' || (event.type === 'tool-call' && event.parentCallId))
        told.push(`${event.type} ${event.toolCall.id} in ${event.parentCallId ?? 'the run'}`)
    return told
  }
  const somebodyWaits = (how: string): Promise<void> =>
    expect
      .poll(() => stage.sql(`select 1 from pg_stat_activity where ${how}`), { timeout: 20_000 })
      .not.toEqual([])
  /** `held` waits in its first life only. */
  const parts = (effect: 'keyed' | 'once') => {
    const waits = gate()
    const did: string[] = []
    let lives = 0
    const pay = tool({
      name: 'pay',
      description: 'Pay a bill',
      effect,
      async execute(_input, { idempotencyKey, callId }) {
        did.push(idempotencyKey)
        if (callId.endsWith('1') && lives++ === 0) await waits.wait()
        return `paid ${callId}`
      },
    }) as ToolCallback
    return { waits, did, pay }
  }
  const program = (pay: ToolCallback): ToolCallback =>
    tool({
      name: 'program',
      description: 'Pay all bills',
      composite: { tools: [pay] },
      async execute(_input, context) {
        const run = toolRunOf(context)
        const outcomes = await Promise.all(
          [0, 1, 2].map((index) => run.call({ index, name: 'pay', arguments: {} })),
        )
        const last = await run.call({ index: 3, name: 'pay', arguments: {} })
        return outcomes.concat(last).some((each) => 'pending' in each)
          ? run.suspend(null)
          : 'all paid'
      },
    })
  const expert = (pay: ToolCallback): ToolCallback => {
    const calls = [['pay', {}]] as const
    const inner = ChatClient.create(roundModel([calls, calls, 'All paid.']), {
      tools: [pay],
      stateSecret: 'a secret of all workers',
    })
    return clientTool(inner, { name: 'program', description: 'Pays' }) as ToolCallback
  }
  const left = async (client: ChatClient, waits: ReturnType<typeof gate>) => {
    const first = await stage.open({ bills: client })
    const { runId } = await first.start('bills', { prompt: 'Pay.' })
    await waits.reached
    await first.close()
    const second = await stage.open({ bills: client })
    return { second, runId, run: await second.attach(runId) }
  }

  it('leaves it to another, which goes on with the call that was cut off', async () => {
    const { waits, did, pay } = parts('keyed')
    const client = ChatClient.create(roundModel([[['program', {}]], 'Done.']), {
      tools: [program(pay)],
    })
    const { run } = await left(client, waits)
    expect((await run.result()).status).toBe('done')
    // Others may have been cut off before their records were there; each has one key in all lives.
    expect(did.filter((key) => key.endsWith('call_1_1/1'))).toHaveLength(2)
    expect(new Set(did).size).toBe(4)
    const told = await toldIn(run)
    expect(told.toSorted()).toEqual(
      [
        ...[0, 1, 2, 3].flatMap((n) => `tool-call call_1_1/${n} in call_1_1`),
        ...[0, 1, 2, 3].flatMap((n) => `tool-result call_1_1/${n} in call_1_1`),
        'tool-result call_1_1 in the run',
      ].sort(),
    )
  })

  it('leaves a step whose record is still looked for as one that nobody has begun', async () => {
    const waits = gate()
    let lives = 0
    const slow = tool({
      name: 'program',
      description: 'Pay one bill',
      composite: { tools: [parts('keyed').pay] },
      async execute(_input, context) {
        if (lives++ === 0) await waits.wait()
        await toolRunOf(context).call({ index: 0, name: 'pay', arguments: {} })
        return 'paid'
      },
    })
    const client = ChatClient.create(roundModel([[['program', {}]], 'Done.']), { tools: [slow] })
    const first = await stage.open({ bills: client })
    const { runId } = await first.start('bills', { prompt: 'Pay.' })
    await waits.reached
    // Its farewell takes long, so that what DBOS still does meanwhile has the time to be recorded.
    await stage.sql(`create function toolwright.farewell() returns trigger language plpgsql as
      $$ begin perform pg_sleep(1); return new; end $$`)
    await stage.sql(`create trigger farewell before update on toolwright.workers for each row
      when (new.stopped) execute function toolwright.farewell()`)
    const blocker = new pg.Client({ connectionString: stage.server.url })
    await blocker.connect()
    await blocker.query('begin; lock table dbos.operation_outputs in access exclusive mode')
    waits.open()
    await somebodyWaits(`wait_event_type = 'Lock'`)
    const closing = first.close()
    await somebodyWaits(`wait_event = 'PgSleep'`)
    await blocker.end()
    await closing
    await stage.sql('drop function toolwright.farewell cascade')
    const second = await stage.open({ bills: client })
    expect((await (await second.attach(runId)).result()).status).toBe('done')
  })

  it('leaves a call whose outcome nobody knows, which is decided under its own id', async () => {
    const { waits, did, pay } = parts('once')
    const inTurn = tool({
      name: 'program',
      description: 'Pay bills in turn',
      composite: { tools: [pay] },
      async execute(_input, context) {
        const run = toolRunOf(context)
        const kept = structuredClone(run.journal ?? []) as unknown as NestedOutcome[]
        for (const index of [0, 1, 2]) {
          const outcome = kept[index] ?? (await run.call({ index, name: 'pay', arguments: {} }))
          if ('pending' in outcome) run.suspend(kept as unknown as Json)
          kept[index] = outcome
        }
        return 'all paid'
      },
    })
    const client = ChatClient.create(roundModel([[['program', {}]], 'Done.']), { tools: [inTurn] })
    const { second, runId, run } = await left(client, waits)
    const callId = 'call_1_1/1'
    expect((await run.result()).pending).toMatchObject([
      { callId, parentCallId: 'call_1_1', kind: 'unknown-outcome' },
    ])
    await expect(second.decide(runId, { [callId]: 'approve' })).rejects.toMatchObject({
      code: 'decision-wrong-kind',
    })
    const done = await (await second.decide(runId, { [callId]: { result: 'I looked' } })).result()
    expect(done.status).toBe('done')
    expect(did.map((key) => key.split('/').at(-1))).toEqual(['0', '1', '2'])
  })

  it('leaves a client that is a tool, whose run goes on in another worker', async () => {
    const { waits, did, pay } = parts('keyed')
    const client = ChatClient.create(roundModel([[['program', { prompt: 'Pay' }]], 'Done.']), {
      tools: [expert(pay)],
    })
    const { run } = await left(client, waits)
    expect((await run.result()).status).toBe('done')
    // The first call of the inner run was cut off, and runs again under the same key.
    expect(did).toHaveLength(3)
    expect(new Set(did).size).toBe(2)
    expect(new Set(await toldIn(run)).size).toBe((await toldIn(run)).length)
  })

  it('lists calls that tools made among what is not undone', async () => {
    const undone: string[] = []
    const book = tool({
      name: 'pay',
      description: 'Book',
      execute: () => 'booked',
      undo: (_input, _result, { callId }) => void undone.push(callId),
    }) as ToolCallback
    const held = gate()
    const client = ChatClient.create(
      roundModel([[['program', {}]], 'Done.'], (round) => (round === 2 ? held.wait() : undefined)),
      { tools: [program(book), book] },
    )
    const durable = await stage.open({ bills: client })
    const run = await durable.start('bills', { prompt: 'Pay.' })
    await held.reached
    const { notUndone } = await run.cancel({ undo: true })
    expect(notUndone).toHaveLength(4)
    expect(notUndone[0]).toMatchObject({ reason: expect.stringContaining('A tool has made it') as string }) // prettier-ignore
    expect(undone).toEqual([])
  })
})

/** The stage closes what it opened only at the end of a test, and one process has one worker. */
async function leftInSecond<T>(next: () => Promise<T>): Promise<T> {
  await stage.closeAll()
  return next()
}

describe('a worker that beats no more', () => {
  it('loses its runs to one that does', async () => {
    const { held, did, client } = heldTool('keyed')
    const durable = await stage.open({ bills: client }, { executorId: 'first' })
    const { runId } = await durable.start('bills', { prompt: 'Pay.' })
    await held.reached
    // As if the process had died: its run goes by a name that nobody beats for.
    await stage.sql(
      `update dbos.workflow_status set executor_id = 'dead' where workflow_uuid = $1`,
      [runId],
    )
    expect((await (await durable.attach(runId)).result()).status).toBe('done')
    expect(did).toHaveLength(2)
    // The first life ends late, and has nothing to say any more.
    held.open()
    const { runs } = await durable.list()
    expect(runs.find((run) => run.runId === runId)?.status).toBe('done')
  })

  it('is not needed for a run that it was given and never heard of', async () => {
    const { client, held } = heldTool('keyed')
    held.open()
    const first = await stage.open({ bills: client }, { concurrency: 0 })
    const { runId } = await first.start('bills', { prompt: 'Pay.' })
    await first.close()
    const put = (status: string): Promise<unknown> =>
      stage.sql(
        `update dbos.workflow_status set status = $2, executor_id = 'deaf', owner_xid = 'lost'
         where workflow_uuid = $1`,
        [runId, status],
      )
    await put('CANCELLED')
    const deaf = await stage.open({ bills: client }, { executorId: 'deaf' })
    // DBOS took it from the queue for this worker, and the answer was lost with the connection.
    await put('PENDING')
    expect((await (await deaf.attach(runId)).result()).status).toBe('done')
  })

  it('is not one whose tool source gives no answer', async () => {
    const { client } = heldTool('keyed')
    const first = await stage.open({ bills: client }, { concurrency: 0 })
    const { runId } = await first.start('bills', { prompt: 'Pay.' })
    await first.close()
    const second = await stage.open({ other: client })
    await expect((await second.attach(runId)).result()).rejects.toMatchObject({
      code: 'durable-tools-changed',
    })
    await second.close()
    const asked = gate()
    const silent = { toolCallbacks: () => (void asked.wait(), new Promise<never>(() => {})) }
    const mute = ChatClient.create(roundModel(['Hi.']), { tools: [silent] })
    const third = await stage.open({ bills: mute }, { executorId: 'mute' })
    await asked.reached
    const beats = async (): Promise<number> =>
      Number(
        (await stage.sql(`select beats from toolwright.workers where executor_id = 'mute'`))[0]![
          'beats'
        ],
      )
    const before = await beats()
    await expect.poll(beats, { timeout: 20_000 }).toBeGreaterThan(before + 5)
    await third.cancel(runId)
    await third.close()
  })

  it('cannot be entered twice under one name', async () => {
    await stage.sql(
      `insert into toolwright.workers (executor_id, session) values ('twin', 'other')`,
    )
    const beating = setInterval(
      () =>
        void stage.sql(
          `update toolwright.workers set beats = beats + 1 where executor_id = 'twin'`,
        ),
      20,
    )
    try {
      const { client } = heldTool('keyed')
      await expect(stage.open({ bills: client }, { executorId: 'twin' })).rejects.toMatchObject({
        code: 'durable-executor-taken',
      })
    } finally {
      clearInterval(beating)
    }
    const { client } = heldTool('keyed')
    const durable = await stage.open({ bills: client }, { executorId: 'twin' })
    expect(durable.executorId).toBe('twin')
  })
})

describe('other tools than the run has used', () => {
  it('block it with the differences, until a worker has them again', async () => {
    const held = gate()
    const done: string[] = []
    const clientWith = (description: string): ChatClient => {
      const note = tool({ name: 'note', description, effect: 'keyed', execute: () => 'noted' })
      const wait = tool({
        name: 'wait',
        description: 'Wait',
        effect: 'keyed',
        async execute() {
          done.push(description)
          if (done.length === 1) await held.wait()
          return 'waited'
        },
      })
      const model = roundModel([[['note', {}]], [['wait', {}]], 'Done.'])
      return ChatClient.create(model, { tools: [note, wait] })
    }
    const first = await stage.open({ notes: clientWith('Make a note') })
    const { runId } = await first.start('notes', { prompt: 'Go.' })
    await held.reached
    await first.close()
    const second = await stage.open({ notes: clientWith('Make another note') })
    const run = await second.attach(runId)
    await expect(run.result()).rejects.toMatchObject({
      code: 'durable-tools-changed',
      message: expect.stringContaining('"note" has changed') as string,
    })
    const { runs } = await second.list({ status: 'blocked' })
    expect(runs.map((each) => each.runId)).toEqual([runId])
    await second.close()
    const third = await stage.open({ other: clientWith('Make a note') })
    expect((await third.list({ status: 'blocked' })).runs).toHaveLength(1)
    await third.close()
    const fourth = await stage.open({ notes: clientWith('Make a note') })
    await expect
      .poll(async () => (await fourth.list({ status: 'done' })).runs.map((each) => each.runId), {
        timeout: 20_000,
      })
      .toContain(runId)
  })
})

describe('a run that waits through a deploy', () => {
  const pay = (description: string) =>
    tool({ name: 'pay', description, approval: true, effect: 'keyed', execute: () => 'paid' })
  const other = (description: string) =>
    tool({ name: 'other', description, effect: 'keyed', execute: () => 'done' })
  const clientWith = (...tools: ReturnType<typeof tool>[]): ChatClient =>
    ChatClient.create(roundModel([[['pay', {}]], 'Done.']), { tools })

  it('goes on if what it has called is the same, whatever else it was offered', async () => {
    const first = await stage.open({ bills: clientWith(pay('Pay'), other('Old')) })
    const { runId } = await first.start('bills', { prompt: 'Pay.' })
    await (await first.attach(runId)).result()
    await first.close()
    const changed = await stage.open({ bills: clientWith(pay('Pay more'), other('Old')) })
    await expect(changed.decide(runId, { call_1_1: 'approve' })).rejects.toMatchObject({
      code: 'state-tools-changed',
      message: expect.stringContaining('"pay" (changed)') as string,
    })
    await changed.close()
    const second = await stage.open({ bills: clientWith(pay('Pay')) })
    const done = await (await second.decide(runId, { call_1_1: 'approve' })).result()
    expect(done.status).toBe('done')
  })
})

describe('other advisors than the run was begun with', () => {
  it('block it where its records are of other steps, until a worker has them again', async () => {
    const { held, client } = heldTool('keyed')
    const first = await stage.open({ bills: client })
    const { runId } = await first.start('bills', { prompt: 'Pay.' })
    await held.reached
    await first.close()
    const looking = client.with({
      advisors: [
        advisor({
          name: 'look',
          before: async (request) => void (await request.step('look', async () => 1)),
        }),
      ],
    })
    const second = await stage.open({ bills: looking })
    await expect((await second.attach(runId)).result()).rejects.toMatchObject({
      code: 'replay-mismatch',
    })
    await second.close()
    const third = await stage.open({ bills: client })
    await expect
      .poll(async () => (await third.list({ status: 'done' })).runs.map((run) => run.runId), {
        timeout: 20_000,
      })
      .toContain(runId)
  })
})

describe('a run that is blocked', () => {
  it('is found among many that nobody can go on with', async () => {
    const { held, client } = heldTool('keyed')
    held.open()
    const first = await stage.open({ bills: client, gone: client }, { concurrency: 0 })
    const start = (name: string): Promise<DurableRun> => first.start(name, { prompt: 'Pay.' })
    await Promise.all(Array.from({ length: 120 }, () => start('gone')))
    const { runId } = await start('bills')
    await first.close()
    await stage.sql(
      `update dbos.workflow_status set status = 'CANCELLED' where status = 'ENQUEUED'`,
    )
    await stage.sql(`update toolwright.runs set status = 'blocked' where status = 'running'`)
    const second = await stage.open({ bills: client })
    await expect
      .poll(async () => (await second.list({ status: 'done' })).runs.map((run) => run.runId), {
        timeout: 20_000,
      })
      .toContain(runId)
    await stage.sql(`update toolwright.runs set status = 'cancelled' where status = 'blocked'`)
  })

  it('is not lost by a worker that dies while it puts it back into the queue', async () => {
    const { held, client } = heldTool('keyed')
    const first = await stage.open({ bills: client })
    const { runId } = await first.start('bills', { prompt: 'Pay.' })
    await held.reached
    await first.close()
    const second = await stage.open({ other: client })
    await expect((await second.attach(runId)).result()).rejects.toMatchObject({
      code: 'durable-tools-changed',
    })
    await second.close()
    // Whatever comes after the row of the run does not come to pass.
    await stage.sql(`create function dbos.die() returns trigger language plpgsql as
      $$ begin raise exception 'died'; end $$`)
    await stage.sql(`create trigger die before update on dbos.workflow_status for each row
      when (old.status = 'CANCELLED' and new.status = 'ENQUEUED') execute function dbos.die()`)
    const third = await stage.open({ bills: client })
    const beats = async (): Promise<number> =>
      Number((await stage.sql('select max(beats) as beats from toolwright.workers'))[0]!['beats'])
    await expect.poll(beats, { timeout: 20_000 }).toBeGreaterThan(12)
    await third.close()
    await stage.sql('drop function dbos.die cascade')
    const fourth = await stage.open({ bills: client })
    await expect
      .poll(async () => (await fourth.list({ status: 'done' })).runs.map((run) => run.runId), {
        timeout: 20_000,
      })
      .toContain(runId)
  })
})

interface Lacking {
  readonly name: string
  readonly bad: { readonly [name: string]: ChatClient }
  readonly says: string
}

describe('undoing that a worker cannot do', () => {
  const input = (type: 'number' | 'string') =>
    ({ type: 'object', properties: { room: { type } }, required: ['room'] }) as const
  const sign = tool({ name: 'sign', description: 'Sign', approval: true, execute: () => 'ok' })
  const model = roundModel([[['book', { room: 7 }]], [['sign', {}]], 'Done.'])
  const clientWith = (...tools: readonly ToolCallback[]): ChatClient =>
    ChatClient.create(model, { tools })
  const booking = (more: object = {}): ToolCallback =>
    tool({ name: 'book', description: 'Book', input: input('number'), execute: () => 'x', ...more })

  it.each<Lacking>([
    { name: 'the client', bad: { other: clientWith(sign) }, says: 'does not have its client' },
    { name: 'the tool', bad: { rooms: clientWith(sign) }, says: '"book" is not offered' },
    { name: 'an undo', bad: { rooms: clientWith(booking()) }, says: '"book" has no undo' },
    {
      name: 'the schema',
      bad: { rooms: clientWith(booking({ input: input('string'), undo: () => {} })) },
      says: '"book" has changed',
    },
  ])('because it lacks $name waits for one that can', async ({ bad, says }) => {
    const undone: unknown[] = []
    const undo = (given: unknown): void => void undone.push(given)
    const first = await stage.open({ rooms: clientWith(booking({ undo }), sign) })
    const { runId } = await first.start('rooms', { prompt: 'Book.' })
    await (await first.attach(runId)).result()
    await first.close()
    const second = await stage.open(bad, { executorId: 'lacking' })
    const listed = async (durable: DurableRuns): Promise<unknown> =>
      (await durable.list({ limit: 1000 })).runs.find((run) => run.runId === runId)?.undo
    await expect(second.cancel(runId, { undo: true })).rejects.toMatchObject({
      code: 'durable-tools-changed',
      runId,
      message: expect.stringMatching(new RegExp(`worker "lacking".*${says}`)) as string,
    })
    expect(await listed(second)).toMatchObject({
      status: 'blocked',
      error: { code: 'durable-tools-changed' },
    })
    await second.close()
    // The description is another, which does no harm to what was done.
    const third = await stage.open({
      rooms: clientWith(booking({ undo, description: 'Book a room' })),
    })
    const report = { cancelled: false, undone: [{ callId: 'call_1_1', toolName: 'book' }] }
    expect(await third.cancel(runId, { undo: true })).toEqual({ ...report, notUndone: [] })
    expect(await third.cancel(runId, { undo: true })).toEqual({ ...report, notUndone: [] })
    expect(undone).toEqual([{ room: 7 }])
    expect(await listed(third)).toEqual({ status: 'done' })
  })

  it('is shown by the list, and need not be waited for', async () => {
    const client = clientWith(booking({ undo: () => {} }), sign)
    const first = await stage.open({ rooms: client })
    const { runId } = await first.start('rooms', { prompt: 'Book.' })
    await (await first.attach(runId)).result()
    await first.close()
    const starter = await stage.open({ rooms: client }, { concurrency: 0 })
    const aborter = new AbortController()
    const waiting = starter.cancel(runId, { undo: true, signal: aborter.signal })
    const listed = async (): Promise<unknown> =>
      (await starter.list({ limit: 1000 })).runs.find((run) => run.runId === runId)?.undo
    await expect.poll(listed, { timeout: 20_000 }).toEqual({ status: 'waiting' })
    aborter.abort(new Error('no time'))
    await expect(waiting).rejects.toThrow('no time')
    await starter.close()
    const worker = await stage.open({ rooms: client })
    expect((await worker.cancel(runId, { undo: true })).undone).toHaveLength(1)
  })
})

describe('a run that only comes to its end again', () => {
  it('rests when everything that it tells is in the log', async () => {
    const { client, held } = heldTool('keyed')
    held.open()
    const first = await stage.open({ bills: client })
    const { runId } = await first.start('bills', { prompt: 'Pay.' })
    await (await first.attach(runId)).result()
    await first.close()
    // As if the worker had died before anything was told, with all its steps recorded. The first words take long.
    await stage.sql('delete from toolwright.events where run_id = $1', [runId])
    await stage.sql(`update toolwright.runs set status = 'running' where run_id = $1`, [runId])
    await stage.sql(
      `update dbos.workflow_status set status = 'ENQUEUED', queue_name = 'toolwright' where workflow_uuid = $1`,
      [runId],
    )
    await stage.sql(`create function toolwright.slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(2); return new; end $$`)
    await stage.sql(`create trigger slow before insert on toolwright.events for each row
      when (new.first = 0) execute function toolwright.slow()`)
    const second = await stage.open({ bills: client })
    const types: string[] = []
    for await (const { type } of (await second.attach(runId)).events()) types.push(type)
    await stage.sql('drop function toolwright.slow cascade')
    expect(types.filter((type) => type === 'tool-result')).toHaveLength(1)
    expect(types.at(-1)).toBe('response')
  })
})

describe('PostgreSQL', () => {
  it('that gives no answer is not waited for without end, and may be asked again', async () => {
    const { client, held } = heldTool('keyed')
    held.open()
    const durable = await stage.open({ bills: client })
    const start = (): Promise<DurableRun> =>
      durable.start('bills', { prompt: 'Pay.' }, { runId: 'unanswered' })
    const blocker = new pg.Client({ connectionString: stage.server.url })
    await blocker.connect()
    await blocker.query('begin; lock table toolwright.runs in access exclusive mode')
    const asked = [start(), durable.list(), durable.attach('x'), durable.cancel('x')]
    const answers = await Promise.allSettled([...asked, durable.decide('x', { c: 'approve' })])
    await blocker.end()
    for (const answer of answers)
      expect(answer).toMatchObject({ reason: { code: 'database-unreachable', retryable: true } })
    expect((await (await start()).result()).status).toBe('done')
  }, 60_000)

  it('may crash and come back in the middle of runs', async () => {
    const counts = new Map<string, number>()
    const count = tool({
      name: 'count',
      description: 'Count',
      effect: 'keyed',
      execute(_input, { idempotencyKey }) {
        counts.set(idempotencyKey, 1)
        return 'counted'
      },
    })
    const rounds = Array.from({ length: 5 }, () => [['count', {}] as const, ['count', {}] as const])
    const client = ChatClient.create(roundModel([...rounds, 'Done.']), {
      tools: [count],
      limits: { identicalCalls: 'unlimited' },
    })
    const durable = await stage.open({ counts: client })
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => durable.start('counts', { prompt: 'Count.' })),
    )
    await expect.poll(() => counts.size).toBeGreaterThan(3)
    await stage.server.restart('crash')
    const results = await Promise.all(runs.map((run) => run.result()))
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'done'))
    expect(counts.size).toBe(50)
    const events: ChatEvent[] = []
    for await (const event of runs[0]!.events()) events.push(event)
    expect(events.filter(({ type }) => type === 'tool-result')).toHaveLength(10)
    expect(events.filter(({ type }) => type === 'round-end')).toHaveLength(6)
  })
})

describe('what time brings', () => {
  it('a run whose workers died again and again is given up', async () => {
    const { client, held } = heldTool('keyed')
    const durable = await stage.open({ bills: client })
    const run = await durable.start('bills', { prompt: 'Pay.' })
    await held.reached
    await stage.sql(
      `update dbos.workflow_status set status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED', owner_xid = null where workflow_uuid = $1`,
      [run.runId],
    )
    await expect(run.result()).rejects.toMatchObject({ code: 'durable-given-up' })
    held.open()
  })

  it('runs that ended are forgotten after their time, with everything that belongs to them', async () => {
    const client = ChatClient.create(roundModel(['Hi.']))
    const durable = await stage.open({ hi: client }, { retentionMs: 1 })
    const run = await durable.start('hi', { prompt: 'x' })
    await run.result()
    await expect
      .poll(
        () =>
          durable.attach(run.runId).then(
            () => 'there',
            (error: { code: string }) => error.code,
          ),
        {
          timeout: 20_000,
        },
      )
      .toBe('durable-unknown-run')
    for (const table of ['toolwright.events', 'toolwright.effects'])
      expect(await stage.sql(`select 1 from ${table} where run_id = $1`, [run.runId])).toEqual([])
    expect(
      await stage.sql('select 1 from dbos.workflow_status where workflow_uuid = $1', [run.runId]),
    ).toEqual([])
  })

  it('whoever waits for a run that is forgotten meanwhile is told so', async () => {
    const { client, held } = heldTool('keyed')
    const durable = await stage.open({ bills: client })
    const run = await durable.start('bills', { prompt: 'Pay.' })
    const waiting = expect(run.result()).rejects.toMatchObject({ code: 'durable-unknown-run' })
    await held.reached
    await stage.sql('delete from toolwright.runs where run_id = $1', [run.runId])
    await waiting
    held.open()
  })

  it('a run id that was forgotten is free: a new run finds nothing of the old one', async () => {
    const undone: string[] = []
    const book = tool({
      name: 'book',
      description: 'Book a room',
      execute: () => 'booked',
      undo: () => void undone.push('room'),
    })
    const sign = tool({ name: 'sign', description: 'Sign', approval: true, execute: () => 'ok' })
    const model = roundModel([[['book', {}]], [['sign', {}]], 'Done.'])
    const clients = { rooms: ChatClient.create(model, { tools: [book, sign] }) }
    const live = async (): Promise<readonly unknown[]> => {
      const durable = await stage.open(clients, { concurrency: 5 })
      const run = await durable.start('rooms', { prompt: 'Book.' }, { runId: 'again' })
      await run.result()
      const decided = await durable.decide('again', { call_2_1: 'approve' })
      await decided.result()
      await stage.sql(`update toolwright.runs set status = 'suspended' where run_id = 'again'`)
      const { undone: calls } = await durable.cancel('again', { undo: true })
      await durable.close()
      return calls
    }
    const first = await live()
    expect(first).toEqual([{ callId: 'call_1_1', toolName: 'book' }])
    const asked = model.asked
    const sweeping = await stage.open(clients, { retentionMs: 1 })
    const left = async (): Promise<number> => {
      const tables = [
        'toolwright.runs r where run_id', 'toolwright.events r where run_id',
        'toolwright.effects r where run_id', 'dbos.workflow_status r where workflow_uuid',
        'dbos.workflow_input r where workflow_uuid', 'dbos.workflow_output r where workflow_uuid',
        'dbos.operation_outputs r where workflow_uuid',
      ] // prettier-ignore
      const rows = await Promise.all(
        tables.map((table) =>
          stage.sql(`select 1 from ${table} in ('again', 'again/1', 'again/undo')`),
        ),
      )
      return rows.flat().length
    }
    expect(await left()).toBeGreaterThan(0)
    await expect.poll(left, { timeout: 20_000 }).toBe(0)
    await sweeping.close()
    expect(await live()).toEqual(first)
    expect(model.asked).toBe(2 * asked)
    expect(undone).toEqual(['room', 'room'])
  })

  it('refuses tables of a newer version', async () => {
    await stage.sql('update toolwright.durable_schema set version = 99')
    const client = ChatClient.create(roundModel(['Hi.']))
    await expect(stage.open({ hi: client })).rejects.toMatchObject({ code: 'database-newer' })
    await stage.sql('update toolwright.durable_schema set version = 1')
  })
})
