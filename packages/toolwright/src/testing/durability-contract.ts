/** The suite every durability port must pass: steps run and settle as if they were called directly. */
import assert from 'node:assert/strict'
import { ToolwrightError } from '../errors/errors.ts'
import type { Json } from '../messages/json.ts'
import type { Durability, ToolStep } from '../ports/durability.ts'
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
  /**
   * Another one over the same records, as after a crash while this step ran: it was begun, and nothing was recorded
   * of it. Adds the cases about unknown outcomes.
   */
  cutOff?(durability: Durability, key: string, tool: ToolStep): Durability | Promise<Durability>
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
/** Call ids are part of keys, and a model may call them anything. */
const KEYS = [
  'run_1/round-1/model',
  'run_1/round-1/tool/call_a',
  'run_1/round-1/tool/Call_a',
  'run_1/round-1/tool/call_a ',
  '__proto__',
  'schlüssel 😀',
  // The same to a reader, but written in two ways.
  'caf\u00e9',
  'cafe\u0301',
  "it's",
  'a%b',
  'a_b',
  'a\\b',
  'a\nb',
  '\u202eright to left',
  `${'long/'.repeat(200)}a`,
  `${'long/'.repeat(200)}b`,
]
/** Two million characters, not all of them of one byte. */
const LARGE: Json = { text: 'wörd '.repeat(200_000), list: Array.from({ length: 20_000 }, () => 1) }

const toolStep = (effect: ToolStep['effect']): ToolStep => ({
  toolName: 'pay',
  callId: 'call_a',
  effect,
  input: { amount: 5 },
  isUndoable: false,
})
const REPEATABLE = ['read', 'idempotent', 'keyed'] as const

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
    ...(setup.cutOff ? unknownCases(setup, steps) : []),
  ]
}

interface Step<T> {
  readonly key: string
  readonly tool?: ToolStep
  run(): Promise<T>
}
interface GuardedSteps {
  settles<T>(durability: Durability, step: Step<T>): Promise<T>
  rejects(durability: Durability, step: Step<unknown>): Promise<unknown>
}

function guardedSteps(patienceMs: number): GuardedSteps {
  const awaiting = <T>(durability: Durability, { key, run, tool }: Step<T>) => ({
    work: Promise.resolve(durability.step(key, run, tool)),
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
      name: 'a step that runs a tool gives what its work gave, whatever the effect',
      async run() {
        const durability = await setup.create()
        for (const effect of [...REPEATABLE, 'once'] as const) {
          const run = async (): Promise<Json> => ({ output: `of ${effect}` })
          const step = { key: `tool/${effect}`, tool: toolStep(effect), run }
          const got = await steps.settles(durability, step)
          assert.deepEqual(got, { output: `of ${effect}` }, 'The step gives something else.')
        }
      },
    },
    {
      name: 'a large result is given whole',
      async run() {
        const durability = await setup.create()
        const got = await steps.settles(durability, { key: 'large', run: async () => LARGE })
        assert.deepEqual(got, LARGE, 'The result is another.')
      },
    },
    {
      name: 'a step that gives undefined ends: with nothing, or with an error that names its key',
      async run() {
        const durability = await setup.create()
        const step = { key: 'gives-nothing', run: async (): Promise<unknown> => undefined }
        const settling = durability.step(step.key, step.run).then(
          (got) => void assert.equal(got ?? null, null, 'The step gives something.'),
          (thrown: unknown) =>
            assert.match(String(thrown), /gives-nothing/, `The error is of no help: ${thrown}`),
        )
        await steps.settles({ step: () => settling as never }, step)
      },
    },
    {
      name: 'steps run side by side',
      async run() {
        const durability = await setup.create()
        const keys = ['a', 'b', 'c']
        let open = 0
        let enter!: () => void
        const allIn = new Promise<void>((resolve) => (enter = resolve))
        // Each waits for the others: steps that run one after another never settle.
        const run = async (): Promise<void> => {
          if (++open === keys.length) enter()
          await allIn
        }
        await Promise.all(
          keys.map((key) =>
            steps.settles(durability, { key, run: async () => (await run(), key) }),
          ),
        )
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
    {
      name: 'after a crash steps that ran side by side give each its own result, whatever ended first',
      async run() {
        const keys = ['slow', 'slower', 'quick']
        const before = await setup.create()
        const turns: { readonly [key: string]: number } = { slow: 2, slower: 4 }
        const start = (durability: Durability, work: (key: string) => Promise<string>) =>
          Promise.all(keys.map((key) => steps.settles(durability, { key, run: () => work(key) })))
        await start(before, async (key) => {
          for (let turn = 0; turn < (turns[key] ?? 0); turn++) await idle()
          return `of ${key}`
        })
        const after = await setup.reopen!(before)
        const got = await start(after, () => Promise.reject(new Error('It ran again.')))
        assert.deepEqual(got, ['of slow', 'of slower', 'of quick'], 'The results are swapped.')
      },
    },
    {
      name: 'after a crash a large result is there whole',
      async run() {
        const before = await setup.create()
        await steps.settles(before, { key: 'large', run: async () => LARGE })
        const after = await setup.reopen!(before)
        const run = (): Promise<never> => Promise.reject(new Error('It ran again.'))
        assert.deepEqual(await steps.settles(after, { key: 'large', run }), LARGE)
      },
    },
    {
      name: 'after a crash a step that ran a tool gives its record, whatever the effect',
      async run() {
        const before = await setup.create()
        const effects = [...REPEATABLE, 'once'] as const
        for (const effect of effects) {
          const step = { key: `tool/${effect}`, tool: toolStep(effect), run: async () => effect }
          await steps.settles(before, step)
        }
        const after = await setup.reopen!(before)
        for (const effect of effects) {
          const run = (): Promise<never> => Promise.reject(new Error('The tool ran again.'))
          const step = { key: `tool/${effect}`, tool: toolStep(effect), run }
          assert.equal(await steps.settles(after, step), effect, 'The record is another.')
        }
      },
    },
    {
      name: 'a run that is replayed has the same name, if the durability names it',
      async run() {
        const before = await setup.create()
        const name = await before.runId?.()
        const after = await setup.reopen!(before)
        const again = await after.runId?.()
        assert.equal(again, name, 'The run has another name.')
        assert.notEqual(name, '', 'The name is empty.')
      },
    },
  ]
}

function unknownCases(
  setup: DurabilityContractSetup,
  steps: GuardedSteps,
): readonly ContractCase[] {
  const key = 'run_1/round-1/tool/call_a'
  const once = toolStep('once')
  return [
    {
      name: 'a tool that must not run twice and was cut off does not run again: nobody knows how it ended',
      async run() {
        const after = await setup.cutOff!(await setup.create(), key, once)
        const counted = new CountedStep()
        // Asking does not make it known.
        for (const time of ['first', 'second']) {
          const thrown = await steps.rejects(after, { key, tool: once, run: counted.run })
          const { code } = (ToolwrightError.is(thrown) ? thrown : {}) as { readonly code?: string }
          assert.equal(code, 'unknown-outcome', `The ${time} time it says: ${String(thrown)}`)
        }
        assert.equal(counted.runs, 0, 'The tool ran again.')
      },
    },
    {
      name: 'a tool that may run twice and was cut off runs again',
      async run() {
        for (const effect of REPEATABLE) {
          const tool = toolStep(effect)
          const after = await setup.cutOff!(await setup.create(), key, tool)
          const { run } = new CountedStep()
          assert.equal(await steps.settles(after, { key, tool, run }), 1, 'It did not run.')
        }
      },
    },
    {
      name: 'a tool that was cut off runs under another key, and other steps have their records',
      async run() {
        const before = await setup.create()
        await steps.settles(before, { key: 'run_1/round-1/model', run: async () => 'said' })
        const after = await setup.cutOff!(before, key, once)
        const again = (): Promise<never> => Promise.reject(new Error('It ran again.'))
        const said = await steps.settles(after, { key: 'run_1/round-1/model', run: again })
        assert.equal(said, 'said', 'The record of another step is gone.')
        const { run } = new CountedStep()
        const retried = { key: `${key}/state_1`, tool: once, run }
        assert.equal(await steps.settles(after, retried), 1, 'The retry did not run.')
      },
    },
  ]
}
