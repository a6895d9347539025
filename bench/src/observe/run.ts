/**
 * `npm run bench -- observe [--quick]`: what watching costs. The same conversations over HTTP with nobody watching, with
 * an observer that does nothing, and with spans that a sampler drops, without metrics and with them. Ends with exit code 1 when a bar is missed.
 */
import { parseArgs } from 'node:util'
import { startAsked, type AskedProcess } from '../../../test/processes/asked-process.ts'
import { compile } from '../compile.ts'
import { Child } from '../wire/child.ts'
import { seededRandom, shuffled } from '../wire/seeded-random.ts'
import type { Contender, ObserveAnswers, ObserveTask, Watching } from './observed-loop.ts'

const SERVER = 'wire/mock-server.ts'
const WORKER = 'observe/observed-loop.ts'

/** What each may add to the CPU time of the same process with nobody watching. */
const BARS: { readonly [watching in Watching]: number | undefined } = {
  'no-op observer': 0.02,
  // In a process with an SDK, which costs on each promise of Node 20 whoever watches.
  'sampled-out spans': 0.05,
  // The common case of a program with an SDK. Its figure is only told.
  'dropped spans, metrics on': undefined,
}
const CONTENDERS: readonly Contender[] = ['base', 'control', 'watched']
const MODES = ['call', 'stream'] as const
type Mode = (typeof MODES)[number]

/** The CPU time of a conversation, turn by turn, in one process. */
type Spent = { readonly [name in Contender]: number[] }

interface Sizes {
  readonly processes: number
  /** Turns before anything counts: what runs once in a conversation is compiled late. */
  readonly warmUp: number
  readonly turns: number
  readonly conversations: number
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean', default: false } } })
  const sizes: Sizes = values.quick
    ? { processes: 1, warmUp: 6, turns: 12, conversations: 4 }
    : { processes: 5, warmUp: 250, turns: 400, conversations: 4 }
  const file = await compile([SERVER, WORKER])
  const { child: server, port } = await Child.start('server', file(SERVER))
  const baseUrl = `http://127.0.0.1:${port}/v1`
  try {
    for (const watching of Object.keys(BARS) as Watching[]) {
      const all: { readonly [mode in Mode]: Spent[] } = { call: [], stream: [] }
      for (let each = 0; each < sizes.processes; each++)
        await withProcess(file(WORKER), { baseUrl, watching }, async (asked) => {
          for (const mode of MODES) all[mode].push(await spentBy(asked, mode, sizes))
        })
      console.table(MODES.flatMap((mode) => rowsOf(watching, mode, all[mode])))
    }
  } finally {
    await server.stop()
  }
}

type Asked = AskedProcess<ObserveAnswers>

async function withProcess(
  worker: string,
  task: ObserveTask,
  use: (asked: Asked) => Promise<void>,
): Promise<void> {
  const asked = await startAsked<ObserveAnswers>(worker, task)
  try {
    await use(asked)
  } finally {
    asked.kill('SIGTERM')
    await asked.ended
  }
}

/**
 * All in the same process, because two processes of one program differ by more than the bars; in another order each
 * turn, so that what else the machine does, and garbage, meet all alike.
 */
async function spentBy(
  asked: Asked,
  mode: Mode,
  { warmUp, turns, conversations }: Sizes,
): Promise<Spent> {
  const random = seededRandom(7)
  const spent: Spent = { base: [], control: [], watched: [] }
  for (let turn = -warmUp; turn < turns; turn++)
    for (const of of shuffled([...CONTENDERS], random)) {
      const cpu = await asked.ask('cpu', { of, mode, conversations })
      if (turn >= 0) spent[of].push(cpu)
    }
  return spent
}

interface Interval {
  readonly middle: number
  readonly low: number
  readonly high: number
}

function rowsOf(watching: Watching, mode: Mode, processes: readonly Spent[]): readonly object[] {
  const added = (name: Contender): Interval =>
    intervalOf(processes.map((spent) => ratios(spent[name], spent.base)))
  const control = added('control')
  const names = { base: 'nobody watches', control: 'nobody watches, again', watched: watching }
  return CONTENDERS.map((name) => {
    const { middle, low, high } = name === 'base' ? NOTHING : added(name)
    const bar = name === 'watched' ? BARS[watching] : undefined
    const isKept = bar === undefined || middle <= bar || middle <= control.high
    if (!isKept) process.exitCode = 1
    return {
      mode,
      who: names[name],
      'µs a conversation': Math.round(median(processes.flatMap((spent) => spent[name]))),
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

/** The median over processes of each one's median pair, and where it would fall in 95 of 100 repetitions. */
function intervalOf(processes: readonly (readonly number[])[]): Interval {
  const random = seededRandom(11)
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(processes.map(() => any(processes)).map((pairs) => median(pairs.map(() => any(pairs))))),
  ).sort((a, b) => a - b)
  return {
    middle: median(processes.map(median)),
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
