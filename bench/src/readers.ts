/**
 * `npm run bench -- readers [--only words]`: how the CPU time of every reader grows with an input that is hard on it,
 * at two sizes, the second sixteen times the first. A reader that looks at everything once takes sixteen times as
 * long, one that compares everything with everything 256 times; the bar is in the middle, and leaves a moment for the
 * collector of garbage. Ends with exit code 1 when a reader is over it.
 *
 * What else the machine does can only add, so the least of several tries counts, and a reader that is over the bar
 * may try again: one that is linear gets there, one that is not does more work in every try.
 */
import { parseArgs } from 'node:util'
import { HOSTILE_INPUTS, type HostileInput } from '../../test/regression/hostile-inputs.ts'

const GROWTH = 16
const BAR = GROWTH ** 1.5
const MOMENT_MS = 80
/** Tries at the small size before the first look: taken for too long, it would excuse too much at the large one. */
const FIRST_TRIES = 3
const MOST_TRIES = 8
/** Printed although they hold the bar: the steepest of those whose time is not lost in the clock. */
const SHOWN = 10
const LEAST_MS = 1

interface Growth {
  readonly name: string
  readonly smallMs: number
  readonly largeMs: number
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { only: { type: 'string', default: '' } } })
  const growths: Growth[] = []
  for (const input of HOSTILE_INPUTS.filter((each) => nameOf(each).includes(values.only)))
    growths.push(await growthOf(input))
  const over = growths.filter((growth) => !holds(growth))
  const steep = growths
    .filter((growth) => growth.largeMs >= LEAST_MS && holds(growth))
    .toSorted((a, b) => ratio(b) - ratio(a))
    .slice(0, SHOWN)
  console.table([...over, ...steep].map(rowOf))
  console.log(`${growths.length} inputs of ${GROWTH} × the size, ${over.length} over the bar.`)
  if (over.length > 0) process.exitCode = 1
}

const nameOf = ({ reader, name }: HostileInput): string => `${reader}: ${name}`
const ratio = ({ smallMs, largeMs }: Growth): number => largeMs / smallMs
const holds = ({ smallMs, largeMs }: Growth): boolean => largeMs < smallMs * BAR + MOMENT_MS

const rowOf = (growth: Growth): object => ({
  reader: growth.name,
  'ms, small': growth.smallMs.toFixed(2),
  'ms, large': growth.largeMs.toFixed(2),
  grows: `${ratio(growth).toFixed(1)} ×`,
  bar: `${BAR} × + ${MOMENT_MS} ms`,
  verdict: holds(growth) ? 'ok' : 'OVER',
})

async function growthOf(input: HostileInput): Promise<Growth> {
  const { make, read, from } = input
  const [small, large] = [make(from), make(from * GROWTH)]
  const growth = { name: nameOf(input), smallMs: Infinity, largeMs: Infinity }
  const trySmall = async (): Promise<void> => {
    growth.smallMs = Math.min(growth.smallMs, await cpuMsOf(() => read(small)))
  }
  for (let tries = 0; tries < FIRST_TRIES; tries++) await trySmall()
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    growth.largeMs = Math.min(growth.largeMs, await cpuMsOf(() => read(large)))
    if (holds(growth)) break
    await trySmall()
  }
  return growth
}

async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
