/** A durable run that was suspended and resumed is replayed after a crash, and nobody else can resume its state. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  inMemoryRunStore,
  tool,
  type ChatClientOptions,
  type Decisions,
  type Durability,
  type Prompt,
  type RunResult,
  type RunState,
  type RunStore,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

class Crash extends Error {}

/** Keeps what steps gave; the process dies at its n-th step, before the work, after it, or once it is written down. */
class Journal implements Durability {
  readonly records: Map<string, string>
  readonly #crashAt: number
  readonly #moment: Moment
  #steps = 0
  constructor(records = new Map<string, string>(), crashAt = Infinity, moment: Moment = 'before') {
    this.records = records
    this.#crashAt = crashAt
    this.#moment = moment
  }
  get steps(): number {
    return this.#steps
  }
  async step<T>(key: string, run: () => Promise<T>): Promise<T> {
    const isLast = ++this.#steps === this.#crashAt
    if (this.#steps > this.#crashAt || (isLast && this.#moment === 'before')) throw new Crash()
    const record = this.records.get(key)
    if (record !== undefined) return JSON.parse(record) as T
    const result = await run()
    if (isLast && this.#moment === 'done') throw new Crash()
    this.records.set(key, JSON.stringify(result))
    if (isLast) throw new Crash()
    return result
  }
}
type Moment = 'before' | 'done' | 'recorded'

interface Worker {
  readonly durability: Durability
  readonly runStore: RunStore
  readonly paid: Set<unknown>
}

const SECRET = 'a secret of all workers'
const modes = ['call', 'stream'] as const

/** A worker that was started anew: nothing but the store, the journal and the effects is left of the one before. */
function clientOf({ durability, runStore, paid }: Worker, options: ChatClientOptions = {}) {
  const answer = ({ messages }: Prompt) =>
    messages.at(-1)!.role === 'tool' ? 'Paid.' : { toolCalls: [{ name: 'pay', id: 'p' }] }
  const pay = tool({
    name: 'pay',
    approval: true,
    effect: 'keyed',
    execute: (_input, { idempotencyKey }) => (paid.add(idempotencyKey), 'paid'),
  })
  return ChatClient.create(scriptedModel([answer, answer]), {
    tools: [pay],
    stateSecret: SECRET,
    durability,
    runStore,
    ids: { next: (prefix) => (prefix === 'run' ? 'run_1' : `${prefix}_${Math.random()}`) },
    ...options,
  })
}

const suspended = async (worker: Worker): Promise<RunState> =>
  (await clientOf(worker).prompt('Pay').call().result()).state!

const resume = (
  worker: Worker,
  state: RunState,
  {
    mode = 'call',
    decisions = { p: 'approve' },
  }: { mode?: 'call' | 'stream'; decisions?: Decisions } = {},
): Promise<RunResult> => {
  const request = clientOf(worker).resume(state, decisions)
  return (mode === 'call' ? request.call() : request.stream()).result()
}

const freshWorker = (): Worker & { durability: Journal } => ({
  durability: new Journal(),
  runStore: inMemoryRunStore(),
  paid: new Set(),
})

describe('a resumed run', () => {
  for (const mode of modes)
    it(`is replayed after a crash at any step, at any moment: it pays once and ends the same (${mode})`, async () => {
      const whole = freshWorker()
      const state = await suspended(whole)
      const before = new Map(whole.durability.records)
      const expected = await resume(whole, state, { mode })
      const steps = whole.durability.steps
      expect(steps).toBeGreaterThan(4)
      for (const moment of ['before', 'done', 'recorded'] as const)
        for (let crashAt = 1; crashAt <= steps; crashAt++) {
          const worker = {
            ...freshWorker(),
            durability: new Journal(new Map(before), crashAt, moment),
          }
          await resume(worker, state, { mode }).catch(() => {})
          const { records } = worker.durability
          const result = await resume({ ...worker, durability: new Journal(records) }, state, {
            mode,
          })
          expect(result.status, `${moment} ${crashAt}`).toBe('done')
          expect(result.messages).toEqual(expected.messages)
          expect([...worker.paid]).toEqual(['run_1/p'])
        }
    })

  it('is replayed although it had ended', async () => {
    const worker = freshWorker()
    const state = await suspended(worker)
    const first = await resume(worker, state)
    const again = await resume(
      { ...worker, durability: new Journal(worker.durability.records) },
      state,
    )
    expect(again).toEqual(first)
    expect(worker.paid.size).toBe(1)
  })
})

it('a suspended run that is replayed is suspended in the same state: there is one to resume', async () => {
  const worker = freshWorker()
  const first = await suspended(worker)
  const again = await suspended({ ...worker, durability: new Journal(worker.durability.records) })
  expect(again).toEqual(first)
  await resume(worker, first)
  await expect(
    resume({ ...worker, durability: new Journal() }, again, { decisions: { p: { deny: 'no' } } }),
  ).rejects.toMatchObject({ code: 'state-used' })
})

describe('of two who resume one state', () => {
  it('one wins, if each has a journal of its own', async () => {
    const worker = freshWorker()
    const state = await suspended(worker)
    const both = await Promise.allSettled(
      modes.map((mode) => resume({ ...worker, durability: new Journal() }, state, { mode })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'state-used' },
    })
    expect(worker.paid.size).toBe(1)
  })

  it('the one who decides otherwise is refused, also with the same journal', async () => {
    const worker = freshWorker()
    const state = await suspended(worker)
    await resume(worker, state)
    await expect(resume(worker, state, { decisions: { p: { deny: 'no' } } })).rejects.toMatchObject(
      {
        code: 'state-used',
      },
    )
    expect(worker.paid.size).toBe(1)
  })

  it('the one without a journal is refused', async () => {
    const worker = freshWorker()
    const state = await suspended(worker)
    await resume(worker, state)
    const other = clientOf(worker, { durability: { step: (_key, run) => run() } })
    await expect(other.resume(state, { p: 'approve' }).call().result()).rejects.toMatchObject({
      code: 'state-used',
    })
    expect(worker.paid.size).toBe(1)
  })

  it('a refusal is not written down: whoever had won is still replayed', async () => {
    const worker = freshWorker()
    const state = await suspended(worker)
    const both = await Promise.allSettled(modes.map((mode) => resume(worker, state, { mode })))
    expect(both.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect((await resume(worker, state)).status).toBe('done')
    expect(worker.paid.size).toBe(1)
  })
})

it('a resume that is refused leaves the state usable, also of a durable run', async () => {
  const worker = freshWorker()
  const state = await suspended(worker)
  const abort = new AbortController()
  abort.abort(new Error('left'))
  const left = clientOf(worker).resume(state, { p: 'approve' }).signal(abort.signal)
  await expect(left.call().result()).rejects.toThrow('left')
  await expect(resume(worker, state, { decisions: { p: { answer: 1 } } })).rejects.toMatchObject({
    code: 'decision-wrong-kind',
  })
  expect((await resume(worker, state, { decisions: { p: { deny: 'no' } } })).status).toBe('done')
  expect(worker.paid.size).toBe(0)
})
