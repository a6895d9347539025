/** A trace with what each run and each exchange cost, for `--json`. */
import {
  costOf,
  exchangeCost,
  type Prices,
  type Trace,
  type TraceCall,
  type TraceLeg,
  type TraceRound,
  type TraceRun,
} from 'toolwright/trace'

export function pricedTrace(trace: Trace, prices: Prices): object {
  const run = (each: TraceRun): object => ({
    ...each,
    cost: costOf(each, prices),
    legs: each.legs.map(leg),
  })
  const leg = (each: TraceLeg): object => ({
    ...each,
    rounds: each.rounds.map(round),
    runs: each.runs.map(run),
  })
  const round = (each: TraceRound): object => ({
    ...each,
    exchanges: each.exchanges.map((exchange) => {
      const cost = exchangeCost(exchange, prices)
      return cost === undefined ? exchange : { ...exchange, cost }
    }),
    calls: each.calls.map(call),
  })
  const call = (each: TraceCall): object => ({
    ...each,
    runs: each.runs.map(run),
    calls: each.calls.map(call),
  })
  const { currency = '$' } = prices
  return { ...trace, currency, runs: trace.runs.map(run), calls: trace.calls.map(call) }
}
