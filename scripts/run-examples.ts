/**
 * Runs every example as a user would, with the packages as they are built; the tour, which newcomers start in a
 * fresh clone, with their sources. Each asserts itself, so ending well is the test; where the documentation
 * shows what an example prints, it has to print just that. One that needs what this machine does not have prints
 * `skipped: ` and why, and nothing else.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtPackages } from './build/built-packages.ts'
import { documentedOutputs, misprinted } from './docs/printed-outputs.ts'
import { HANG_GUARD_MS } from './hang-guard.ts'

const AT_ONCE = 2

interface Outcome {
  readonly ok: boolean
  /** Why it was not run. */
  readonly skipped?: string
  readonly output: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'examples')
const documented = documentedOutputs(root)
const FROM_SOURCES = 'tour.ts'
const { tsconfig } = await builtPackages()

function examples(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        name.endsWith('.ts') && !/node_modules|\/shared\/|\.d\.ts$|\.(test|config)\.ts$/.test(name),
    )
    .sort()
}

function run(example: string): Promise<Outcome> {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const words = example === FROM_SOURCES ? [tsx] : [tsx, '--tsconfig', tsconfig]
  const child = spawn(process.execPath, [...words, join(folder, example)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANG_GUARD_MS,
  })
  let output = ''
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => (printed += String(piece)))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => (output += String(piece)))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, output: error.message }))
    child.on('close', (code, signal) => {
      const ending = signal
        ? `\nended by ${signal} (at most ${HANG_GUARD_MS} ms)`
        : `\nexit code ${code}`
      const skipped = /^skipped: (.*)\n$/.exec(printed)?.[1]
      if (code === 0 && skipped !== undefined) return resolve({ ok: true, skipped, output })
      const wrong = misprinted(documented, `examples/${example}`, printed)
      resolve({
        ok: code === 0 && wrong.length === 0,
        output: [output + ending, ...wrong].join('\n'),
      })
    })
  })
}

const filter = process.argv[2] ?? ''
const waiting = examples().filter((example) => example.includes(filter))
const total = waiting.length
let failed = 0

async function worker(): Promise<void> {
  for (let example = waiting.shift(); example !== undefined; example = waiting.shift()) {
    const { ok, skipped, output } = await run(example)
    const why = skipped === undefined ? '' : `: ${skipped}`
    console.log(`${ok ? (why ? 'skip' : 'ok  ') : 'FAIL'} examples/${example}${why}`)
    if (!ok) {
      failed += 1
      console.error(output.replace(/^/gm, '     '))
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, worker))
if (total === 0) console.error('There are no examples.')
console.log(`${total} examples, ${failed} failed`)
process.exitCode = failed === 0 && total > 0 ? 0 : 1
