import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { runDirectly, type Durability } from '../ports/durability.ts'
import { durabilityContract, type DurabilityContractSetup } from './durability-contract.ts'

type Records = Map<string, string>
const recordsOf = new WeakMap<Durability, Records>()

/** The smallest thing that records: JSON by key. */
function recording(records: Records = new Map()): Durability {
  const durability: Durability = {
    async step(key, run) {
      if (!records.has(key)) records.set(key, JSON.stringify(await run()))
      return JSON.parse(records.get(key)!) as never
    },
  }
  recordsOf.set(durability, records)
  return durability
}

const SOUND: DurabilityContractSetup = {
  create: () => recording(),
  records: true,
  reopen: (durability) => recording(recordsOf.get(durability)),
  patienceMs: 200,
}

describe('running directly keeps the contract', () => {
  const suite = durabilityContract({ create: () => runDirectly, records: false })
  for (const { name, run } of suite) it(name, run)
})
describe('recording keeps the contract', () => {
  for (const { name, run } of durabilityContract(SOUND)) it(name, run)
})

const GIVES = 'a step gives what its work gave'
const REJECTS = 'a step rejects with the very thing its work threw'
const AGAIN = 'a step that failed runs again'
const KEYS = 'steps of different keys are different steps, whatever the keys look like'
const SIDE_BY_SIDE = 'steps run side by side'
const RECORDED = 'a recorded step gives its result without running again'
const NOTHING = 'a result that says nothing is recorded too'
const CRASH = 'after a crash a step gives what was recorded before'
const DIRECT = 'without records a step runs each time'

const stepping = (step: Durability['step']): Partial<DurabilityContractSetup> => ({
  create: () => ({ step }),
})
const keyed = (keyOf: (key: string) => string): Partial<DurabilityContractSetup> => ({
  create() {
    const { step } = recording()
    return { step: (key, run) => step(keyOf(key), run) }
  },
})

function remembering(): Durability {
  const settled = new Map<string, Promise<unknown>>()
  return {
    step(key, run) {
      const work = settled.get(key) ?? run()
      settled.set(key, work)
      return work as never
    },
  }
}

function oneByOne(): Durability {
  let last: Promise<unknown> = Promise.resolve()
  return {
    step(_key, run) {
      const work = last.then(run, run)
      last = work
      return work
    },
  }
}

function forgetfulOfNull(): Durability {
  const records: Record<string, unknown> = {}
  return { step: async (key, run) => (records[key] ??= await run()) as never }
}

const BROKEN: readonly (readonly [
  what: string,
  change: Partial<DurabilityContractSetup>,
  rejectedBy: string,
])[] = [
  ['loses results', stepping(async (_key, run) => (await run(), undefined as never)), GIVES],
  ['never settles', stepping(() => new Promise(() => {})), GIVES],
  [
    'wraps what was thrown',
    stepping((_key, run) =>
      run().catch((cause: unknown) => {
        throw new Error('The step failed.', { cause })
      }),
    ),
    REJECTS,
  ],
  [
    'swallows what was thrown',
    stepping((_key, run) => run().catch(() => undefined as never)),
    REJECTS,
  ],
  ['records failures', { create: remembering }, AGAIN],
  ['has one record for all keys', keyed(() => 'step'), KEYS],
  ['keeps the first part of a key', keyed((key) => key.split('/')[0]!), KEYS],
  ['runs one step after another', { create: oneByOne }, SIDE_BY_SIDE],
  ['claims to record', { create: () => runDirectly }, RECORDED],
  ['takes nothing for no record', { create: forgetfulOfNull }, NOTHING],
  ['loses its records in a crash', { reopen: () => recording() }, CRASH],
  ['records without saying so', { records: false }, DIRECT],
]

describe('the contract rejects a durability that', () => {
  for (const [what, change, rejectedBy] of BROKEN)
    it(what, async () => {
      const suite = durabilityContract({ ...SOUND, ...change })
      const [named] = suite.filter(({ name }) => name === rejectedBy)
      await expect(named!.run()).rejects.toBeInstanceOf(AssertionError)
    })
})
