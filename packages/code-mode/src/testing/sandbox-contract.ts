/**
 * The suite every sandbox must pass: programs run as their code says and nowhere else, calls and results keep their
 * order, the same course can be had again, limits hold, and nothing that a program does reaches the host or another
 * program. Cases know no test runner: `for (const { name, run } of suite) it(name, run)`.
 */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { ContractCase } from 'toolwright/testing'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { CLOSING_CASES, COURSE_CASES } from './course-cases.ts'
import { driveProgram, programOf } from './drive-program.ts'
import { LANGUAGE_CASES } from './language-cases.ts'
import { LIMIT_CASES } from './limit-cases.ts'
import type { SandboxCase, Trial } from './sandbox-case.ts'
import { WORLD_CASES } from './world-cases.ts'

export interface SandboxContractSetup {
  /** A fresh sandbox. Most cases share one; those about closing have one of their own. */
  create(): Sandbox | Promise<Sandbox>
  /** How long one case may take before it counts as hanging, in ms. Default 60,000. */
  readonly patienceMs?: number
}

/**
 * @example
 * for (const { name, run } of sandboxContract({ create: quickJsSandbox })) it(name, run)
 */
export function sandboxContract(setup: SandboxContractSetup): readonly ContractCase[] {
  const { patienceMs = 60_000 } = setup
  let shared: Promise<Sandbox> | undefined
  const inShared = ({ name, check }: SandboxCase): ContractCase => ({
    name,
    run: async () =>
      within(patienceMs, check(trialOf(await (shared ??= Promise.resolve(setup.create()))))),
  })
  const alone = ({ name, check }: SandboxCase): ContractCase => ({
    name,
    async run() {
      const sandbox = await setup.create()
      try {
        await within(patienceMs, check(trialOf(sandbox)))
      } finally {
        await sandbox.close()
        // Nobody asks what they share any more when this one runs.
        await (await shared)?.close()
        shared = undefined
      }
    },
  })
  const cases = [...LANGUAGE_CASES, ...COURSE_CASES, ...WORLD_CASES, ...LIMIT_CASES]
  return [...cases.map(inShared), ...CLOSING_CASES.map(alone)]
}

function trialOf(sandbox: Sandbox): Trial {
  const run: Trial['run'] = (code, parts, answers) =>
    driveProgram(sandbox, programOf(code, parts), answers)
  return {
    sandbox,
    run,
    program: programOf,
    async returned(code, parts) {
      const { end } = await run(code, parts)
      assert.ok(end?.ok, `The program did not return: ${JSON.stringify(end)}`)
      return end.json === undefined ? undefined : (JSON.parse(end.json) as unknown)
    },
  }
}

/** Hanging is a failure in words, not a test run that stalls. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const guard = new AbortController()
  const late = pause(ms, undefined, { signal: guard.signal, ref: false }).then(
    () => assert.fail(`It did not settle within ${ms} ms.`),
    () => {},
  )
  try {
    await Promise.race([work, late])
  } finally {
    guard.abort()
  }
}
