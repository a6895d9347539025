/**
 * `npm run spring`: holds test/spring-checklist.md to the facts. Runs every test that it names, and the twins
 * of the Spring AI pages, and prints what is missing of each. Ends with 1 when anything is.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingRows, missingTests, type TestStates } from './spring/missing-tests.ts'
import { BLOCKS, missingFiles, missingTwins, readSeeds } from './spring/missing-twins.ts'
import { CHECKLIST_FILE, springChecklist, type SpringChecklist } from './spring/spring-checklist.ts'

const TWINS_TEST = 'examples/spring/spring.test.ts'

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[]
      readonly title: string
      readonly status: string
    }[]
  }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs the named files with vitest, and tells how each of their tests ended. */
function run(files: readonly string[]): TestStates {
  const folder = mkdtempSync(join(tmpdir(), 'check-spring-'))
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = ['--reporter=json', `--outputFile=${report}`]
  spawnSync(process.execPath, [vitest, 'run', ...files, ...options], { cwd: root })
  try {
    return statesOf(JSON.parse(readFileSync(report, 'utf8')) as JsonReport)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function statesOf({ testResults }: JsonReport): TestStates {
  return new Map(
    testResults.map(({ name, assertionResults }) => [
      relative(root, name).replaceAll(sep, '/'),
      new Map(
        assertionResults.map((test) => [
          [...test.ancestorTitles, test.title].join(' > '),
          test.status,
        ]),
      ),
    ]),
  )
}

function checkTests({ rows }: SpringChecklist, states: TestStates): number {
  const tests = new Set(rows.flatMap((row) => row.tests.map(({ file, name }) => file + name)))
  const title = `Checklist: ${rows.length} rows, ${tests.size} tests named`
  return report(title, [...missingRows(rows), ...missingTests(rows, states)])
}

function checkTwins({ twins }: SpringChecklist, states: TestStates): number {
  const seeds = readSeeds(root)
  if (!seeds)
    console.log('The pages are not in ../shared/seeds: blocks are checked by number only.')
  const blocks = Object.values(BLOCKS).reduce((sum, count) => sum + count, 0)
  const later = twins.filter((row) => row.later).flatMap((row) => row.blocks).length
  const files = new Set(twins.flatMap((row) => row.files)).size
  const title = `Twins: ${blocks} Java blocks, ${files} examples; ${later} blocks wait for a later door`
  const passed = [...(states.get(TWINS_TEST) ?? [])].flatMap(([name, state]) =>
    state === 'passed' ? [name] : [],
  )
  const ran = (file: string): boolean => passed.some((name) => name.endsWith(` ${basename(file)}`))
  return report(title, [...missingTwins(twins, seeds), ...missingFiles(twins, ran)])
}

function report(title: string, missing: readonly string[]): number {
  console.log(
    [title, ...missing.map((line) => `  - ${line}`), `${missing.length} missing`, ''].join('\n'),
  )
  return missing.length
}

const checklist = springChecklist(readFileSync(join(root, CHECKLIST_FILE), 'utf8'))
const named = checklist.rows.flatMap((row) => row.tests.map((test) => test.file))
const states = run([...new Set([...named, TWINS_TEST])])
const missing = checkTests(checklist, states) + checkTwins(checklist, states)
process.exitCode = missing === 0 ? 0 : 1
