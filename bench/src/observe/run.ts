/**
 * `npm run bench -- observe [--quick]`: what watching costs. The same conversations over HTTP with nobody watching, with
 * an observer that does nothing, and with spans that a sampler drops. Ends with exit code 1 when a bar is missed.
 */
import { parseArgs } from 'node:util'
import { startAsked, type AskedProcess } from '../../../test/processes/asked-process.ts'
import { compile } from '../compile.ts'
import { Child } from '../wire/child.ts'
import { seededRandom, shuffled } from '../wire/seeded-random.ts'
import type { ObserveAnswers, ObserveTask, Watching } from './observed-loop.ts'

const SERVER = 'wire/mock-server.ts'
const WORKER = 'observe/observed-loop.ts'

interface Contender {
  readonly watching: Watching
  /** Which contender it is compared with. */
  readonly over?: string
  /** What it may add to the CPU time of that one. */
  readonly bar?: number
}

const BASE = 'nobody watches'
const CONTROL = 'nobody watches, again'
const SDK = 'the SDK alone'
/** An SDK that a program has started costs on each promise of Node 20, whoever watches: spans are held to what they add. */
const CONTENDERS: { readonly [name: string]: Contender } = {
  [BASE]: { watching: 'nothing' },
  [CONTROL]: { watching: 'nothing', over: BASE },
  'no-op observer': { watching: 'no-op observer', over: BASE, bar: 0.02 },
  [SDK]: { watching: 'SDK alone', over: BASE },
  'sampled-out spans': { watching: 'sampled-out spans', over: SDK, bar: 0.05 },
}
const MODES = ['call', 'stream'] as const
type Mode = (typeof MODES)[number]

/** The CPU time of a conversation, turn by turn. */
type Spent = ReadonlyMap<string, number[]>

interface Sizes {
  readonly generations: number
  readonly turns: number
  readonly conversations: number
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean', default: false } } })
  const sizes: Sizes = values.quick
    ? { generations: 2, turns: 6, conversations: 20 }
    : { generations: 8, turns: 12, conversations: 40 }
  const file = await compile([SERVER, WORKER])
  const { child: server, port } = await Child.start('server', file(SERVER))
  const all: { readonly [mode in Mode]: Spent[] } = { call: [], stream: [] }
  try {
    for (let generation = 0; generation < sizes.generations; generation++)
      await takeTurns(file(WORKER), `http://127.0.0.1:${port}/v1`, async (contenders) => {
        for (const mode of MODES) all[mode].push(await spentBy(contenders, mode, sizes))
      })
  } finally {
    await server.stop()
  }
  for (const mode of MODES) console.table(rowsOf(mode, all[mode]))
}

type Processes = ReadonlyMap<string, AskedProcess<ObserveAnswers>>

/** One process for each contender. How one is compiled and laid out in memory differs by as much as the bars, so there are several generations. */
async function takeTurns(
  worker: string,
  baseUrl: string,
  take: (contenders: Processes) => Promise<void>,
): Promise<void> {
  const contenders = new Map<string, AskedProcess<ObserveAnswers>>()
  try {
    for (const [name, { watching }] of Object.entries(CONTENDERS)) {
      const task: ObserveTask = { baseUrl, watching }
      contenders.set(name, await startAsked<ObserveAnswers>(worker, task))
    }
    await take(contenders)
  } finally {
    for (const contender of contenders.values()) contender.kill('SIGTERM')
    await Promise.all([...contenders.values()].map(({ ended }) => ended))
  }
}

/** In another order each turn, so that what else the machine does meets all alike. The first turns warm up. */
async function spentBy(
  contenders: Processes,
  mode: Mode,
  { turns, conversations }: Sizes,
): Promise<Spent> {
  const random = seededRandom(7)
  const spent = new Map([...contenders.keys()].map((name) => [name, [] as number[]]))
  const warmUp = Math.ceil(turns / 2)
  for (let turn = -warmUp; turn < turns; turn++)
    for (const [name, contender] of shuffled([...contenders], random)) {
      const cpu = await contender.ask('cpu', { mode, conversations })
      if (turn >= 0) spent.get(name)!.push(cpu)
    }
  return spent
}

interface Interval {
  readonly middle: number
  readonly low: number
  readonly high: number
}

function rowsOf(mode: Mode, generations: readonly Spent[]): readonly object[] {
  const added = (name: string, over: string): Interval =>
    intervalOf(generations.map((spent) => ratios(spent.get(name)!, spent.get(over)!)))
  const control = added(CONTROL, BASE)
  return Object.entries(CONTENDERS).map(([name, { over, bar }]) => {
    const { middle, low, high } = over === undefined ? NOTHING : added(name, over)
    const isKept = bar === undefined || middle <= bar || middle <= control.high
    if (!isKept) process.exitCode = 1
    return {
      [mode]: name,
      'µs a conversation': Math.round(median(generations.flatMap((spent) => spent.get(name)!))),
      'compared with': over ?? '',
      added: percent(middle),
      '95 % of it': `${percent(low)} … ${percent(high)}`,
      bar: bar === undefined ? '' : percent(bar),
      verdict: bar === undefined ? '' : isKept ? 'ok' : 'OVER',
    }
  })
}

const ratios = (spent: readonly number[], base: readonly number[]): readonly number[] =>
  spent.map((cpu, turn) => cpu / base[turn]! - 1)

const NOTHING: Interval = { middle: 0, low: 0, high: 0 }
const RESAMPLES = 2000

/** The median over generations of each one's median pair, and where it would fall in 95 of 100 repetitions. */
function intervalOf(generations: readonly (readonly number[])[]): Interval {
  const random = seededRandom(11)
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(
      generations.map(() => any(generations)).map((pairs) => median(pairs.map(() => any(pairs)))),
    ),
  ).sort((a, b) => a - b)
  return {
    middle: median(generations.map(median)),
    low: medians[Math.floor(RESAMPLES * 0.025)]!,
    high: medians[Math.ceil(RESAMPLES * 0.975) - 1]!,
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle) - 1]!) / 2
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
