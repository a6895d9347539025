/**
 * Prints, at the end of `npm run test:wire`, how many of the recordings of each provider were read right. A
 * recording counts when a test names it and every test that does so has passed.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule } from 'vitest/node'

export interface ReadTest {
  /** The file that the test is in. */
  readonly file: string
  readonly name: string
  readonly hasPassed: boolean
}

export class RecordingsReporter implements Reporter {
  readonly #folder: string | undefined

  /** @param folder where the recordings are, one folder for each provider; undefined where they are not there */
  constructor(folder = recordingsFolder()) {
    this.#folder = folder
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) =>
      Array.from(module.children.allTests(), (test) => ({
        file: module.moduleId,
        name: test.fullName,
        hasPassed: test.result().state === 'passed',
      })),
    )
    console.log(`\n${recordingsTable(this.#folder, tests)}`)
  }
}

/** Beside the project, or where `TOOLWRIGHT_DATA` says. */
function recordingsFolder(): string | undefined {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const shared = process.env['TOOLWRIGHT_DATA'] ?? join(root, '../shared')
  return [join(shared, 'data/wire'), join(shared, 'wire')].find(existsSync)
}

export function recordingsTable(folder: string | undefined, tests: readonly ReadTest[]): string {
  if (folder === undefined)
    return 'There are no recordings here, so none was read: they are not part of the project. TOOLWRIGHT_DATA says where they are.'
  const providers = readdirSync(folder, { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  )
  const rows = providers.map(({ name }) => rowOf(folder, name, tests))
  const width = Math.max(...rows.map(({ provider }) => provider.length))
  const lines = rows.map(
    ({ provider, right, all, unread, others }) =>
      `  ${provider.padEnd(width)}  ${right} of ${all}${aside(unread, 'read by no adapter')}${aside(others, 'of another API')}`,
  )
  const sum = (field: 'right' | 'all'): number => rows.reduce((total, row) => total + row[field], 0)
  return ['Recordings read right', ...lines, `  in all: ${sum('right')} of ${sum('all')}`].join(
    '\n',
  )
}

const aside = (count: number, what: string): string => (count === 0 ? '' : ` (${count} ${what})`)

/** Recordings of APIs that no adapter speaks: Google's Interactions, OpenAI's old completions. */
const OTHER_APIS =
  /^(?:google\/(?:multi-turn|tool-call-step|basic|structured-output)|openai\/openai-completion)/

interface Row {
  readonly provider: string
  readonly right: number
  readonly all: number
  readonly unread: number
  readonly others: number
}

function rowOf(folder: string, provider: string, tests: readonly ReadTest[]): Row {
  const there = readdirSync(join(folder, provider)).filter((file) => /\.(?:json|txt)$/.test(file))
  const files = there.filter((file) => !OTHER_APIS.test(`${provider}/${file}`))
  const read = files.map((file) => tests.filter((test) => isAbout(test, provider, file)))
  return {
    provider,
    all: files.length,
    others: there.length - files.length,
    right: read.filter((about) => about.length > 0 && about.every(({ hasPassed }) => hasPassed))
      .length,
    unread: read.filter((about) => about.length === 0).length,
  }
}

/** A test names the provider and the file, or only the file where it is in the provider's own folder. */
function isAbout({ file: module, name }: ReadTest, provider: string, file: string): boolean {
  const words = name.split(/[\s,'"]+/)
  if (words.includes(`${provider}/${file}`)) return true
  return module.includes(`/providers/${provider}/`) && words.includes(file)
}
