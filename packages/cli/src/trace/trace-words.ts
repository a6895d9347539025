/** A trace in words, for the tree and the page alike: those of the library, and what only the command says. */
import type { Usage } from 'toolwright'
import {
  traceWords,
  type Cost,
  type Prices,
  type TraceCall,
  type TraceEvent,
  type TraceRun,
} from 'toolwright/trace'

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
  isPartial && value === 0
    ? 'cost unknown'
    : `${isPartial ? 'at least ' : ''}${amount(value, prices)}`

/** That whoever approved a call changed its arguments. */
export const EDITED = 'edited'

/** What the model was told instead of a result, if the trace has content. */
export const refusalIn = ({ status, result }: TraceCall): string =>
  status === 'refused' && typeof result === 'string'
    ? shortened(result.replace(/^Not run: /, ''))
    : ''

/** What a tool told on its way, if the trace has content; of a program, a line of its console. */
export function progressIn({ type, data }: TraceEvent): string {
  if (type !== 'tool-progress' || data === undefined) return ''
  return shortened(typeof data === 'string' ? data : JSON.stringify(data))
}

const MOST_CHARACTERS = 300

const shortened = (text: string): string =>
  text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`

/** `openai gpt-5.4`; once, where both are called the same. */
export const modelOf = ({ provider, model }: Pick<TraceRun, 'provider' | 'model'>): string =>
  provider === '' || provider === model ? model : `${provider} ${model}`

export const calls = (n: number): string => `${n} ${n === 1 ? 'call' : 'calls'}`
export const rounds = (n: number): string => `${n} ${n === 1 ? 'round' : 'rounds'}`
