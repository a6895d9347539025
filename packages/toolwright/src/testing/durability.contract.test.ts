import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { DurabilityError } from '../errors/errors.ts'
import { runDirectly, type Durability } from '../ports/durability.ts'
import { durabilityContract, type DurabilityContractSetup } from './durability-contract.ts'

/** What outlives a process: records as JSON by key, and the steps that were begun. */
interface Records {
  readonly results: Map<string, string>
  readonly begun: Set<string>
  readonly runId: string
}
const recordsOf = new WeakMap<Durability, Records>()

const noRecords = (): Records => ({ results: new Map(), begun: new Set(), runId: 'run_1' })

/** The smallest thing that records, and knows what it began. */
function recording(records: Records = noRecords()): Durability {
  const { results, begun, runId } = records
  const durability: Durability = {
    async step(key, run, tool) {
      const known = results.get(key)
      if (known !== undefined) return JSON.parse(known) as never
      if (tool?.effect === 'once' && begun.has(key))
        throw new DurabilityError('unknown-outcome', `Nobody knows how "${key}" ended.`)
      if (tool) begun.add(key)
      const result = JSON.stringify((await run()) ?? null)
      results.set(key, result)
      return JSON.parse(result) as never
    },
    runId: () => runId,
  }
  recordsOf.set(durability, records)
  return durability
}

const reopen = (durability: Durability): Durability => recording(recordsOf.get(durability))

const SOUND: DurabilityContractSetup = {
  create: () => recording(),
  records: true,
  reopen,
  cutOff(durability, key) {
    recordsOf.get(durability)!.begun.add(key)
    return reopen(durability)
  },
  // More than any case takes on a busy machine.
  patienceMs: 2_000,
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
const TOOL = 'a step that runs a tool gives what its work gave, whatever the effect'
const LARGE = 'a large result is given whole'
const UNDEFINED =
  'a step that gives undefined ends: with nothing, or with an error that names its key'
const OWN =
  'after a crash steps that ran side by side give each its own result, whatever ended first'
const LARGE_CRASH = 'after a crash a large result is there whole'
const TOOL_CRASH = 'after a crash a step that ran a tool gives its record, whatever the effect'
const NAMED = 'a run that is replayed has the same name, if the durability names it'
const UNKNOWN =
  'a tool that must not run twice and was cut off does not run again: nobody knows how it ended'
const RUNS_AGAIN = 'a tool that may run twice and was cut off runs again'
const OTHER_KEY =
  'a tool that was cut off runs under another key, and other steps have their records'
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

/** Records by position, in the order in which steps end. */
function numbered(results: string[] = []): Durability & { readonly results: string[] } {
  let started = 0
  return {
    results,
    async step(_key, run) {
      const known = results[started++]
      if (known !== undefined) return JSON.parse(known) as never
      const result = await run()
      results.push(JSON.stringify(result))
      return result
    },
  }
}

/** The sound one, reopened over records that something was done to. */
const reopening = (change: (records: Records) => Partial<Records>): DurabilityContractSetup => ({
  ...SOUND,
  reopen(durability) {
    const records = recordsOf.get(durability)!
    return recording({ ...records, ...change(records) })
  },
})

const cuttingOff = (
  cutOff: (durability: Durability, key: string) => Durability,
): Partial<DurabilityContractSetup> => ({ cutOff })

const BROKEN: readonly (readonly [
  what: string,
  change: Partial<DurabilityContractSetup>,
  rejectedBy: string,
])[] = [
  ['loses results', stepping(async (_key, run) => (await run(), undefined as never)), GIVES],
  ['never settles', { ...stepping(() => new Promise(() => {})), patienceMs: 100 }, GIVES],
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
  ['takes upper case for lower case', keyed((key) => key.toLowerCase()), KEYS],
  ['forgets spaces', keyed((key) => key.trim()), KEYS],
  ['writes letters in one way', keyed((key) => key.normalize('NFC')), KEYS],
  ['cuts long keys', keyed((key) => key.slice(0, 255)), KEYS],
  [
    'runs no tools',
    stepping((_key, run, tool) => (tool ? Promise.resolve(undefined as never) : run())),
    TOOL,
  ],
  [
    'cuts large results',
    stepping(async (_key, run) => {
      const text = JSON.stringify(await run())
      return JSON.parse(text.length > 100_000 ? 'null' : text) as never
    }),
    LARGE,
  ],
  [
    'stumbles over undefined',
    stepping(async (_key, run) => JSON.parse(JSON.stringify(await run())) as never),
    UNDEFINED,
  ],
  ['never ends when there is nothing', { ...stepping(async (_key, run) => (await run()) ?? new Promise(() => {})), patienceMs: 100 }, UNDEFINED], // prettier-ignore
  ['has one record for all keys', keyed(() => 'step'), KEYS],
  ['keeps the first part of a key', keyed((key) => key.split('/')[0]!), KEYS],
  ['runs one step after another', { create: oneByOne }, SIDE_BY_SIDE],
  ['claims to record', { create: () => runDirectly }, RECORDED],
  ['takes nothing for no record', { create: forgetfulOfNull }, NOTHING],
  ['loses its records in a crash', { reopen: () => recording() }, CRASH],
  [
    'numbers its records by the order of ending',
    {
      create: () => numbered(),
      reopen: (durability) => numbered((durability as ReturnType<typeof numbered>).results),
    },
    OWN,
  ],
  [
    'loses large results in a crash',
    reopening(({ results }) => ({
      results: new Map([...results].filter(([, result]) => result.length < 100_000)),
    })),
    LARGE_CRASH,
  ],
  [
    'takes a tool that ended for one that was cut off',
    reopening(() => ({ results: new Map() })),
    TOOL_CRASH,
  ],
  ['names a run anew in every life', reopening(() => ({ runId: 'run_2' })), NAMED],
  ['names a run by nothing', { create: () => recording({ ...noRecords(), runId: '' }) }, NAMED],
  ['runs again what was cut off', cuttingOff((durability) => reopen(durability)), UNKNOWN],
  [
    'asks about the unknown only once',
    cuttingOff((durability, key) => {
      const after = reopen(durability)
      let isFirst = true
      return {
        step(stepKey, run, tool) {
          if (stepKey !== key || !isFirst) return after.step(stepKey, run, tool)
          isFirst = false
          return Promise.reject(new DurabilityError('unknown-outcome', 'Who knows?'))
        },
      }
    }),
    UNKNOWN,
  ],
  [
    'says in its own words that nobody knows',
    cuttingOff(() => ({ step: () => Promise.reject(new Error('unknown-outcome')) })),
    UNKNOWN,
  ],
  [
    'asks about every tool that was cut off',
    cuttingOff((durability, key) => {
      const after = SOUND.cutOff!(durability, key, undefined as never) as Durability
      return {
        step: (stepKey, run, tool) =>
          after.step(stepKey, run, tool && { ...tool, effect: 'once' as const }),
      }
    }),
    RUNS_AGAIN,
  ],
  [
    'asks about every later step of a call that was cut off',
    cuttingOff((durability, key) => ({
      step: (stepKey, run, tool) =>
        stepKey.startsWith(key)
          ? Promise.reject(new DurabilityError('unknown-outcome', 'Who knows?'))
          : reopen(durability).step(stepKey, run, tool),
    })),
    OTHER_KEY,
  ],
  ['loses all records when a tool is cut off', cuttingOff(() => recording()), OTHER_KEY],
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
