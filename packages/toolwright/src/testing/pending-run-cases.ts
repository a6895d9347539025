/** What a run store that keeps runs must do with them: nothing lost, nothing shown twice, nothing mixed up. */
import assert from 'node:assert/strict'
import { ToolwrightError } from '../errors/errors.ts'
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { PendingRun, PendingRunQuery, RunStore } from '../run/run-store.ts'
import { inWords, ODD_TEXTS } from './odd-texts.ts'

type KeepingStore = Required<RunStore>

export interface RunStoreCase {
  readonly name: string
  check(store: KeepingStore): Promise<void>
}

interface RunFacts {
  readonly stateId?: string
  readonly conversation?: ConversationKey
  readonly savedAt?: number
}

const T = Date.UTC(2026, 0, 1)

/** A run as a client saves it. */
function run(runId: string, facts: RunFacts = {}): PendingRun {
  const { stateId = `state of ${runId}`, conversation, savedAt = T } = facts
  const pending = [
    { callId: 'call_1', toolName: 'pay', input: { amount: 5 }, kind: 'approval' as const },
  ]
  const named = conversation === undefined ? {} : { conversation }
  return {
    runId,
    stateId,
    ...named,
    pending,
    savedAt,
    state: {
      version: 1,
      id: stateId,
      runId,
      ...named,
      messages: [{ role: 'user', content: 'Pay' }],
      rounds: [],
      usage: {},
      counters: { total: 1, perTool: { pay: 1 } },
      answered: [],
      pending,
      answers: {},
      context: {},
      tools: { pay: 'aGFzaA==' },
      signature: 'c2lnbmVk',
    },
  }
}

const ids = (runs: readonly PendingRun[]): readonly string[] => runs.map(({ runId }) => runId)

/** Every page, one after another; `between` happens after each. */
async function listed(
  store: KeepingStore,
  query: PendingRunQuery,
  between: (page: number) => Promise<void> = async () => {},
): Promise<readonly string[]> {
  const found: string[] = []
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    assert.ok(page < 1_000, 'list() never ends.')
    const answer = await store.list({ ...query, ...(cursor !== undefined && { cursor }) })
    found.push(...ids(answer.runs))
    ;({ cursor } = answer)
    if (cursor === undefined) return found
    await between(page)
  }
}

const TEXT = 'Zoë 😀 \u0000 \ud800 \udc00 "quoted" \\ \u2028 line\nbreak'

function runWithEverything(): PendingRun {
  const plain = run('run_1', { conversation: { tenant: TEXT, conversation: TEXT } })
  let deep: PendingRun['state']['context'][string] = TEXT
  for (let depth = 0; depth < 100; depth++) deep = depth % 2 ? [deep] : { [TEXT]: deep }
  const pending = [
    { ...plain.pending[0]!, input: { [TEXT]: [1e21, 0.1, null, true, TEXT] }, reason: TEXT },
    { ...plain.pending[0]!, callId: TEXT, kind: 'question' as const, question: deep },
    { ...plain.pending[0]!, callId: '', kind: 'result' as const, preview: { empty: [] } },
  ]
  const content = TEXT.repeat(20_000)
  const messages = [{ role: 'user' as const, content }]
  return { ...plain, pending, state: { ...plain.state, pending, messages, context: { deep } } }
}

/** Keys that a careless query takes for each other. */
const KEYS: readonly (ConversationKey | undefined)[] = [
  undefined,
  'a',
  'A',
  'b',
  'a:b',
  '["a","b"]',
  '%',
  'a\u0000',
  { tenant: 'a', conversation: 'b' },
  { tenant: 'a', conversation: 'a' },
  { tenant: 'A', conversation: 'b' },
  { tenant: 'b', conversation: 'a' },
  { tenant: 'a:b', conversation: 'c' },
  { tenant: 'a', conversation: 'b:c' },
  { tenant: '%', conversation: '%' },
  { tenant: 'a\u0000', conversation: '\ud800' },
  { tenant: '\ud800', conversation: 'a' },
]

const tenantOf = (key: ConversationKey | undefined): string | undefined =>
  typeof key === 'object' ? key.tenant : undefined

export const PENDING_RUN_CASES: readonly RunStoreCase[] = [
  {
    name: 'a store in which nothing waits finds and lists nothing',
    async check(store) {
      assert.equal(await store.find('unknown'), undefined)
      assert.deepEqual(await store.list({}), { runs: [] })
      assert.deepEqual(await store.list({ tenant: 'a', conversation: 'b', limit: 1 }), { runs: [] })
    },
  },
  {
    name: 'a run that waits is found and listed as it was saved',
    async check(store) {
      const saved = runWithEverything()
      const expected = structuredClone(saved)
      await store.save(saved)
      assert.deepEqual(await store.find('run_1'), expected, 'find() gives something else.')
      assert.deepEqual((await store.list({})).runs, [expected], 'list() gives something else.')
      const found = (await store.find('run_1')) as { savedAt: number }
      try {
        found.savedAt = 1
        ;(saved as { savedAt: number }).savedAt = 2
      } catch {
        // Frozen is as good.
      }
      assert.deepEqual(await store.find('run_1'), expected, 'Whoever holds a run can change it.')
    },
  },
  {
    name: 'a newer state of a run takes the place of the older one',
    async check(store) {
      await store.save(run('run_1', { stateId: 'state_1' }))
      await store.use('state_1')
      await store.save(run('run_2'))
      const newer = run('run_1', { stateId: 'state_2', savedAt: T + 1 })
      await store.save(newer)
      assert.deepEqual(await store.find('run_1'), newer, 'The older state is found.')
      assert.deepEqual(await listed(store, {}), ['run_2', 'run_1'])
      // Without a use in between, too.
      const newest = run('run_1', { stateId: 'state_3', savedAt: T + 2 })
      await store.save(newest)
      assert.deepEqual(await store.find('run_1'), newest, 'The older state is found.')
      assert.deepEqual(await listed(store, {}), ['run_2', 'run_1'])
      await store.use('state_2')
      assert.deepEqual(await store.find('run_1'), newest, 'The use of an older state counts.')
      await store.save(newest)
      assert.deepEqual(await listed(store, {}), ['run_2', 'run_1'], 'Saved twice is listed twice.')
    },
  },
  {
    name: 'a run whose state was used waits no more',
    async check(store) {
      await store.save(run('run_1', { stateId: 'state_1' }))
      await store.save(run('run_2', { stateId: 'state_2' }))
      assert.equal(await store.use('state_1'), true, 'The first use is refused.')
      assert.equal(await store.find('run_1'), undefined, 'It is still found.')
      assert.deepEqual(await listed(store, {}), ['run_2'], 'It is still listed.')
      assert.equal(await store.use('state_1'), false, 'The second use is allowed.')
      assert.deepEqual(await listed(store, {}), ['run_2'], 'Another run was used with it.')
      assert.ok(await store.find('run_2'), 'Another run was used with it.')
      assert.equal(await store.use('run_2'), true, 'A run id counts as the id of its state.')
      assert.ok(await store.find('run_2'), 'A run id counts as the id of its state.')
    },
  },
  {
    name: 'a state that was used is not kept again',
    async check(store) {
      await store.save(run('run_1', { stateId: 'state_1' }))
      await store.use('state_1')
      await store.save(run('run_1', { stateId: 'state_1' }))
      assert.equal(await store.use('state_1'), false, 'It can be used once more.')
      assert.equal(await store.find('run_1'), undefined, 'It is found.')
      assert.deepEqual(await listed(store, {}), [], 'It is listed.')
      await store.save(run('run_1', { stateId: 'state_2' }))
      await store.save(run('run_1', { stateId: 'state_1' }))
      const found = await store.find('run_1')
      assert.equal(found?.stateId, 'state_2', 'It took the place of the newer one.')
    },
  },
  {
    name: 'each run is found for itself, whatever its ids look like',
    async check(store) {
      for (const id of ODD_TEXTS) await store.save(run(id, { stateId: `s${id}` }))
      for (const id of ODD_TEXTS) {
        const found = await store.find(id)
        assert.deepEqual(found, run(id, { stateId: `s${id}` }), `${inWords(id)} is another run.`)
      }
      const all = await listed(store, { limit: 7 })
      assert.deepEqual(all.toSorted(), ODD_TEXTS.toSorted(), 'They are not all listed once.')
      for (const [index, id] of ODD_TEXTS.entries()) {
        assert.equal(await store.use(`s${id}`), true, `The use of ${inWords(id)} is refused.`)
        assert.equal(await store.find(id), undefined, `${inWords(id)} still waits.`)
        const next = ODD_TEXTS[index + 1]
        if (next !== undefined)
          assert.ok(await store.find(next), `${inWords(next)} was used with ${inWords(id)}.`)
      }
    },
  },
  {
    name: 'what waits is listed oldest first, page by page',
    async check(store) {
      const names = Array.from({ length: 120 }, (_, index) => `run ${String(index).padStart(3)}`)
      // Clocks of several processes differ: a run may be saved later with an earlier time.
      const order = names.map((_, index) => (index * 7) % 120)
      for (const index of order) await store.save(run(names[index]!, { savedAt: T + index }))
      assert.equal((await store.list({})).runs.length, 50, 'The default is not 50.')
      for (const limit of [1, 7, 50, 119, 120, 1_000]) {
        const { runs, cursor } = await store.list({ limit })
        assert.deepEqual(ids(runs), names.slice(0, limit), `The first ${limit} are others.`)
        assert.equal(cursor === undefined, limit >= 120, `Wrong cursor after ${limit} of 120.`)
        assert.deepEqual(await listed(store, { limit }), names, `Pages of ${limit} are not whole.`)
      }
      // Saved at the same time: some order, and each once.
      const same = Array.from({ length: 10 }, (_, index) => `same ${index}`)
      for (const name of same) await store.save(run(name, { savedAt: T + 500 }))
      const all = await listed(store, { limit: 3 })
      assert.deepEqual(all.slice(0, 120), names)
      assert.deepEqual(all.slice(120).toSorted(), same, 'Of equal times, not each is listed once.')
    },
  },
  {
    name: 'pages stay whole while runs are saved and used between them',
    async check(store) {
      const names = Array.from({ length: 30 }, (_, index) => `run ${String(index).padStart(2)}`)
      for (const [index, name] of names.entries())
        await store.save(run(name, { savedAt: T + index * 10 }))
      const used = new Set<string>()
      const all = await listed(store, { limit: 4 }, async (page) => {
        // Some of those that were listed are used, some that were not, and others come.
        for (const index of [page * 4 - 1, page * 4 + 2]) {
          const name = names[index]
          if (name === undefined) continue
          used.add(name)
          await store.use(`state of ${name}`)
        }
        await store.save(run(`early ${page}`, { savedAt: T - page }))
        await store.save(run(`between ${page}`, { savedAt: T + page * 10 + 5 }))
      })
      assert.equal(new Set(all).size, all.length, 'A run is listed twice.')
      const missed = names.filter((name) => !used.has(name) && !all.includes(name))
      assert.deepEqual(missed, [], 'Runs that waited all the while are on no page.')
    },
  },
  {
    name: 'no tenant and no conversation sees the runs of another',
    async check(store) {
      for (const [index, conversation] of KEYS.entries())
        await store.save(
          run(`run ${String(index).padStart(2)}`, {
            ...(conversation !== undefined && { conversation }),
            savedAt: T + index,
          }),
        )
      const expect = async (
        query: PendingRunQuery,
        isAsked: (key: ConversationKey | undefined) => boolean,
      ): Promise<void> => {
        const expected = KEYS.flatMap((key, index) =>
          isAsked(key) ? [`run ${String(index).padStart(2)}`] : [],
        )
        const shown = JSON.stringify(query)
        assert.deepEqual(await listed(store, query), expected, `${shown} lists others.`)
        assert.deepEqual(await listed(store, { ...query, limit: 1 }), expected, `${shown}, by one.`)
      }
      await expect({}, () => true)
      for (const key of [...KEYS, 'nobody', { tenant: 'nobody', conversation: 'a' }]) {
        if (key === undefined) continue
        const query = typeof key === 'string' ? { conversation: key } : key
        await expect(query, (other) => JSON.stringify(other) === JSON.stringify(key))
        const tenant = tenantOf(key)
        if (tenant !== undefined) await expect({ tenant }, (other) => tenantOf(other) === tenant)
      }
    },
  },
  {
    name: 'saving at the same time loses nothing',
    async check(store) {
      const names = Array.from({ length: 20 }, (_, index) => `run ${String(index).padStart(2)}`)
      const saves = names.map((name, index) => store.save(run(name, { savedAt: T + index })))
      await Promise.all(saves)
      assert.deepEqual(await listed(store, {}), names)
      const uses = names.map((name) => store.use(`state of ${name}`))
      const again = names.map((name) => store.save(run(name)))
      assert.deepEqual(await Promise.all(uses), Array(20).fill(true), 'A first use is refused.')
      await Promise.all(again)
      assert.deepEqual(await listed(store, {}), [], 'What was used while it was saved still waits.')
    },
  },
  {
    name: 'a bad limit or cursor is refused',
    async check(store) {
      await store.save(run('run_1'))
      const bad: readonly unknown[] = [
        ...[0, -1, 1.5, NaN, Infinity, '5', null].map((limit) => ({ limit })),
        ...['', 'nonsense', '{}', '[]', '\u0000', 5, null, 'x'.repeat(100_000)].map((cursor) => ({
          cursor,
        })),
      ]
      for (const query of bad) {
        const shown = inWords(JSON.stringify(query))
        const refused = await store.list(query as PendingRunQuery).then(
          () => undefined,
          (error: unknown) => error,
        )
        const code = ToolwrightError.is(refused) ? refused.code : undefined
        assert.equal(code, 'invalid-option', `${shown} is not refused with its code.`)
      }
    },
  },
]

/** With two stores over the same data. */
export const sharedRunCase = (
  reopen: (store: RunStore) => RunStore | Promise<RunStore>,
): RunStoreCase => ({
  name: 'a run saved in one process waits in all',
  async check(store) {
    const other = (await reopen(store)) as KeepingStore
    await store.save(run('run_1', { conversation: { tenant: 'a', conversation: 'b' } }))
    assert.deepEqual(await other.find('run_1'), await store.find('run_1'))
    assert.ok(await other.find('run_1'), 'Another process does not find it.')
    assert.deepEqual(await listed(other, { tenant: 'a' }), ['run_1'])
    const { cursor } = await store.list({ limit: 1 })
    assert.equal(cursor, undefined)
    await other.use('state of run_1')
    assert.equal(await store.find('run_1'), undefined, 'What another process used still waits.')
    assert.deepEqual(await listed(store, {}), [])
  },
})
