/** The models of a trace for which a list has no price, as `provider/model`. */
import { exchangeCost, type Prices, type Trace, type TraceExchange } from 'toolwright/trace'
import { runsIn, runsOfCall } from './runs-in.ts'

export function unpricedModels({ runs, calls }: Trace, prices: Prices): readonly string[] {
  const names = [...runsIn(runs), ...calls.flatMap(runsOfCall)]
    .flatMap(({ legs }) => legs.flatMap(({ rounds }) => rounds))
    .flatMap(({ exchanges }) => exchanges)
    .filter((exchange) => !hasPrice(exchange, prices))
    .map(({ provider, model, answeredBy = model }) => `${provider}/${answeredBy}`)
  return [...new Set(names)]
}

/** Tokens that are not known are another matter. */
const hasPrice = (exchange: TraceExchange, prices: Prices): boolean =>
  exchangeCost({ ...exchange, usage: { inputTokens: 0 } }, prices) !== undefined
