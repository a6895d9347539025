/**
 * A run as rows of a timeline. Each leg has a scale of its own: the time in which a run was suspended, minutes or days,
 * is a line in words between two legs instead of an empty stretch.
 */
import type {
  TraceCall,
  TraceExchange,
  TraceLeg,
  TraceRound,
  TraceRun,
  TraceTimes,
} from 'toolwright/trace'
import type { TapeCall, TapeExchange } from '../../../src/protocol/opened-trace.ts'
import * as words from './trace-words.ts'

/** The time that the width of a row stands for. */
export interface TimeScale {
  readonly from: number
  readonly to: number
}

/** A stretch of a row, in shares of its width. */
export interface Bar {
  readonly kind: 'round' | 'model' | 'first' | 'call' | 'wait' | 'bad'
  readonly x: number
  readonly width: number
}

/** `id`: where it stands in the trace; unique in it. `depth` 0 is a round. */
export type TimelineRow = { readonly id: string } & (
  | {
      readonly type: 'bar'
      readonly depth: number
      readonly label: string
      readonly isBad: boolean
      readonly bars: readonly Bar[]
      readonly time: string
      /** Tokens of an exchange, how a call ended. */
      readonly more: string
      readonly shows: RowDetail
    }
  /** It begins a leg, and says how long that took. */
  | { readonly type: 'axis'; readonly length: string }
  | { readonly type: 'note'; readonly text: string; readonly kind: 'plain' | 'waits' | 'bad' }
  | { readonly type: 'run'; readonly run: TraceRun; readonly depth: number }
)

export type BarRow = Extract<TimelineRow, { type: 'bar' }>

export type RowDetail =
  | { readonly type: 'round'; readonly round: TraceRound }
  | { readonly type: 'exchange'; readonly exchange: TraceExchange }
  | { readonly type: 'call'; readonly call: TraceCall }
  | { readonly type: 'tape-exchange'; readonly exchange: TapeExchange }
  | { readonly type: 'tape-call'; readonly call: TapeCall }

/** The legs of a run, with the calls and runs inside of them below what they belong to. */
export const runRows = (run: TraceRun, id: string, depth = 0): readonly TimelineRow[] =>
  run.legs.flatMap((leg, index) =>
    legRows({ leg, before: run.legs[index - 1], id: `${id}/leg-${index}`, depth }),
  )

/** Calls outside of runs. */
export function looseCallRows(calls: readonly TraceCall[]): readonly TimelineRow[] {
  const scale = scaleOf(calls)
  return [
    axis('calls', scale),
    ...calls.flatMap((call, index) => callRows(call, { scale, id: `calls/${index}`, depth: 0 })),
  ]
}

interface LegPlace {
  readonly leg: TraceLeg
  readonly before: TraceLeg | undefined
  readonly id: string
  readonly depth: number
}

function legRows({ leg, before, id, depth }: LegPlace): readonly TimelineRow[] {
  const scale: TimeScale = { from: leg.startedAt, to: endOf(leg) }
  return [
    ...(leg.phase === 'resume' ? [note(`${id}/resumed`, resumed(leg, before), 'waits')] : []),
    axis(id, scale),
    ...leg.rounds.flatMap((round, index) =>
      roundRows(round, { scale, id: `${id}/round-${index}`, depth }),
    ),
    ...leg.runs.flatMap((run, index) => nestedRun(run, `${id}/run-${index}`, depth + 1)),
    ...leg.events.map((event, index) => note(`${id}/event-${index}`, words.event(event))),
    ...leg.pending.map((each, index) =>
      note(`${id}/pending-${index}`, words.pending(each), 'waits'),
    ),
    ...(leg.failure ? [note(`${id}/failure`, `failed: ${words.failure(leg.failure)}`, 'bad')] : []),
    ...(leg.status === 'limit' ? [note(`${id}/limit`, 'ended by a limit', 'waits')] : []),
  ]
}

function resumed({ waitedMs, writer }: TraceLeg, before: TraceLeg | undefined): string {
  const where = before && before.writer !== writer ? ' by another process' : ''
  const waited =
    waitedMs === undefined ? '' : ` after ${words.duration(waitedMs)} of waiting for a decision`
  return `resumed${where}${waited}`
}

interface Place {
  readonly scale: TimeScale
  readonly id: string
  readonly depth: number
}

function roundRows(round: TraceRound, place: Place): readonly TimelineRow[] {
  const { scale, id, depth } = place
  const inner = (name: string): Place => ({ scale, id: `${id}/${name}`, depth: depth + 1 })
  return [
    {
      id,
      type: 'bar',
      depth,
      label: `Round ${round.number}`,
      isBad: round.failed,
      bars: [bar(scale, round, round.failed ? 'bad' : 'round')],
      time: words.durationOf(round),
      more: waitedFor(round),
      shows: { type: 'round', round },
    },
    ...round.exchanges.map((exchange, index) => exchangeRow(exchange, inner(`model-${index}`))),
    ...round.calls.flatMap((call, index) => callRows(call, inner(`call-${index}`))),
  ]
}

/** `waited for pay`: the last of several calls; the next round could not begin before. */
function waitedFor({ waitedFor: id, calls }: TraceRound): string {
  const last = calls.find((call) => call.id === id)
  return last === undefined ? '' : `waited for ${last.name}`
}

function exchangeRow(exchange: TraceExchange, { scale, id, depth }: Place): TimelineRow {
  const { startedAt, endedAt, firstChunkAt, failed, failure, usage = {} } = exchange
  const kind = failed ? 'bad' : 'model'
  return {
    id,
    type: 'bar',
    depth,
    label: exchange.answeredBy ?? exchange.model,
    isBad: failed,
    bars:
      firstChunkAt === undefined
        ? [bar(scale, exchange, kind)]
        : [
            bar(scale, { startedAt, endedAt: firstChunkAt }, 'first'),
            bar(scale, { startedAt: firstChunkAt, endedAt }, kind),
          ],
    time: words.durationOf(exchange),
    more: failure ? words.failure(failure) : words.tokens(usage),
    shows: { type: 'exchange', exchange },
  }
}

function callRows(call: TraceCall, place: Place): readonly TimelineRow[] {
  const { scale, id, depth } = place
  const { startedAt, endedAt, ranAt, status } = call
  const isBad = status === 'failed' || status === 'refused'
  const kind = isBad ? 'bad' : 'call'
  const bars =
    ranAt === undefined
      ? [bar(scale, call, isBad ? 'bad' : 'wait')]
      : [
          bar(scale, { startedAt, endedAt: ranAt }, 'wait'),
          bar(scale, { startedAt: ranAt, endedAt }, kind),
        ]
  return [
    {
      id,
      type: 'bar',
      depth,
      label: call.name,
      isBad,
      bars,
      time: words.durationOf(call),
      more: [words.callOutcome(call), ...call.waits.map(words.wait)].filter(Boolean).join(', '),
      shows: { type: 'call', call },
    },
    ...call.calls.flatMap((inner, index) =>
      callRows(inner, { scale, id: `${id}/call-${index}`, depth: depth + 1 }),
    ),
    ...call.runs.flatMap((run, index) => nestedRun(run, `${id}/run-${index}`, depth + 1)),
  ]
}

const nestedRun = (run: TraceRun, id: string, depth: number): readonly TimelineRow[] => [
  { id, type: 'run', run, depth },
  ...runRows(run, id, depth),
]

const axis = (id: string, { from, to }: TimeScale): TimelineRow => ({
  id: `${id}/axis`,
  type: 'axis',
  length: words.duration(to - from),
})

const note = (
  id: string,
  text: string,
  kind: 'plain' | 'waits' | 'bad' = 'plain',
): TimelineRow => ({ id, type: 'note', text, kind })

/** What has no end reaches to the end of the scale. */
export function bar(
  scale: TimeScale,
  { startedAt, endedAt = scale.to }: TraceTimes,
  kind: Bar['kind'],
): Bar {
  const x = share(scale, startedAt)
  return { kind, x, width: Math.max(0, share(scale, endedAt) - x) }
}

function share({ from, to }: TimeScale, at: number): number {
  const length = Math.max(to - from, Number.MIN_VALUE)
  return Math.min(1, Math.max(0, (at - from) / length))
}

/** The last that is known of a leg that has no end. */
function endOf({ startedAt, endedAt, rounds }: TraceLeg): number {
  if (endedAt !== undefined) return endedAt
  const known = rounds.flatMap((round) => [round, ...round.exchanges, ...round.calls])
  return Math.max(startedAt + 1, scaleOf(known).to)
}

function scaleOf(times: readonly TraceTimes[]): TimeScale {
  return times.reduce(
    ({ from, to }, { startedAt, endedAt = startedAt }) => ({
      from: Math.min(from, startedAt),
      to: Math.max(to, startedAt, endedAt),
    }),
    { from: Infinity, to: -Infinity },
  )
}
