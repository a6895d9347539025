/**
 * Measures how the work of a reader grows with its input, at three sizes, each four times the one before. CPU
 * time of this process, the best of several: what else the machine does costs waiting, not work. A reader that
 * compares everything with everything takes sixteen times as long at each step; one that looks at everything
 * once takes four times as long, and may take twice that, and a moment for the collector of garbage.
 */
import { expect } from 'vitest'

const STEP = 4
const MOST_GROWTH = 2 * STEP
const MOMENT_MS = 80
const TRIES = 2
/** From here on one try is enough. */
const LONG_MS = 150

export interface Growth<Input> {
  /** Makes an input of about this size. */
  readonly make: (size: number) => Input
  readonly read: (input: Input) => unknown
  /** The smallest size. */
  readonly from: number
}

export async function expectLinear<Input>({ make, read, from }: Growth<Input>): Promise<void> {
  // What the engine does when it meets code for the first time is no growth.
  await timeOf(make(from), read)
  let before = await timeOf(make(from), read)
  for (const size of [from * STEP, from * STEP * STEP]) {
    const ms = await timeOf(make(size), read)
    const most = before * MOST_GROWTH + MOMENT_MS
    expect(
      ms,
      `${ms.toFixed(1)} ms for ${size}, ${before.toFixed(1)} ms for a fourth`,
    ).toBeLessThan(most)
    before = ms
  }
}

async function timeOf<Input>(input: Input, read: (input: Input) => unknown): Promise<number> {
  let best = Infinity
  for (let tries = 0; tries < TRIES && best > 0; tries++) {
    const started = cpuMs()
    await read(input)
    best = Math.min(best, cpuMs() - started)
    if (best > LONG_MS) break
  }
  return best
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
