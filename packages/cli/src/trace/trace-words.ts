/** A trace in words, for the tree and the page alike: those of the library, and what only the command says. */
import type { Usage } from 'toolwright'
import { traceWords, type Cost, type Prices, type TraceRun } from 'toolwright/trace'

export const { duration, durationOf, count, failure, callOutcome, wait, pending, event } =
  traceWords

const LAST_DATE = 8.64e15

/** `2026-01-31T12:00:00.000Z`; a file may hold any number. */
export const moment = (at: number): string =>
  Math.abs(at) <= LAST_DATE ? new Date(at).toISOString() : 'at no date'

/** The empty text, if nothing is known. */
export function tokens(usage: Usage): string {
  const used = traceWords.tokens(usage)
  return used === '' ? '' : `${used} tokens`
}

/** Small amounts to two digits that say something: `$0.0012`. */
export function amount(value: number, { currency = '$' }: Prices): string {
  const digits = value === 0 || value >= 1 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(value)))
  const sign = /^\w+$/.test(currency) ? `${currency} ` : currency
  return `${sign}${value.toFixed(Math.max(2, digits))}`
}

export const cost = ({ amount: value, isPartial }: Cost, prices: Prices): string =>
  `${isPartial ? 'at least ' : ''}${amount(value, prices)}`

/** `openai gpt-5.4`; once, where both are called the same. */
export const modelOf = ({ provider, model }: Pick<TraceRun, 'provider' | 'model'>): string =>
  provider === '' || provider === model ? model : `${provider} ${model}`

export const calls = (n: number): string => `${n} ${n === 1 ? 'call' : 'calls'}`
export const rounds = (n: number): string => `${n} ${n === 1 ? 'round' : 'rounds'}`
