/**
 * `npm run conformance`: runs the required draft 2020-12 tests of the JSON-Schema-Test-Suite against
 * the engine, formats and coercion off. The suite is found in ../shared or TOOLWRIGHT_DATA; without it
 * the run says so and ends well. A failure that EXPECTED_FAILURES does not name ends it with 1.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileSchema } from '../packages/toolwright/src/schema/compile-schema.ts'
import { META_SCHEMAS } from './draft-2020-12-meta-schemas.ts'

/** Tests the engine is known to fail, as `file: group: test`; docs/decisions/0015 says why. */
export const EXPECTED_FAILURES: readonly string[] = []

export interface ConformanceReport {
  readonly total: number
  readonly failures: readonly string[]
}

type Remotes = ReadonlyMap<string, unknown>
/** Compiles a schema to a predicate. Whatever it throws is a failure. */
export type Engine = (schema: unknown, remotes: Remotes) => (value: unknown) => boolean

interface TestGroup {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly {
    readonly description: string
    readonly data: unknown
    readonly valid: boolean
  }[]
}

const repository = fileURLToPath(new URL('..', import.meta.url))

/** Where the suite is; undefined when it is not there. */
export function suiteFolder(): string | undefined {
  const data = process.env.TOOLWRIGHT_DATA ?? resolve(repository, '../shared')
  const folders = [join(data, 'data/json-schema-test-suite'), join(data, 'json-schema-test-suite')]
  return folders.find((folder) => existsSync(folder))
}

export const ownEngine: Engine = (schema, remotes) => {
  const checker = compileSchema(schema as never, { coerce: false, formats: false, remotes })
  return (value) => checker.check(value).ok
}

export function runConformance(folder: string, engine: Engine = ownEngine): ConformanceReport {
  const remotes = readRemotes(join(folder, 'remotes'))
  const tests = join(folder, 'tests/draft2020-12')
  const failures: string[] = []
  let total = 0
  for (const file of readdirSync(tests).filter((name) => name.endsWith('.json'))) {
    for (const group of readJson(join(tests, file)) as readonly TestGroup[]) {
      total += group.tests.length
      failures.push(...failuresOf(group, engine, remotes).map((name) => `${file}: ${name}`))
    }
  }
  return { total, failures }
}

function failuresOf(group: TestGroup, engine: Engine, remotes: Remotes): string[] {
  return group.tests
    .filter(({ data, valid }) => {
      try {
        return engine(group.schema, remotes)(data) !== valid
      } catch {
        return true
      }
    })
    .map((test) => `${group.description}: ${test.description}`)
}

function readRemotes(folder: string): Remotes {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const entries = files
    .filter((file) => file.endsWith('.json'))
    .map((file): [string, unknown] => {
      const path = join(folder, file)
      const address = relative(folder, path).split(sep).join('/')
      return [`http://localhost:1234/${address}`, readJson(path)]
    })
  return new Map([...META_SCHEMAS, ...entries])
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function main(): void {
  const folder = suiteFolder()
  if (folder === undefined) {
    console.log(
      'conformance: skipped, the JSON-Schema-Test-Suite is not here (set TOOLWRIGHT_DATA).',
    )
    return
  }
  const { total, failures } = runConformance(folder)
  const unexpected = failures.filter((name) => !EXPECTED_FAILURES.includes(name))
  const passed = total - failures.length
  console.log(`draft 2020-12: ${total} tests, ${passed} passed, ${failures.length} failed`)
  for (const name of failures) {
    console.log(`  ${unexpected.includes(name) ? 'FAILED' : 'expected'}  ${name}`)
  }
  if (unexpected.length > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
