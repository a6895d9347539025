/**
 * One run from its parts. The legs of a run inside a call stand in that call, which is there once for each leg of the
 * run around it; asked for by its id, the run is one.
 */
import type { Usage } from 'toolwright'
import type { TraceLeg, TraceRun } from 'toolwright/trace'

/** At least one part. */
export function joinedRun(parts: readonly TraceRun[]): TraceRun {
  const [first, ...others] = parts.toSorted((a, b) => a.startedAt - b.startedAt)
  return others.reduce(
    (run, part) => ({
      ...run,
      ...(part.endedAt !== undefined && { endedAt: part.endedAt }),
      status: part.status,
      legs: [...run.legs, ...part.legs.map((leg) => withWaiting(leg, run.legs.at(-1)))],
      usage: sumOf(run.usage, part.usage),
    }),
    first!,
  )
}

function withWaiting(leg: TraceLeg, before: TraceLeg | undefined): TraceLeg {
  const waitedMs = leg.startedAt - (before?.endedAt ?? Number.NaN)
  return leg.waitedMs === undefined && waitedMs >= 0 ? { ...leg, waitedMs } : leg
}

function sumOf(a: Usage, b: Usage): Usage {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof Usage)[]
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]))
}
