/** Runs with all that are inside of them, outer ones first. */
import type { TraceCall, TraceRun } from 'toolwright/trace'

export function runsIn(runs: readonly TraceRun[]): readonly TraceRun[] {
  return runs.flatMap((run) => [
    run,
    ...run.legs.flatMap((leg) => [
      ...runsIn(leg.runs),
      ...leg.rounds.flatMap((round) => round.calls).flatMap(runsOfCall),
    ]),
  ])
}

export const runsOfCall = (call: TraceCall): readonly TraceRun[] => [
  ...runsIn(call.runs),
  ...call.calls.flatMap(runsOfCall),
]
