/** The suite every run store must pass: each suspended state resumes once, whoever asks, and what waits is not lost. */
import assert from 'node:assert/strict'
import type { RunStore } from '../run/run-store.ts'
import type { ContractCase } from './contract-case.ts'
import { inWords, ODD_TEXTS } from './odd-texts.ts'
import { PENDING_RUN_CASES, sharedRunCase } from './pending-run-cases.ts'
import { DEFAULT_PATIENCE_MS, inPatience, resolved } from './settling.ts'

export interface RunStoreContractSetup {
  /** A fresh, empty store. */
  create(): RunStore | Promise<RunStore>
  /** Another store over the same data, as a second process would open it. Adds the cases about sharing. */
  reopen?(store: RunStore): RunStore | Promise<RunStore>
  /** It keeps who used a state, `use(stateId, by)`. Adds the case about runs that are replayed. */
  readonly keepsUsers?: boolean
  /** It keeps the runs that wait: `save`, `find` and `list`. Adds the cases about them. */
  readonly keepsRuns?: boolean
  /** How long one use, or one case about runs that wait, may take before it counts as hanging. Default 5,000. */
  readonly patienceMs?: number
}

/**
 * @example
 * for (const { name, run } of runStoreContract({ create: inMemoryRunStore })) it(name, run)
 */
export function runStoreContract(setup: RunStoreContractSetup): readonly ContractCase[] {
  const { patienceMs = DEFAULT_PATIENCE_MS } = setup
  const use = (store: RunStore, id: string): Promise<boolean> =>
    resolved({ work: store.use(id), what: `use(${JSON.stringify(id.slice(0, 40))})`, patienceMs })
  const cases: ContractCase[] = [
    {
      name: 'a state can be used once',
      async run() {
        const store = await setup.create()
        assert.equal(await use(store, 'state_1'), true, 'The first use is refused.')
        assert.equal(await use(store, 'state_1'), false, 'The second use is allowed.')
        assert.equal(await use(store, 'state_1'), false, 'The third use is allowed.')
      },
    },
    {
      name: 'each state is used for itself, whatever its id looks like',
      async run() {
        const store = await setup.create()
        for (const id of ODD_TEXTS)
          assert.equal(await use(store, id), true, `The first use of ${inWords(id)} is refused.`)
        for (const id of ODD_TEXTS)
          assert.equal(await use(store, id), false, `The second use of ${inWords(id)} is allowed.`)
      },
    },
    {
      name: 'of many uses at the same time one wins',
      async run() {
        const store = await setup.create()
        const uses = await Promise.all(Array.from({ length: 20 }, () => use(store, 'state_1')))
        const wins = uses.filter(Boolean).length
        assert.equal(wins, 1, `${wins} of 20 uses at the same time won.`)
      },
    },
  ]
  if (setup.keepsUsers)
    cases.push({
      name: 'whoever used a state may use it again when the run is replayed, and nobody else',
      async run() {
        const store = await setup.create()
        const by = (name?: string): Promise<boolean> => store.use('state_1', name)
        assert.equal(await by('resume_1'), true, 'The first use is refused.')
        assert.equal(await by('resume_1'), true, 'The same one is refused.')
        assert.equal(await by('resume_2'), false, 'Another one is allowed.')
        assert.equal(await by(), false, 'One without a name is allowed.')
        assert.equal(await store.use('state_2'), true, 'The first use of another state is refused.')
        assert.equal(await store.use('state_2'), false, 'Those without a name count as one.')
      },
    })
  const { reopen } = setup
  if (reopen)
    cases.push({
      name: 'a state used in one process is used in all',
      async run() {
        const store = await setup.create()
        const other = await reopen(store)
        assert.equal(await use(store, 'state_1'), true, 'The first use is refused.')
        assert.equal(await use(other, 'state_1'), false, 'Another process uses it again.')
        const uses = await Promise.all([store, other].map((either) => use(either, 'state_2')))
        assert.equal(uses.filter(Boolean).length, 1, 'Not exactly one of two processes won.')
      },
    })
  return setup.keepsRuns ? [...cases, ...keepingCases(setup, patienceMs)] : cases
}

function keepingCases(setup: RunStoreContractSetup, patienceMs: number): readonly ContractCase[] {
  const { create, reopen } = setup
  const shared = reopen ? [sharedRunCase(reopen)] : []
  return [...PENDING_RUN_CASES, ...shared].map(({ name, check }) => ({
    name,
    async run() {
      const store = await create()
      const { save, find, list } = store
      assert.ok(save && find && list, 'It says that it keeps runs, and lacks save, find or list.')
      await inPatience({ work: check(store as Required<RunStore>), what: name, patienceMs })
    },
  }))
}
