import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { inMemoryRunStore } from '../run/in-memory-run-store.ts'
import type { PendingRun, PendingRunQuery, RunStore } from '../run/run-store.ts'
import { runStoreContract, type RunStoreContractSetup } from './run-store-contract.ts'

describe('the store in memory keeps the contract', () => {
  const suite = runStoreContract({
    create: inMemoryRunStore,
    reopen: (store) => store,
    keepsUsers: true,
    keepsRuns: true,
  })
  for (const { name, run } of suite) it(name, run)
})

const ONCE = 'a state can be used once'
const EACH = 'each state is used for itself, whatever its id looks like'
const MANY = 'of many uses at the same time one wins'
const SHARED = 'a state used in one process is used in all'
const AGAIN = 'whoever used a state may use it again when the run is replayed, and nobody else'
const NOTHING_WAITS = 'a store in which nothing waits finds and lists nothing'
const AS_SAVED = 'a run that waits is found and listed as it was saved'
const NEWER = 'a newer state of a run takes the place of the older one'
const NO_MORE = 'a run whose state was used waits no more'
const NOT_AGAIN = 'a state that was used is not kept again'
const FOR_ITSELF = 'each run is found for itself, whatever its ids look like'
const PAGES = 'what waits is listed oldest first, page by page'
const BETWEEN = 'pages stay whole while runs are saved and used between them'
const TENANTS = 'no tenant and no conversation sees the runs of another'
const SAVED_AT_ONCE = 'saving at the same time loses nothing'
const BAD_QUERY = 'a bad limit or cursor is refused'
const WAITS_IN_ALL = 'a run saved in one process waits in all'

/** A store that finds the state of an id under another key. */
const keyed = (keyOf: (id: string) => string): RunStore => {
  const store = inMemoryRunStore()
  return { use: (id) => store.use(keyOf(id)) }
}

function checkingFirst(): RunStore {
  const used = new Set<string>()
  return {
    async use(id) {
      const free = !used.has(id)
      await new Promise((resolve) => setImmediate(resolve))
      used.add(id)
      return free
    },
  }
}

function inPlainObject(): RunStore {
  const used: Record<string, true> = {}
  return {
    async use(id) {
      if (used[id]) return false
      return (used[id] = true)
    },
  }
}

function sameForAll(): RunStore {
  const store = inMemoryRunStore()
  return { use: (id) => store.use(id, 'somebody') }
}

type KeepingStore = Required<RunStore>

const keeping =
  (change: (inner: KeepingStore) => Partial<KeepingStore>): (() => RunStore) =>
  () => {
    const inner = inMemoryRunStore()
    return { ...inner, ...change(inner) }
  }

/** Keeps another run than it was given. */
const saving = (change: (run: PendingRun) => PendingRun): (() => RunStore) =>
  keeping((inner) => ({ save: (run) => inner.save(change(run)) }))

/** Keeps and finds runs under other ids. */
const runsKeyed = (keyOf: (id: string) => string): (() => RunStore) =>
  keeping((inner) => ({
    save: (run) => inner.save({ ...run, runId: keyOf(run.runId) }),
    find: async (runId) => {
      const found = await inner.find(keyOf(runId))
      return found && { ...found, runId }
    },
  }))

const changedTexts = (run: PendingRun, change: (text: string) => string): PendingRun =>
  JSON.parse(JSON.stringify(run), (_key, value: unknown) =>
    typeof value === 'string' ? change(value) : value,
  ) as PendingRun

/** Lists what another query asks for. */
const listing = (change: (query: PendingRunQuery) => PendingRunQuery): (() => RunStore) =>
  keeping((inner) => ({ list: (query) => inner.list(change(query)) }))

/** Says how many were listed instead of where the list goes on. */
function byOffset(inner: KeepingStore): Partial<KeepingStore> {
  return {
    async list({ cursor = '0', limit = 50, ...query }) {
      const { runs } = await inner.list({ ...query, limit: 100_000 })
      const end = Number(cursor) + limit
      const page = runs.slice(Number(cursor), end)
      return runs.length > end ? { runs: page, cursor: String(end) } : { runs: page }
    },
  }
}

/** Looks for what comes after the time of the last one. */
function byTimeAlone(inner: KeepingStore): Partial<KeepingStore> {
  return {
    async list({ cursor, limit = 50, ...query }) {
      const { runs } = await inner.list({ ...query, limit: 100_000 })
      const rest = runs.filter(({ savedAt }) => savedAt > Number(cursor ?? -Infinity))
      const page = rest.slice(0, limit)
      return rest.length > limit
        ? { runs: page, cursor: String(page.at(-1)!.savedAt) }
        : { runs: page }
    },
  }
}

/** Keeps every state that was ever saved as a run of its own. */
function everyState(): RunStore {
  const inner = inMemoryRunStore()
  const shown = (run: PendingRun): PendingRun => ({ ...run, runId: run.state.runId })
  return {
    use: inner.use,
    save: (run) => inner.save({ ...run, runId: run.stateId }),
    async find(runId) {
      const { runs } = await inner.list({ limit: 100_000 })
      return runs.map(shown).findLast((run) => run.runId === runId)
    },
    async list(query) {
      const page = await inner.list(query)
      return { ...page, runs: page.runs.map(shown) }
    },
  }
}

/** Marks and looks in two steps. */
function lookingFirst(inner: KeepingStore): Partial<KeepingStore> {
  const used = new Set<string>()
  const kept = new Map<string, PendingRun>()
  return {
    async use(stateId) {
      const isFirst = await inner.use(stateId)
      used.add(stateId)
      for (const [runId, run] of kept) if (run.stateId === stateId) kept.delete(runId)
      return isFirst
    },
    async save(run) {
      const isUsed = used.has(run.stateId)
      await new Promise((resolve) => setImmediate(resolve))
      if (!isUsed) kept.set(run.runId, run)
    },
    find: async (runId) => kept.get(runId),
    list: async () => ({ runs: [...kept.values()] }),
  }
}

/** The same objects, in and out. */
function handingOut(): RunStore {
  const runs = new Map<string, PendingRun>()
  const inner = inMemoryRunStore()
  return {
    use: inner.use,
    save: async (run) => void runs.set(run.runId, run),
    find: async (runId) => runs.get(runId),
    list: async () => ({ runs: [...runs.values()] }),
  }
}

/** A used state can be saved, and so waits for ever. */
function keepingUsed(): RunStore {
  let inner = inMemoryRunStore()
  const { use } = inMemoryRunStore()
  return {
    async use(stateId) {
      const isFirst = await use(stateId)
      if (isFirst) await inner.use(stateId)
      return isFirst
    },
    async save(run) {
      const { runs } = await inner.list({})
      inner = inMemoryRunStore()
      for (const each of [...runs, run]) await inner.save(each)
    },
    find: (runId) => inner.find(runId),
    list: (query) => inner.list(query),
  }
}

const newestFirst = (inner: KeepingStore): Partial<KeepingStore> => ({
  async list({ limit = 50, cursor: _cursor, ...query }) {
    const { runs } = await inner.list({ ...query, limit: 100_000 })
    return { runs: runs.toReversed().slice(0, limit) }
  },
})

const BROKEN: readonly (readonly [what: string, create: () => RunStore, rejectedBy: string])[] = [
  ['allows every use', () => ({ use: async () => true }), ONCE],
  ['allows no use', () => ({ use: async () => false }), ONCE],
  ['never answers', () => ({ use: () => new Promise(() => {}) }), ONCE],
  ['checks before it marks', checkingFirst, MANY],
  ['keeps ids in a plain object', inPlainObject, EACH],
  ['ignores case', () => keyed((id) => id.toLowerCase()), EACH],
  ['normalises ids', () => keyed((id) => id.normalize('NFC')), EACH],
  ['trims ids', () => keyed((id) => id.trim()), EACH],
  ['keeps the start of an id', () => keyed((id) => id.slice(0, 255)), EACH],
  ['shares nothing with other processes', inMemoryRunStore, SHARED],
  ['says it keeps who used a state, and does not', () => keyed((id) => id), AGAIN],
  ['takes everybody for the same', sameForAll, AGAIN],
  ['says it keeps runs, and does not', () => keyed((id) => id), NOTHING_WAITS],
  [
    'lists what is not there',
    keeping(() => ({ list: async () => ({ runs: [], cursor: '' }) })),
    NOTHING_WAITS,
  ],
  [
    'keeps what is decided and forgets the state',
    saving((run) => ({ ...run, state: {} as never })),
    AS_SAVED,
  ],
  [
    'drops NUL',
    saving((run) => changedTexts(run, (text) => text.replaceAll('\u0000', ''))),
    AS_SAVED,
  ],
  [
    'replaces half characters',
    saving((run) => changedTexts(run, (text) => text.toWellFormed())),
    AS_SAVED,
  ],
  [
    'cuts long texts',
    saving((run) => changedTexts(run, (text) => text.slice(0, 65_535))),
    AS_SAVED,
  ],
  ['hands out what it holds', handingOut, AS_SAVED],
  ['keeps every state', everyState, NEWER],
  [
    'keeps the first state',
    keeping((inner) => ({
      save: async (run) => ((await inner.find(run.runId)) ? undefined : inner.save(run)),
    })),
    NEWER,
  ],
  ['keeps what was used', keeping(() => ({ use: inMemoryRunStore().use })), NO_MORE],
  [
    'takes a run id for the id of a state',
    keeping((inner) => ({
      async use(id, by) {
        const run = await inner.find(id)
        if (run) await inner.use(run.stateId)
        return inner.use(id, by)
      },
    })),
    NO_MORE,
  ],
  ['keeps a used state again', keepingUsed, NOT_AGAIN],
  ['ignores the case of run ids', runsKeyed((id) => id.toLowerCase()), FOR_ITSELF],
  ['normalises run ids', runsKeyed((id) => id.normalize('NFC')), FOR_ITSELF],
  ['makes run ids well-formed', runsKeyed((id) => id.toWellFormed()), FOR_ITSELF],
  ['ends run ids at NUL', runsKeyed((id) => id.split('\u0000')[0]!), FOR_ITSELF],
  ['keeps the start of a run id', runsKeyed((id) => id.slice(0, 2_000)), FOR_ITSELF],
  ['lists the newest first', keeping(newestFirst), PAGES],
  ['lists all by default', listing((query) => ({ limit: 1_000, ...query })), PAGES],
  ['loses those of equal times', keeping(byTimeAlone), PAGES],
  ['counts from the start', keeping(byOffset), BETWEEN],
  ['ignores the tenant', listing(({ tenant: _tenant, ...query }) => query), TENANTS],
  ['ignores the conversation', listing(({ conversation: _c, ...query }) => query), TENANTS],
  [
    'lists plain conversations for a tenant',
    listing(({ tenant, conversation, ...query }) => ({
      ...query,
      ...(tenant !== undefined && conversation === undefined && { tenant }),
      ...(conversation !== undefined && { conversation }),
    })),
    TENANTS,
  ],
  [
    'makes conversations well-formed',
    saving((run) => ({ ...changedTexts(run, (text) => text.toWellFormed()), state: run.state })),
    TENANTS,
  ],
  ['looks before it marks', keeping(lookingFirst), SAVED_AT_ONCE],
  [
    'takes any cursor for the first page',
    listing(({ cursor: _cursor, ...query }) => query),
    BAD_QUERY,
  ],
  [
    'takes any limit',
    listing(({ limit, ...query }) => ({
      ...query,
      ...(Number.isInteger(limit) && limit! > 0 && { limit: limit! }),
    })),
    BAD_QUERY,
  ],
  ['keeps runs of its own process', inMemoryRunStore, WAITS_IN_ALL],
]

describe('the contract rejects a store that', () => {
  const setup = (create: () => RunStore): RunStoreContractSetup => ({
    create,
    reopen: create,
    keepsUsers: true,
    keepsRuns: true,
    patienceMs: 500,
  })
  for (const [what, create, rejectedBy] of BROKEN)
    it(what, async () => {
      const [named] = runStoreContract(setup(create)).filter(({ name }) => name === rejectedBy)
      await expect(named!.run()).rejects.toBeInstanceOf(AssertionError)
    })
})
