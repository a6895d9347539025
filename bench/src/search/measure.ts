/** Contenders side by side: each question is put to all of them before the next, so that a busy machine is busy for all. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ToolDefinition } from 'toolwright'
import type { Contender, Search } from './contenders.ts'
import type { Dataset, Query } from './dataset.ts'
import { percentile, qualityOf, type Quality } from './metrics.ts'

export interface Measured {
  readonly name: string
  readonly quality: Quality
  readonly p50: number
  readonly p95: number
  readonly buildMs: number
  readonly megabytes: number
}

interface Built {
  readonly name: string
  readonly search: Search
  readonly buildMs: number
  readonly megabytes: number
  /** Of each question, the least it took. */
  readonly times: number[]
  readonly rankings: (readonly string[])[]
}

const WARM_UP = 40

export async function measure(
  contenders: readonly Contender[],
  { tools, queries }: Pick<Dataset, 'tools' | 'queries'>,
  repeats = 1,
): Promise<Measured[]> {
  const built: Built[] = []
  for (const contender of contenders) built.push(await build(contender, tools))
  for (const { query } of queries.slice(0, WARM_UP))
    for (const { search } of built) await search(query, 10)
  for (let repeat = 0; repeat < repeats; repeat++)
    for (const [at, { query }] of queries.entries())
      for (const each of built) await ask(each, query, at)
  return built.map(({ name, times, rankings, buildMs, megabytes }) => ({
    name,
    quality: qualityOf(queries, rankings),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    buildMs,
    megabytes,
  }))
}

async function ask({ search, times, rankings }: Built, query: string, at: number): Promise<void> {
  const started = performance.now()
  rankings[at] = await search(query, 10)
  // Interference only ever adds.
  times[at] = Math.min(performance.now() - started, times[at] ?? Infinity)
}

async function build(contender: Contender, tools: readonly ToolDefinition[]): Promise<Built> {
  const before = heapAfterCollection()
  const started = performance.now()
  const search = await contender.build(tools)
  const buildMs = performance.now() - started
  const megabytes = (heapAfterCollection() - before) / 2 ** 20
  return { name: contender.name, search, buildMs, megabytes, times: [], rankings: [] }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapAfterCollection(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** At most so many, evenly taken. */
export const sampled = (queries: readonly Query[], most: number): readonly Query[] => {
  const stride = Math.max(1, Math.ceil(queries.length / most))
  return queries.filter((_query, index) => index % stride === 0)
}
