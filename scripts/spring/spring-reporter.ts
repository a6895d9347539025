/**
 * Fails a test run when test/spring-checklist.md names a test that a file of this run does not have: names
 * are known for certain only where tests are collected. Files that are not part of the run are left alone.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { missingTests, type TestStates } from './missing-tests.ts'
import { CHECKLIST_FILE, springChecklist } from './spring-checklist.ts'

export class SpringReporter implements Reporter {
  #root = process.cwd()
  #filtered = false

  onInit(vitest: {
    readonly config: { readonly root: string; readonly testNamePattern?: RegExp }
  }): void {
    this.#root = vitest.config.root
    this.#filtered = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = statesOf(modules)
    const { rows } = springChecklist(readFileSync(join(this.#root, CHECKLIST_FILE), 'utf8'))
    const inThisRun = rows.map((row) => ({
      ...row,
      tests: row.tests.filter(({ file, name }) => {
        const state = states.get(file)
        return state !== undefined && !(this.#filtered && state.get(name) === 'skipped')
      }),
    }))
    const missing = missingTests(inThisRun, states)
    if (missing.length === 0) return
    console.error(`\n${CHECKLIST_FILE}: ${missing.length} missing\n  ${missing.join('\n  ')}`)
    process.exitCode = 1
  }
}

function statesOf(modules: readonly TestModule[]): TestStates {
  return new Map(
    modules.map((module) => [
      module.relativeModuleId,
      new Map(
        [...module.children.allTests()].map((test) => [test.fullName, test.result().state]),
      ) as ReadonlyMap<string, string>,
    ]),
  )
}
