/**
 * The inside of a contender's process: runs the one case it was started for and prints what was seen as one JSON line.
 * Points before it are its heartbeat, by which whoever started it knows a host that hangs.
 */
import { CASE_NAMES, type CaseName, type FactsOf, type NoWay, type Way } from './cases.ts'

export type Observations = {
  readonly [Name in CaseName]: (way: Way) => Promise<FactsOf[Name] | NoWay>
}

/** What a process prints at its end. */
export type Observed = { readonly facts: object } | { readonly failed: string }

const BEAT_MS = 50
let longestGapMs = 0

/** The longest time without a heartbeat up to now. */
export const longestGap = (): number => longestGapMs

export async function observeCase(observations: Observations): Promise<void> {
  const [, , name, way] = process.argv
  const beats = startBeats()
  let observed: Observed
  try {
    if (!CASE_NAMES.includes(name as CaseName)) throw new Error(`no such case: ${name}`)
    observed = { facts: await observations[name as CaseName](way as Way) }
  } catch (error) {
    observed = { failed: String(error) }
  }
  clearInterval(beats)
  // Sandboxes may keep threads that nobody needs any more.
  process.stdout.write(`\n${JSON.stringify(observed)}\n`, () => process.exit(0))
}

function startBeats(): NodeJS.Timeout {
  let last = performance.now()
  process.stdout.write('.')
  return setInterval(() => {
    const now = performance.now()
    longestGapMs = Math.max(longestGapMs, now - last)
    last = now
    process.stdout.write('.')
  }, BEAT_MS)
}
