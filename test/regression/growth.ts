/**
 * Measures how the work of a reader grows with its input, at two sizes, the second sixteen times the first. A
 * reader that looks at everything once does sixteen times the work, one that compares everything with everything
 * 256 times; the bar is in the middle, and leaves a moment for the collector of garbage.
 *
 * Work is CPU time of this process: most of it is done by regular expressions and the engine, whose steps nobody
 * counts. What else the machine does can only add to it, so the least of several tries counts, and before a
 * reader fails it may try again: one that is linear gets there, one that is not does more work in every try.
 */
import { expect } from 'vitest'

const GROWTH = 16
const MOST_WORK = GROWTH ** 1.5
const MOMENT_MS = 80
/** Tries at the small size before the first look: taken for too long, it would excuse too much at the large one. */
const FIRST_TRIES = 3
const MOST_TRIES = 8

export interface Growth<Input> {
  /** Makes an input of about this size. */
  readonly make: (size: number) => Input
  readonly read: (input: Input) => unknown
  /** The smallest size. */
  readonly from: number
}

export async function expectLinear<Input>({ make, read, from }: Growth<Input>): Promise<void> {
  const [small, large] = [make(from), make(from * GROWTH)]
  let [few, many] = [Infinity, Infinity]
  const trySmall = async (): Promise<void> => void (few = Math.min(few, await cpuMsOf(read, small)))
  for (let tries = 0; tries < FIRST_TRIES; tries++) await trySmall()
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    many = Math.min(many, await cpuMsOf(read, large))
    if (many < few * MOST_WORK + MOMENT_MS) return
    await trySmall()
  }
  expect.fail(
    `${many.toFixed(1)} ms for ${from * GROWTH}, ${few.toFixed(1)} ms for a sixteenth: more than in proportion`,
  )
}

async function cpuMsOf<Input>(read: (input: Input) => unknown, input: Input): Promise<number> {
  const before = process.cpuUsage()
  await read(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
