/** The part of a trace that `--run` asks for. */
import type { Trace } from 'toolwright/trace'
import { CommandError } from '../command/command-error.ts'
import { runsIn } from './runs-in.ts'

const MOST_LISTED = 20

/** An id, or the beginning of one that no other run has; also of a run inside another. */
export function pickRun(trace: Trace, id: string): Trace {
  const all = runsIn(trace.runs)
  const exact = all.filter((run) => run.id === id)
  const found = exact.length > 0 ? exact : all.filter((run) => run.id.startsWith(id))
  const ids = [...new Set(found.map((run) => run.id))]
  if (ids.length === 1) return { ...trace, runs: found, calls: [] }
  const listed = ids.length > 0 ? ids : [...new Set(all.map((run) => run.id))]
  throw new CommandError(
    ids.length > 1
      ? `Several runs begin with "${id}": ${list(listed)}. Give more of the id.`
      : `There is no run "${id}" in it. There are: ${list(listed)}.`,
  )
}

function list(ids: readonly string[]): string {
  const more = ids.length - MOST_LISTED
  return `${ids.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
