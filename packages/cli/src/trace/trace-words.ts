/** Times, tokens, costs and outcomes of a trace in words, for the tree and the page alike. */
import type {
  Cost,
  Prices,
  TraceCall,
  TraceEvent,
  TraceFailure,
  TracePending,
  TraceRun,
  TraceTimes,
  TraceWait,
} from 'toolwright/trace'
import type { Usage } from 'toolwright'

export function duration(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`
  const [largest, next] = unitsFor(ms)
  return next === '' ? largest : `${largest} ${next}`
}

const UNITS = [
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
] as const

/** The two largest units, as `2 h` and `3 min`. */
function unitsFor(ms: number): readonly [largest: string, next: string] {
  const index = UNITS.findLastIndex(([, size]) => ms >= size)
  const [name, size] = UNITS[index]!
  const [smaller, smallerSize] = UNITS[index - 1]!
  const rest = Math.floor((ms % size) / smallerSize)
  return [`${Math.floor(ms / size)} ${name}`, rest > 0 ? `${rest} ${smaller}` : '']
}

const LAST_DATE = 8.64e15

/** `2026-01-31T12:00:00.000Z`; a file may hold any number. */
export const moment = (at: number): string =>
  Math.abs(at) <= LAST_DATE ? new Date(at).toISOString() : 'at no date'

/** How long something took; that it has no end, if there is none. */
export const durationOf = ({ startedAt, endedAt }: TraceTimes): string =>
  endedAt === undefined ? 'no end' : duration(Math.max(0, endedAt - startedAt))

/** The empty text, if nothing is known. */
export function tokens({ inputTokens, outputTokens, cacheReadTokens }: Usage): string {
  const cached = cacheReadTokens ? ` (${count(cacheReadTokens)} cached)` : ''
  const parts = [
    ...(inputTokens === undefined ? [] : [`${count(inputTokens)} in${cached}`]),
    ...(outputTokens === undefined ? [] : [`${count(outputTokens)} out`]),
  ]
  return parts.length === 0 ? '' : `${parts.join(' + ')} tokens`
}

export const count = (n: number): string => n.toLocaleString('en-US')

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

/** `RangeError: out of range`, `ToolTimeoutError (tool-timeout)`. */
export function failure({ name, code, message }: TraceFailure): string {
  const kind = code === undefined ? name : `${name} (${code})`
  return message === undefined ? kind : `${kind}: ${message}`
}

export function callOutcome(call: TraceCall): string {
  const { status, refusal, failure: why } = call
  switch (status) {
    case 'done':
      return ''
    case 'refused':
      return `not run${refusal === undefined ? '' : `: ${refusal}`}`
    case 'suspended':
      return 'waits for an answer'
    case 'failed':
      return why ? `failed: ${failure(why)}` : 'failed'
    case 'open':
      return 'no end'
  }
}

const WAITED_FOR = { place: 'its place', lock: 'its lock', rate: 'its rate' }

/** `waited 10 ms for its lock, which pay (call_1) had`. */
export function wait({ for: what, ms, callId, toolName }: TraceWait): string {
  const whom = callId === undefined ? '' : `, which ${toolName ?? 'a call'} (${callId}) had`
  return `waited ${duration(ms)} for ${WAITED_FOR[what]}${whom}`
}

const DECISIONS: { readonly [kind: string]: string } = {
  approval: 'approval',
  result: 'its result',
  question: 'an answer',
  'unknown-outcome': 'word on whether it ran',
}

/** `pay (call_2) waits for approval`; of a call that a tool made, with its line: `pay (call_2/4, line 12) …`. */
export const pending = ({ toolName, callId, kind, line }: TracePending): string =>
  `${toolName} (${callId}${line === undefined ? '' : `, line ${line}`}) waits for ${DECISIONS[kind] ?? kind}`

/** What happened during a call or a leg, in a line. */
export function event({ type, code, message, toolName, runId, count: times }: TraceEvent): string {
  const inside = runId === undefined ? '' : `inside, ${runId}: `
  if (code !== undefined) return `${inside}${code}${message === undefined ? '' : `: ${message}`}`
  const about = toolName === undefined ? '' : ` ${toolName}`
  return `${inside}${type}${about}${times === undefined ? '' : ` × ${times}`}`
}
