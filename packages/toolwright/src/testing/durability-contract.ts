/** The suite every durability port must pass: steps run and settle as if they were called directly. */
import assert from 'node:assert/strict'
import type { Json } from '../messages/json.ts'
import type { Durability } from '../ports/durability.ts'
import type { ContractCase } from './contract-case.ts'
import { idle } from './patience.ts'
import { DEFAULT_PATIENCE_MS, rejected, resolved } from './settling.ts'

export interface DurabilityContractSetup {
  /** A fresh one, with nothing recorded. */
  create(): Durability | Promise<Durability>
  /** It gives back what it recorded under a key instead of running again. */
  readonly records: boolean
  /** Another one over the same records, as after a crash. Adds the cases about replay. */
  reopen?(durability: Durability): Durability | Promise<Durability>
  /** How long one step may take before it counts as hanging. Default 5,000. */
  readonly patienceMs?: number
}

const VALUES: readonly Json[] = [
  null,
  false,
  0,
  '',
  'wörds 😀',
  [1, [2]],
  { deep: { list: [null] } },
]
const KEYS = [
  'run_1/round-1/model',
  'run_1/round-1/tool/call_a',
  '__proto__',
  'schlüssel 😀',
  "it's",
]

/** A step that counts how often it ran. */
class CountedStep {
  runs = 0
  readonly run = async (): Promise<number> => (this.runs += 1)
}

/**
 * @example
 * const suite = durabilityContract({ create: () => runDirectly, records: false })
 */
export function durabilityContract(setup: DurabilityContractSetup): readonly ContractCase[] {
  const steps = guardedSteps(setup.patienceMs ?? DEFAULT_PATIENCE_MS)
  return [
    ...alwaysCases(setup, steps),
    ...(setup.records ? recordingCases(setup, steps) : directCases(setup, steps)),
    ...(setup.reopen ? replayCases(setup, steps) : []),
  ]
}

interface Step<T> {
  readonly key: string
  run(): Promise<T>
}
interface GuardedSteps {
  settles<T>(durability: Durability, step: Step<T>): Promise<T>
  rejects(durability: Durability, step: Step<unknown>): Promise<unknown>
}

function guardedSteps(patienceMs: number): GuardedSteps {
  const awaiting = <T>(durability: Durability, { key, run }: Step<T>) => ({
    work: Promise.resolve(durability.step(key, run)),
    what: `step("${key}")`,
    patienceMs,
  })
  return {
    settles: (durability, step) => resolved(awaiting(durability, step)),
    rejects: (durability, step) => rejected(awaiting(durability, step)),
  }
}

function alwaysCases(setup: DurabilityContractSetup, steps: GuardedSteps): readonly ContractCase[] {
  return [
    {
      name: 'a step gives what its work gave',
      async run() {
        const durability = await setup.create()
        for (const [index, value] of VALUES.entries()) {
          const got = await steps.settles(durability, {
            key: `value-${index}`,
            run: async () => value,
          })
          assert.deepEqual(got, value, 'The step gives something else than its work.')
        }
      },
    },
    {
      name: 'a step rejects with the very thing its work threw',
      async run() {
        const durability = await setup.create()
        const thrown = new Error('The work failed.')
        const run = (): Promise<never> => Promise.reject(thrown)
        const got = await steps.rejects(durability, { key: 'failing', run })
        assert.equal(got, thrown, 'The step rejects with something else.')
      },
    },
    {
      name: 'a step that failed runs again',
      async run() {
        const durability = await setup.create()
        const run = (): Promise<never> => Promise.reject(new Error('Not yet.'))
        await steps.rejects(durability, { key: 'flaky', run })
        const got = await steps.settles(durability, { key: 'flaky', run: async () => 'worked' })
        assert.equal(got, 'worked', 'The failure was recorded.')
      },
    },
    {
      name: 'steps of different keys are different steps, whatever the keys look like',
      async run() {
        const durability = await setup.create()
        for (const key of KEYS) {
          const got = await steps.settles(durability, { key, run: async () => `of ${key}` })
          assert.equal(got, `of ${key}`, `The step "${key}" gives the result of another.`)
        }
      },
    },
    {
      name: 'steps run side by side',
      async run() {
        const durability = await setup.create()
        let open = 0
        let most = 0
        const run = async (): Promise<void> => {
          most = Math.max(most, ++open)
          await idle()
          open -= 1
        }
        const keys = ['a', 'b', 'c']
        await Promise.all(
          keys.map((key) =>
            steps.settles(durability, { key, run: async () => (await run(), key) }),
          ),
        )
        assert.equal(most, 3, `Only ${most} of 3 steps ran at a time.`)
      },
    },
  ]
}

function recordingCases(
  setup: DurabilityContractSetup,
  steps: GuardedSteps,
): readonly ContractCase[] {
  return [
    {
      name: 'a recorded step gives its result without running again',
      async run() {
        const durability = await setup.create()
        const counted = new CountedStep()
        const { run } = counted
        const first = await steps.settles(durability, { key: 'once', run })
        const second = await steps.settles(durability, { key: 'once', run })
        assert.equal(counted.runs, 1, `The work ran ${counted.runs} times.`)
        assert.equal(second, first, 'The second result is another.')
      },
    },
    {
      name: 'a result that says nothing is recorded too',
      async run() {
        const durability = await setup.create()
        let runs = 0
        const run = async (): Promise<null> => ((runs += 1), null)
        await steps.settles(durability, { key: 'nothing', run })
        assert.equal(await steps.settles(durability, { key: 'nothing', run }), null)
        assert.equal(runs, 1, `The work ran ${runs} times.`)
      },
    },
  ]
}

function directCases(setup: DurabilityContractSetup, steps: GuardedSteps): readonly ContractCase[] {
  return [
    {
      name: 'without records a step runs each time',
      async run() {
        const durability = await setup.create()
        const counted = new CountedStep()
        const { run } = counted
        await steps.settles(durability, { key: 'again', run })
        await steps.settles(durability, { key: 'again', run })
        assert.equal(counted.runs, 2, `The work ran ${counted.runs} times.`)
      },
    },
  ]
}

function replayCases(setup: DurabilityContractSetup, steps: GuardedSteps): readonly ContractCase[] {
  return [
    {
      name: 'after a crash a step gives what was recorded before',
      async run() {
        const before = await setup.create()
        for (const [index, value] of VALUES.entries())
          await steps.settles(before, { key: `value-${index}`, run: async () => value })
        const after = await setup.reopen!(before)
        for (const [index, value] of VALUES.entries()) {
          const run = (): Promise<never> => Promise.reject(new Error('It ran again.'))
          const got = await steps.settles(after, { key: `value-${index}`, run })
          assert.deepEqual(got, value, 'The record is not what the work gave.')
        }
      },
    },
  ]
}
