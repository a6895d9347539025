/**
 * `npm run bench -- durable [--quick] [--only steps|tables|recovery]`: what a durable run costs beside bare steps of DBOS, how soon a worker is ready with
 * many runs parked, and whether a run costs more when many are in the tables. PostgreSQL runs on loopback with its own
 * defaults. Ends with exit code 1 when a bar is missed.
 */
import { parseArgs } from 'node:util'
import { createDatabase, query } from '../../../test/postgres/create-database.ts'
import { HAS_POSTGRES, NO_POSTGRES, startPostgres } from '../../../test/postgres/postgres-server.ts'
import { startAsked } from '../../../test/processes/asked-process.ts'
import { compile } from '../compile.ts'
import type { BareAnswers } from './bare-worker.ts'
import type { StepBatch } from './step-times.ts'
import type { AskedSteps, ToolwrightAnswers } from './toolwright-worker.ts'

const BARE = 'durable/bare-worker.ts'
const TOOLWRIGHT = 'durable/toolwright-worker.ts'
const LEAST_RATIO = 0.8
const MOST_RECOVERY_S = 10
/** A run with all runs in the tables may cost so much more than one with the fewest. */
const MOST_GROWTH = 1.3
/** Of 100 runs, at each level: together fewer than lie between two levels. */
const BATCHES = 8

interface Sizes {
  readonly tries: number
  readonly parked: number
  readonly levels: readonly number[]
}

interface Bench {
  readonly url: string
  readonly file: (source: string) => string
  readonly sizes: Sizes
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      fsync: { type: 'string', default: 'on' },
      only: { type: 'string' },
    },
  })
  if (!HAS_POSTGRES) throw new Error(NO_POSTGRES[1])
  const file = await compile([BARE, TOOLWRIGHT])
  await using server = await startPostgres({ fsync: values.fsync })
  const sizes = values.quick
    ? { tries: 3, parked: 1_000, levels: [100, 1_000] }
    : { tries: 15, parked: 10_000, levels: [100, 1_000, 10_000] }
  const bench: Bench = { url: server.url, file, sizes }
  const parts = { steps: compareSteps, tables: fillTables, recovery: recoverParked }
  for (const [name, measure] of Object.entries(parts))
    if (values.only === undefined || values.only === name) await measure(bench)
}

/** Both contenders run in turns, each in a process and a database of its own. */
async function compareSteps({ url, file, sizes }: Bench): Promise<void> {
  const bare = await startAsked<BareAnswers>(file(BARE), { url: await createDatabase(url, 'bare') })
  const toolwright = await startAsked<ToolwrightAnswers>(file(TOOLWRIGHT), {
    url: await createDatabase(url, 'steps'),
  })
  const cases: { readonly [name: string]: AskedSteps } = {
    'one run, 100 steps': { runs: 1, rounds: 50 },
    '16 runs at once, 100 steps each': { runs: 16, rounds: 50 },
  }
  const rows: object[] = []
  for (const [name, asked] of Object.entries(cases)) {
    const rates: { bare: number; toolwright: number }[] = []
    // The first is for warming up.
    for (let each = 0; each <= sizes.tries; each++) {
      const inTurn = { bare: 0, toolwright: 0 }
      const batches = [
        async () => (inTurn.bare = rateOf(await bare.ask('steps', asked))),
        async () => (inTurn.toolwright = rateOf(await toolwright.ask('steps', asked))),
      ]
      for (const batch of each % 2 === 0 ? batches : batches.toReversed()) await batch()
      if (each > 0) rates.push(inTurn)
    }
    const [ours, theirs] = [rates.map((r) => r.toolwright), rates.map((r) => r.bare)]
    // The best of each, because interference only ever adds. The medians show how much there was of it.
    const ratio = Math.max(...ours) / Math.max(...theirs)
    rows.push({
      'steps per second': name,
      'bare DBOS': Math.round(Math.max(...theirs)),
      toolwright: Math.round(Math.max(...ours)),
      medians: `${Math.round(median(theirs))}, ${Math.round(median(ours))}`,
      ratio: ratio.toFixed(2),
      ...verdict(ratio >= LEAST_RATIO, `at least ${LEAST_RATIO}`),
    })
  }
  console.table(rows)
  await end(bare, toolwright)
}

/** The same small runs again and again, with more and more that have ended in the tables. */
async function fillTables({ url, file, sizes }: Bench): Promise<void> {
  const database = await createDatabase(url, 'filled')
  const worker = await startAsked<ToolwrightAnswers>(file(TOOLWRIGHT), { url: database })
  const rows: { readonly ms: number; readonly row: object }[] = []
  let filled = 0
  const batch = async (count: number): Promise<number> => {
    const ms = await worker.ask('run', { name: `r${filled}`, count, together: 16 })
    filled += count
    return ms
  }
  await batch(50)
  for (const level of sizes.levels) {
    if (filled < level) await batch(level - filled)
    const inTables = filled
    const tries: number[] = []
    for (let each = 0; each < BATCHES; each++) tries.push((await batch(100)) / 100)
    // The least, because interference only ever adds.
    const ms = Math.min(...tries)
    const growth = ms / (rows[0]?.ms ?? ms)
    const bytes = await sizeOf(database)
    rows.push({
      ms,
      row: {
        'runs in the tables': inTables,
        'ms per run': ms.toFixed(2),
        median: median(tries).toFixed(2),
        'runs per second': Math.round(1_000 / ms),
        'steps per second': Math.round(3_000 / ms),
        'MB in all': (bytes / 1e6).toFixed(1),
        'kB per run': (bytes / 1e3 / filled).toFixed(1),
        growth: growth.toFixed(2),
        ...verdict(growth <= MOST_GROWTH, `at most ${MOST_GROWTH}`),
      },
    })
  }
  console.log('\nRuns of three steps, 16 at once, one worker:')
  console.table(rows.map(({ row }) => row))
  await end(worker)
}

/** A worker is killed with many runs parked and some under way; another one is started. */
async function recoverParked({ url, file, sizes }: Bench): Promise<void> {
  const database = await createDatabase(url, 'parked')
  const start = () => startAsked<ToolwrightAnswers>(file(TOOLWRIGHT), { url: database })
  const first = await start()
  const parking = await first.ask('park', { name: 'parked', count: sizes.parked, together: 50 })
  const cutOff = { name: 'slow', count: 20, together: 20 }
  await first.ask('begin', cutOff)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await end(first)

  const started = performance.now()
  const since = (): number => (performance.now() - started) / 1_000
  const second = await start()
  const ready = since()
  await second.ask('approve', 'parked-7')
  const decided = since()
  await second.ask('finish', cutOff)
  const recovered = since()
  console.log(`\n${sizes.parked} runs parked, at ${(parking / sizes.parked).toFixed(2)} ms each:`)
  console.table([
    { 's after the start of a worker': 'ready', s: ready.toFixed(2), ...inTime(ready) },
    {
      's after the start of a worker': 'a parked run decided and ended',
      s: decided.toFixed(2),
      ...inTime(decided),
    },
    {
      's after the start of a worker': `${cutOff.count} runs that were cut off ended, 2 s of work each`,
      s: recovered.toFixed(2),
      ...inTime(recovered),
    },
  ])
  await end(second)
}

const inTime = (s: number) => verdict(s <= MOST_RECOVERY_S, `at most ${MOST_RECOVERY_S}`)

function verdict(isKept: boolean, bar: string) {
  if (!isKept) process.exitCode = 1
  return { bar, verdict: isKept ? 'ok' : 'MISSED' }
}

const rateOf = ({ steps, ms }: StepBatch): number => (steps * 1_000) / ms

async function end(...workers: readonly { kill(signal: 'SIGKILL'): void; ended: Promise<void> }[]) {
  for (const worker of workers) worker.kill('SIGKILL')
  await Promise.all(workers.map((worker) => worker.ended))
}

async function sizeOf(url: string): Promise<number> {
  const rows = await query(url, 'select pg_database_size(current_database()) as bytes')
  return Number((rows[0] as { readonly bytes: string }).bytes)
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}
