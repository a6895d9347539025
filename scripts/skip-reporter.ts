/**
 * Lists skipped tests with their reason at the end of a run. With TOOLWRIGHT_MUST_NOT_SKIP=1 a skip
 * fails the run; only tests that read the shared data folder may skip, and only while it is absent.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

const DATA_VARIABLE = 'TOOLWRIGHT_DATA'

export interface Skip {
  readonly file: string
  readonly test: string
  readonly reason: string
  /** Excused because what it reads is not on this machine. */
  readonly excused: boolean
}

/** Where benchmark and conformance data is, when it is there at all. */
export function sharedDataFolder(root: string): string | undefined {
  const folder = process.env[DATA_VARIABLE] ?? `${root}/../shared`
  return existsSync(folder) ? folder : undefined
}

export class SkipReporter implements Reporter {
  #root = process.cwd()

  onInit(vitest: { readonly config: { readonly root: string } }): void {
    this.#root = vitest.config.root
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skips = modules.flatMap((module) => this.#skipsOf(module))
    if (skips.length === 0) return
    console.log(describeSkips(skips))
    const refused = skips.filter((skip) => !skip.excused)
    if (process.env['TOOLWRIGHT_MUST_NOT_SKIP'] !== '1' || refused.length === 0) return
    console.error(`\n${refused.length} skipped tests, and TOOLWRIGHT_MUST_NOT_SKIP is set: failed.`)
    process.exitCode = 1
  }

  #skipsOf(module: TestModule): Skip[] {
    const file = module.relativeModuleId
    const excused = sharedDataFolder(this.#root) === undefined && readsSharedData(module.moduleId)
    return [...module.children.allTests('skipped')].map((test) => ({
      file,
      test: test.fullName,
      reason: reasonOf(test, excused),
      excused,
    }))
  }
}

/** Whoever reads the data names its variable, in the test itself or in a file it imports. */
function readsSharedData(file: string): boolean {
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(/from '(\.{1,2}\/[^']+)'/g)]
    .map((match) => resolve(dirname(file), match[1]!))
    .filter((path) => existsSync(path))
  const texts = [text, ...imported.map((path) => readFileSync(path, 'utf8'))]
  return texts.some((each) => each.includes(DATA_VARIABLE))
}

function reasonOf(test: TestCase, excused: boolean): string {
  const result = test.result()
  if (result.state === 'skipped' && result.note) return result.note
  if (excused) return `needs the data at ../shared or in ${DATA_VARIABLE}, which is absent`
  return test.options.mode === 'todo' ? 'marked todo' : 'no reason given'
}

function describeSkips(skips: readonly Skip[]): string {
  const lines = skips.map((skip) => `  - ${skip.file} > ${skip.test}\n      ${skip.reason}`)
  return `\nSkipped: ${skips.length}\n${lines.join('\n')}`
}
