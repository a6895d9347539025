/** Runs the conformance suite against a server, under the Node 22 that it needs, and reads what it found. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const toolchains = fileURLToPath(
  new URL('../../../node_modules/.cache/toolchains/node_modules', import.meta.url),
)
const node22 = join(toolchains, 'node22/bin/node')
const suite = join(toolchains, '@modelcontextprotocol/conformance/dist/index.js')

/** Whether the suite and its Node are there: they are no dependencies of the workspace. */
export const hasSuite = (): boolean => existsSync(node22) && existsSync(suite)

export interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly description: string
  readonly errorMessage?: string
}

export interface SuiteRun {
  readonly exitCode: number
  readonly output: string
  /** The checks of every scenario that ran, by its name. */
  readonly scenarios: ReadonlyMap<string, readonly Check[]>
}

export async function runServerSuite(url: string, revision: string): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-conformance-'))
  try {
    const args = ['server', '--url', url, '--requirements', revision, '-o', folder]
    const { exitCode, output } = await run([suite, ...args, '--timeout', '120000'])
    return { exitCode, output, scenarios: readScenarios(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(args: readonly string[]): Promise<Pick<SuiteRun, 'exitCode' | 'output'>> {
  return new Promise((resolve) => {
    execFile(node22, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const exitCode = error ? (typeof error.code === 'number' ? error.code : 1) : 0
      resolve({ exitCode, output: stdout + stderr })
    })
  })
}

/** A folder for each, named `server-<scenario>-<time>`. */
function readScenarios(folder: string): ReadonlyMap<string, readonly Check[]> {
  return new Map(
    readdirSync(folder).map((name) => {
      const [, scenario = name] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? []
      const checks = readFileSync(join(folder, name, 'checks.json'), 'utf8')
      return [scenario, JSON.parse(checks) as readonly Check[]]
    }),
  )
}

/** What a reader must know of the checks that did not succeed. */
export const complaintsOf = (
  checks: readonly Check[],
  complains: readonly Check['status'][],
): readonly string[] =>
  checks
    .filter(({ status }) => complains.includes(status))
    .map(
      ({ id, status, description, errorMessage = '' }) =>
        `${status} ${id}: ${errorMessage || description}`,
    )
