/**
 * Everything that must hold before a change goes in, the same here and in CI, stopping at the first failure. What
 * uses one core alone runs side by side with the like; its output comes whole when it has ended. Tests have the
 * machine for themselves. `--after-tests` leaves out the quick ones, for a caller that has just run them.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Steps one after another. */
type Lane = readonly string[]

/** Stages one after another, the lanes of each side by side. What builds packages is beside nothing that reads all files. */
const STAGES: readonly (readonly Lane[])[] = [
  [
    ['lint', 'knip'],
    ['types', 'api:check', 'format'],
  ],
  [['test']],
  [['test:matrix']],
  [['test:durable']],
  [['examples'], ['exports']],
]

const root = fileURLToPath(new URL('..', import.meta.url))
const left = process.argv.includes('--after-tests') ? ['test'] : []
const stages = STAGES.map((lanes) =>
  lanes.map((lane) => lane.filter((step) => !left.includes(step))),
)
const summary = new Map<string, string>()
let failed = false

for (const lanes of stages) {
  if (failed) break
  const isAlone = lanes.length === 1
  await Promise.all(lanes.map((lane) => inOrder(lane, isAlone)))
}
const steps = stages.flat(2)
console.log(['', ...steps.map((step) => summary.get(step) ?? `  -  ${step}`)].join('\n'))
process.exitCode = failed ? 1 : 0

/** Ends early when a step of any lane has failed. */
async function inOrder(lane: Lane, isAlone: boolean): Promise<void> {
  for (const step of lane) {
    if (failed) return
    const started = performance.now()
    const isOk = isAlone ? await ranAlone(step) : await ranBeside(step)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    summary.set(step, `${isOk ? 'ok  ' : 'FAIL'} ${step.padEnd(12)} ${seconds.padStart(6)} s`)
    failed ||= !isOk
  }
}

async function ranAlone(step: string): Promise<boolean> {
  console.log(`\n== ${step}`)
  const child = spawn('npm', ['run', '--silent', step], { cwd: root, stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0
}

async function ranBeside(step: string): Promise<boolean> {
  console.log(`\n== ${step} …`)
  const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe']
  const child = spawn('npm', ['run', '--silent', step], { cwd: root, stdio })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  const [code] = (await once(child, 'close')) as [number | null]
  console.log(`\n== ${step} has ended\n${output.trimEnd()}`)
  return code === 0
}
