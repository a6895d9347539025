/** Times, tokens and outcomes of a trace in words. */
import type { Usage } from 'toolwright'
import type {
  TraceCall,
  TraceEvent,
  TraceFailure,
  TracePending,
  TraceTimes,
  TraceWait,
} from 'toolwright/trace'
import { duration as shortDuration } from '../parts/duration.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A run may be suspended for days: `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < HOUR_MS) return shortDuration(ms)
  const hours = `${Math.floor((ms % DAY_MS) / HOUR_MS)} h`
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} d ${hours}`
  return `${hours} ${Math.floor((ms % HOUR_MS) / 60_000)} min`
}

/** How long something took; that it has no end, if there is none. */
export const durationOf = ({ startedAt, endedAt }: TraceTimes): string =>
  endedAt === undefined ? 'no end' : duration(Math.max(0, endedAt - startedAt))

export const count = (n: number): string => n.toLocaleString('en-US')

/** `120 in (100 cached) + 8 out`; empty, if nothing is known. */
export function tokens({ inputTokens, outputTokens, cacheReadTokens }: Usage): string {
  const cached = cacheReadTokens ? ` (${count(cacheReadTokens)} cached)` : ''
  return [
    ...(inputTokens === undefined ? [] : [`${count(inputTokens)} in${cached}`]),
    ...(outputTokens === undefined ? [] : [`${count(outputTokens)} out`]),
  ].join(' + ')
}

/** `RangeError: out of range`, `ToolTimeoutError (tool-timeout)`. */
export function failure({ name, code, message }: TraceFailure): string {
  const kind = code === undefined ? name : `${name} (${code})`
  return message === undefined ? kind : `${kind}: ${message}`
}

/** Empty for a call that did what it should. */
export function callOutcome({ status, refusal, failure: why }: TraceCall): string {
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

/** `waited 10 ms for its lock, which pay (call_1) had`. */
export function wait({ for: what, ms, callId, toolName }: TraceWait): string {
  const whom = callId === undefined ? '' : `, which ${toolName ?? 'a call'} (${callId}) had`
  return `waited ${duration(ms)} for ${WAITED_FOR[what]}${whom}`
}

const DECISIONS = new Map([
  ['approval', 'approval'],
  ['result', 'its result'],
  ['question', 'an answer'],
  ['unknown-outcome', 'word on whether it ran'],
])

/** `pay (call_2) waits for approval`; of a call that a program made, with its line. */
export const pending = ({ toolName, callId, kind, line }: TracePending): string =>
  `${toolName} (${callId}${line === undefined ? '' : `, line ${line}`}) waits for ${DECISIONS.get(kind) ?? kind}`

/** What happened during a call or a leg, in a line. */
export function event({ type, code, message, toolName, runId, count: times }: TraceEvent): string {
  const inside = runId === undefined ? '' : `inside, ${runId}: `
  if (code !== undefined) return `${inside}${code}${message === undefined ? '' : `: ${message}`}`
  const about = toolName === undefined ? '' : ` ${toolName}`
  return `${inside}${type}${about}${times === undefined ? '' : ` × ${count(times)}`}`
}
