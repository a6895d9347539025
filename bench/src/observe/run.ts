/**
 * `npm run bench -- observe [--quick]`: what watching costs. The same conversations over HTTP with nobody watching, with
 * an observer that does nothing, and with spans that a sampler drops. Ends with exit code 1 when a bar is missed.
 */
import { parseArgs } from 'node:util'
import { startAsked, type AskedProcess } from '../../../test/processes/asked-process.ts'
import { compile } from '../compile.ts'
import { Child } from '../wire/child.ts'
import { seededRandom, shuffled } from '../wire/seeded-random.ts'
import type { AskedConversations, ObserveAnswers, ObserveTask, Watching } from './observed-loop.ts'

const SERVER = 'wire/mock-server.ts'
const WORKER = 'observe/observed-loop.ts'
/** What watching may add to the CPU time of the loop. */
const BARS: { readonly [watching in Watching]?: number } = {
  'no-op observer': 0.02,
  'sampled-out spans': 0.05,
}
const CONTENDERS: { readonly [name: string]: Watching } = {
  'nobody watches': 'nothing',
  'nobody watches, again': 'nothing',
  'no-op observer': 'no-op observer',
  'the SDK alone': 'SDK alone',
  'sampled-out spans': 'sampled-out spans',
}
const [BASE, CONTROL] = Object.keys(CONTENDERS) as [string, string]

type Spent = ReadonlyMap<string, number[]>

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean', default: false } } })
  const sizes = values.quick ? { turns: 12, conversations: 20 } : { turns: 60, conversations: 40 }
  const file = await compile([SERVER, WORKER])
  const { child: server, port } = await Child.start('server', file(SERVER))
  const contenders = new Map<string, AskedProcess<ObserveAnswers>>()
  try {
    for (const [name, watching] of Object.entries(CONTENDERS)) {
      const task: ObserveTask = { baseUrl: `http://127.0.0.1:${port}/v1`, watching }
      contenders.set(name, await startAsked<ObserveAnswers>(file(WORKER), task))
    }
    for (const mode of ['call', 'stream'] as const)
      console.table(rowsOf(mode, await takeTurns(contenders, { mode, ...sizes })))
  } finally {
    for (const contender of contenders.values()) contender.kill('SIGTERM')
    await Promise.all([...contenders.values()].map(({ ended }) => ended))
    await server.stop()
  }
}

/** In another order each turn, so that what else the machine does meets all alike. The first turns warm up. */
async function takeTurns(
  contenders: ReadonlyMap<string, AskedProcess<ObserveAnswers>>,
  { turns, ...asked }: AskedConversations & { readonly turns: number },
): Promise<Spent> {
  const random = seededRandom(7)
  const spent = new Map([...contenders.keys()].map((name) => [name, [] as number[]]))
  const warmUp = Math.ceil(turns / 4)
  for (let turn = -warmUp; turn < turns; turn++)
    for (const [name, contender] of shuffled([...contenders], random)) {
      const cpu = await contender.ask('cpu', asked)
      if (turn >= 0) spent.get(name)!.push(cpu)
    }
  return spent
}

interface Interval {
  readonly middle: number
  readonly low: number
  readonly high: number
}

function rowsOf(mode: string, spent: Spent): readonly object[] {
  const base = spent.get(BASE)!
  const added = (name: string): Interval =>
    intervalOf(spent.get(name)!.map((cpu, turn) => cpu / base[turn]! - 1))
  const control = added(CONTROL)
  return [...spent].map(([name, all]) => {
    const { middle, low, high } = name === BASE ? NOTHING : added(name)
    const bar = BARS[CONTENDERS[name]!]
    const isKept = bar === undefined || middle <= bar || middle <= control.high
    if (!isKept) process.exitCode = 1
    return {
      [mode]: name,
      'µs a conversation': Math.round(median(all)),
      added: percent(middle),
      '95 % of it': `${percent(low)} … ${percent(high)}`,
      bar: bar === undefined ? '' : percent(bar),
      verdict: bar === undefined ? '' : isKept ? 'ok' : 'OVER',
    }
  })
}

const NOTHING: Interval = { middle: 0, low: 0, high: 0 }
const RESAMPLES = 2000

/** The median of the pairs, and where it would fall in 95 of 100 repetitions. */
function intervalOf(pairs: readonly number[]): Interval {
  const random = seededRandom(11)
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(pairs.map(() => pairs[Math.floor(random() * pairs.length)]!)),
  ).sort((a, b) => a - b)
  return {
    middle: median(pairs),
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
