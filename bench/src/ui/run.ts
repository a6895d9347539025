/**
 * `npm run bench -- ui [--quick]`: what streaming an answer to a page costs, beside the AI SDK's own stream. All in one
 * process, in turns. Ends with exit code 1 when a bar is missed.
 */
import { parseArgs } from 'node:util'
import { startAsked } from '../../../test/processes/asked-process.ts'
import { compile } from '../compile.ts'
import { seededRandom, shuffled } from '../wire/seeded-random.ts'
import type { Arrival, Contender, StreamAnswers, StreamTask } from './streams.ts'

const WORKER = 'ui/streams.ts'
const DELTAS = 2000
/** Of the CPU time of the AI SDK's own stream. */
const BAR = 0.3
const OURS: Contender = 'toolwright'
const CONTENDERS: readonly Contender[] = [OURS, 'toolwright again', 'ai 6', 'ai 7']
const ARRIVALS: readonly Arrival[] = ['at once', 'one by one']

interface Sizes {
  readonly turns: number
  readonly warmUp: number
  readonly streams: number
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean', default: false } } })
  const sizes: Sizes = values.quick
    ? { turns: 5, warmUp: 3, streams: 3 }
    : { turns: 30, warmUp: 10, streams: 5 }
  const file = await compile([WORKER])
  const task: StreamTask = { deltas: DELTAS }
  const asked = await startAsked<StreamAnswers>(file(WORKER), task)
  const cpu = (of: Contender, arrival: Arrival): Promise<number> =>
    asked.ask('cpu', { of, arrival, streams: sizes.streams })
  try {
    for (const arrival of ARRIVALS)
      console.table(rowsOf(arrival, await spentBy((of) => cpu(of, arrival), sizes)))
  } finally {
    asked.kill('SIGTERM')
    await asked.ended
  }
}

type Spent = { readonly [name in Contender]: readonly number[] }

/** In another order each turn, so that what else the machine does, and garbage, meet all alike. */
async function spentBy(
  cpu: (of: Contender) => Promise<number>,
  { turns, warmUp }: Sizes,
): Promise<Spent> {
  const random = seededRandom(7)
  const spent: { readonly [name in Contender]: number[] } = {
    toolwright: [],
    'toolwright again': [],
    'ai 6': [],
    'ai 7': [],
  }
  for (let turn = -warmUp; turn < turns; turn++)
    for (const of of shuffled([...CONTENDERS], random)) {
      const each = await cpu(of)
      if (turn >= 0) spent[of].push(each)
    }
  return spent
}

function rowsOf(arrival: Arrival, spent: Spent): readonly object[] {
  return CONTENDERS.map((name) => {
    const isSdk = name.startsWith('ai ')
    // Of each turn, because a machine is not equally fast in all of them.
    const ratio = median(spent[OURS].map((cpu, turn) => cpu / spent[name][turn]!))
    if (isSdk && ratio > BAR) process.exitCode = 1
    return {
      [`${DELTAS} deltas`]: arrival,
      who: name,
      'µs a stream': Math.round(median(spent[name])),
      'toolwright is': name === OURS ? '' : `${ratio.toFixed(2)} ×`,
      bar: isSdk ? BAR : '',
      verdict: isSdk ? (ratio <= BAR ? 'ok' : 'OVER') : '',
    }
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle) - 1]!) / 2
}
