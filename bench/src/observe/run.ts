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
const CONTENDERS: readonly Contender[] = ['base', 'control', 'watched', 'watchedToo']
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
    : { processes: 5, warmUp: 200, turns: 300, conversations: 4 }
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
  const spent: Spent = { base: [], control: [], watched: [], watchedToo: [] }
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

/** A row of the table: whose CPU time, and beside whose it stands. */
interface Row {
  readonly who: string
  readonly spent: readonly Contender[]
  readonly beside: readonly Contender[]
  readonly bar?: number | undefined
}

const UNWATCHED: readonly Contender[] = ['base', 'control']
const WATCHED: readonly Contender[] = ['watched', 'watchedToo']

function rowsOf(watching: Watching, mode: Mode, processes: readonly Spent[]): readonly object[] {
  const added = ({ spent, beside }: Row): Interval =>
    intervalOf(processes.map((each) => ratios(sums(each, spent), sums(each, beside))))
  const again: Row = { who: 'nobody watches, again', spent: ['control'], beside: ['base'] }
  const control = added(again)
  const rows: readonly Row[] = [
    again,
    { who: watching, spent: WATCHED, beside: UNWATCHED, bar: BARS[watching] },
    { who: `${watching}, again`, spent: ['watchedToo'], beside: ['watched'] },
  ]
  return rows.map((row) => {
    const { who, spent, bar } = row
    const { middle, low, high } = added(row)
    const isKept = bar === undefined || middle <= bar || middle <= control.high
    if (!isKept) process.exitCode = 1
    const each = processes.flatMap((one) => sums(one, spent))
    return {
      mode,
      who,
      'µs a conversation': Math.round(median(each) / spent.length),
      added: percent(middle),
      '95 % of it': `${percent(low)} … ${percent(high)}`,
      bar: bar === undefined ? '' : percent(bar),
      verdict: bar === undefined ? '' : isKept ? 'ok' : 'OVER',
    }
  })
}

/** The CPU time of several, turn by turn. */
const sums = (spent: Spent, names: readonly Contender[]): readonly number[] =>
  spent.base.map((_, turn) => names.reduce((sum, name) => sum + spent[name][turn]!, 0))

const ratios = (spent: readonly number[], base: readonly number[]): readonly number[] =>
  spent.map((cpu, turn) => cpu / base[turn]! - 1)

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
