/** The part of a trace that `--run` asks for. */
import type { Trace, TraceRun } from 'toolwright/trace'
import { CommandError } from '../command/command-error.ts'
import { joinedRun } from './joined-run.ts'
import { runsIn } from './runs-in.ts'

const MOST_LISTED = 20

/** An id, or the beginning of one that no other run has; also of a run inside another. */
export function pickRun(trace: Trace, id: string): Trace {
  const all = runsIn(trace.runs)
  const exact = all.filter((run) => run.id === id)
  const found = exact.length > 0 ? exact : all.filter((run) => run.id.startsWith(id))
  const ids = [...new Set(found.map((run) => run.id))]
  if (ids.length === 1) return { ...trace, runs: [joinedRun(found)], calls: [] }
  throw new CommandError(
    ids.length > 1
      ? `Several runs begin with "${id}": ${listOfIds(found)}. Give more of the id.`
      : `There is no run "${id}" in it. There are: ${listOfIds(all)}.`,
  )
}

/** `run_1, run_2 and 30 more`. */
export function listOfIds(runs: readonly TraceRun[]): string {
  const ids = [...new Set(runs.map(({ id }) => id))]
  const more = ids.length - MOST_LISTED
  return `${ids.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
