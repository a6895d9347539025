/**
 * Everything that must hold before a change goes in, in order, stopping at the first failure: the
 * same here and in CI. `--after-tests` leaves out the tests, for a caller that has just run them.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const STEPS = [
  'format',
  'lint',
  'knip',
  'types',
  'api:check',
  'test',
  'test:matrix',
  'test:durable',
  'examples',
  'exports',
] as const

const root = fileURLToPath(new URL('..', import.meta.url))
const skipTests = process.argv.includes('--after-tests')
const steps = STEPS.filter((step) => !(skipTests && step === 'test'))
const summary: string[] = []
let failed = false

for (const step of steps) {
  console.log(`\n== ${step}`)
  const started = performance.now()
  const { status } = spawnSync('npm', ['run', '--silent', step], { cwd: root, stdio: 'inherit' })
  failed = status !== 0
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  summary.push(`${failed ? 'FAIL' : 'ok  '} ${step.padEnd(12)} ${seconds.padStart(6)} s`)
  if (failed) break
}

const left = steps.slice(summary.length).map((step) => `  -  ${step}`)
console.log(['', ...summary, ...left].join('\n'))
process.exitCode = failed ? 1 : 0
