/** Times, tokens and outcomes of a trace in words: whatever shows a trace, a terminal or a page, says them alike. */
import type { Usage } from '../messages/chat-response.ts'
import type { TraceFailure } from './trace-line.ts'
import type { TraceCall, TraceEvent, TracePending, TraceTimes, TraceWait } from './trace.ts'

const UNITS = [
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
] as const

function duration(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`
  const index = UNITS.findLastIndex(([, size]) => ms >= size)
  const [name, size] = UNITS[index]!
  const [smaller, smallerSize] = UNITS[index - 1]!
  const rest = Math.floor((ms % size) / smallerSize)
  return `${Math.floor(ms / size)} ${name}${rest > 0 ? ` ${rest} ${smaller}` : ''}`
}

const durationOf = ({ startedAt, endedAt }: TraceTimes): string =>
  endedAt === undefined ? 'no end' : duration(Math.max(0, endedAt - startedAt))

const count = (n: number): string => n.toLocaleString('en-US')

function tokens({ inputTokens, outputTokens, cacheReadTokens }: Usage): string {
  const cached = cacheReadTokens ? ` (${count(cacheReadTokens)} cached)` : ''
  return [
    ...(inputTokens === undefined ? [] : [`${count(inputTokens)} in${cached}`]),
    ...(outputTokens === undefined ? [] : [`${count(outputTokens)} out`]),
  ].join(' + ')
}

function failure({ name, code, message }: TraceFailure): string {
  const kind = code === undefined ? name : `${name} (${code})`
  return message === undefined ? kind : `${kind}: ${message}`
}

function callOutcome({ status, refusal, failure: why }: TraceCall): string {
  switch (status) {
    case 'done':
      return ''
    case 'refused':
      return `not run${refusal === undefined ? '' : `: ${refusal}`}`
    case 'suspended':
      return 'waits for a decision'
    case 'failed':
      return why ? `failed: ${failure(why)}` : 'failed'
    case 'open':
      return 'no end'
  }
}

const WAITED_FOR = { place: 'its place', lock: 'its lock', rate: 'its rate' }

function wait({ for: what, ms, callId, toolName }: TraceWait): string {
  const whom = callId === undefined ? '' : `, which ${toolName ?? 'a call'} (${callId}) had`
  return `waited ${duration(ms)} for ${WAITED_FOR[what]}${whom}`
}

/** By its own names only: a file may hold any kind. */
const DECISIONS = new Map([
  ['approval', 'approval'],
  ['result', 'its result'],
  ['question', 'an answer'],
  ['unknown-outcome', 'word on whether it ran'],
])

const pending = ({ toolName, callId, kind, line }: TracePending): string =>
  `${toolName} (${callId}${line === undefined ? '' : `, line ${line}`}) waits for ${DECISIONS.get(kind) ?? kind}`

function event({ type, code, message, toolName, runId, count: times }: TraceEvent): string {
  const inside = runId === undefined ? '' : `inside, ${runId}: `
  if (code !== undefined) return `${inside}${code}${message === undefined ? '' : `: ${message}`}`
  const about = toolName === undefined ? '' : ` ${toolName}`
  return `${inside}${type}${about}${times === undefined ? '' : ` × ${count(times)}`}`
}

/** What a trace holds in words, for people; text of tools and models in it is as it was sent, so escape it. */
export interface TraceWords {
  /** `0.4 ms`, `1.20 s`, `2 h 3 min`; a run may have waited for days. */
  readonly duration: (ms: number) => string
  /** How long something took; `no end`, if it has none. */
  readonly durationOf: (times: TraceTimes) => string
  /** `1,200`. */
  readonly count: (n: number) => string
  /** `120 in (100 cached) + 8 out`; empty, if nothing is known. */
  readonly tokens: (usage: Usage) => string
  /** `RangeError: out of range`, `ToolTimeoutError (tool-timeout)`. */
  readonly failure: (failure: TraceFailure) => string
  /** Empty for a call that did what it should. */
  readonly callOutcome: (call: TraceCall) => string
  /** `waited 10 ms for its lock, which pay (call_1) had`. */
  readonly wait: (wait: TraceWait) => string
  /** `pay (call_2) waits for approval`; of a call that a tool made, with its line: `pay (call_2/4, line 12) …`. */
  readonly pending: (pending: TracePending) => string
  /** What happened during a call or a leg, in a line. */
  readonly event: (event: TraceEvent) => string
}

export const traceWords: TraceWords = {
  duration,
  durationOf,
  count,
  tokens,
  failure,
  callOutcome,
  wait,
  pending,
  event,
}
