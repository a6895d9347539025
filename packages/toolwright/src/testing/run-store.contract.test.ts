import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { inMemoryRunStore, type RunStore } from '../run/run-store.ts'
import { runStoreContract, type RunStoreContractSetup } from './run-store-contract.ts'

describe('the store in memory keeps the contract', () => {
  const suite = runStoreContract({
    create: inMemoryRunStore,
    reopen: (store) => store,
    keepsUsers: true,
  })
  for (const { name, run } of suite) it(name, run)
})

const ONCE = 'a state can be used once'
const EACH = 'each state is used for itself, whatever its id looks like'
const MANY = 'of many uses at the same time one wins'
const SHARED = 'a state used in one process is used in all'
const AGAIN = 'whoever used a state may use it again when the run is replayed, and nobody else'

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
]

describe('the contract rejects a store that', () => {
  const setup = (create: () => RunStore): RunStoreContractSetup => ({
    create,
    reopen: create,
    keepsUsers: true,
    patienceMs: 50,
  })
  for (const [what, create, rejectedBy] of BROKEN)
    it(what, async () => {
      const [named] = runStoreContract(setup(create)).filter(({ name }) => name === rejectedBy)
      await expect(named!.run()).rejects.toBeInstanceOf(AssertionError)
    })
})
