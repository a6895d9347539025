/** A trace or a cassette as sections of rows: one for each run, or one for exchanges and one for calls. */
import type { TraceRun } from 'toolwright/trace'
import type { OpenedTrace, TapeCall, TapeExchange } from '../../../src/protocol/opened-trace.ts'
import { looseCallRows, runRows, type BarRow, type TimelineRow } from './timeline.ts'
import * as words from './trace-words.ts'

export interface TraceSection {
  readonly id: string
  readonly title: string
  /** Empty, if there is nothing to say about how it ended. */
  readonly status: string
  readonly facts: readonly string[]
  readonly rows: readonly TimelineRow[]
}

export function traceSections(opened: OpenedTrace): readonly TraceSection[] {
  if (opened.kind === 'cassette') return cassetteSections(opened)
  const { runs, calls } = opened.trace
  const sections = runs.map((run, index) => runSection(run, `run-${index}`, index + 1))
  return calls.length === 0
    ? sections
    : [
        ...sections,
        {
          id: 'calls',
          title: 'Calls outside of runs',
          status: '',
          facts: [counted(calls.length, 'call')],
          rows: looseCallRows(calls),
        },
      ]
}

export const barRows = (sections: readonly TraceSection[]): readonly BarRow[] =>
  sections.flatMap(({ rows }) => rows.filter((row) => row.type === 'bar'))

const runSection = (run: TraceRun, id: string, number: number): TraceSection => ({
  id,
  title: `Run ${number}`,
  status: run.status === 'open' ? 'no end' : run.status,
  facts: runFacts(run),
  rows: runRows(run, id),
})

/** Who answered, how long it took, what it used, what went wrong. */
export function runFacts(run: TraceRun): readonly string[] {
  const { provider, model, legs, usage } = run
  const rounds = legs.flatMap((leg) => leg.rounds)
  const calls = rounds.flatMap((round) => round.calls)
  const errors =
    rounds.flatMap(({ exchanges }) => exchanges).filter(({ failed }) => failed).length +
    calls.filter(({ status }) => status === 'failed').length
  const asked = rounds.filter(({ exchanges }) => exchanges.length > 0).length
  const used = words.tokens(usage)
  return [
    provider === '' || provider === model ? model : `${provider} ${model}`,
    momentOf(run.startedAt),
    words.durationOf(run),
    counted(asked, 'round'),
    counted(calls.length, 'call'),
    used === '' ? '' : `${used} tokens`,
    errors === 0 ? '' : counted(errors, 'error'),
  ].filter(Boolean)
}

function cassetteSections({
  exchanges,
  calls,
}: Extract<OpenedTrace, { kind: 'cassette' }>): readonly TraceSection[] {
  const facts = (n: number, noun: string): readonly string[] => [
    counted(n, noun),
    'a cassette has no times',
  ]
  return [
    {
      id: 'exchanges',
      title: 'Exchanges with the model',
      status: '',
      facts: facts(exchanges.length, 'exchange'),
      rows: exchanges.map(exchangeRow),
    },
    {
      id: 'calls',
      title: 'Calls of tools',
      status: '',
      facts: facts(calls.length, 'call'),
      rows: calls.map(callRow),
    },
  ]
}

const untimed = { type: 'bar', depth: 0, isBad: false, bars: [], time: '' } as const

const exchangeRow = (exchange: TapeExchange, index: number): TimelineRow => ({
  ...untimed,
  id: `exchange-${index}`,
  label: `Exchange ${index + 1}`,
  more: `${counted(exchange.messages.length, 'message')}, ${counted(exchange.tools.length, 'tool')} offered`,
  shows: { type: 'tape-exchange', exchange },
})

const callRow = (call: TapeCall, index: number): TimelineRow => ({
  ...untimed,
  id: `call-${index}`,
  label: call.tool,
  more: '',
  shows: { type: 'tape-call', call },
})

const counted = (n: number, noun: string): string =>
  `${words.count(n)} ${noun}${n === 1 ? '' : 's'}`

const LAST_DATE = 8.64e15

/** A file may hold any number. */
const momentOf = (at: number): string =>
  Math.abs(at) <= LAST_DATE ? new Date(at).toLocaleString() : ''
