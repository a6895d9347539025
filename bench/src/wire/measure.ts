/**
 * Runs the batches: for every repeat all contenders in a fresh random order, one at a time. A batch
 * that did not do exactly the expected work ends the benchmark.
 */
import type { WireCase, Work } from './cases.ts'
import { expectedWork } from './cases.ts'
import type { Child } from './child.ts'
import { shuffled } from './seeded-random.ts'
import type { BatchReport } from './workers/serve-batches.ts'

/** Milliseconds per conversation. */
export interface Figure {
  readonly cpuMinimum: number
  readonly cpuMedian: number
  readonly wallMinimum: number
}

/** Contender to figure. */
export type Figures = ReadonlyMap<string, Figure>

export interface Measuring {
  readonly workers: ReadonlyMap<string, Child>
  readonly repeats: number
  readonly random: () => number
}

export async function measure(
  wireCase: WireCase,
  { workers, repeats, random }: Measuring,
): Promise<Figures> {
  const reports = new Map<string, BatchReport[]>([...workers.keys()].map((name) => [name, []]))
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [name, child] of shuffled([...workers], random)) {
      reports.get(name)!.push(await checkedBatch(wireCase, name, child))
    }
  }
  return new Map([...reports].map(([name, batches]) => [name, figureOf(batches, wireCase.batch)]))
}

async function checkedBatch(wireCase: WireCase, name: string, child: Child): Promise<BatchReport> {
  const { model, stream, batch } = wireCase
  const report = await child.batch({ model, stream, conversations: batch })
  const expected = expectedWork(wireCase)
  for (const field of Object.keys(expected) as (keyof Work)[]) {
    if (report[field] !== expected[field] * batch) {
      throw new Error(
        `${name} in ${wireCase.name}: ${field} was ${report[field]}, expected ${expected[field] * batch}. Its figures would mean nothing.`,
      )
    }
  }
  return report
}

function figureOf(batches: readonly BatchReport[], conversations: number): Figure {
  const cpu = batches.map((batch) => batch.cpuMs / conversations).sort((a, b) => a - b)
  const wall = batches.map((batch) => batch.wallMs / conversations)
  return {
    cpuMinimum: cpu[0]!,
    cpuMedian: cpu[Math.floor(cpu.length / 2)]!,
    wallMinimum: Math.min(...wall),
  }
}
