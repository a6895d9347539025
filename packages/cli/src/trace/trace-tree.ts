/** A trace as a tree of lines: runs, their rounds, exchanges and calls, and what waited for whom. */
import {
  costOf,
  exchangeCost,
  type Prices,
  type Trace,
  type TraceCall,
  type TraceExchange,
  type TraceLeg,
  type TraceRound,
  type TraceRun,
} from 'toolwright/trace'
import { printable } from '../terminal/printable.ts'
import type { StyleName, Styles } from '../terminal/styles.ts'
import { wrap } from '../terminal/wrap.ts'
import * as words from './trace-words.ts'

interface Branch {
  readonly text: string
  readonly style?: StyleName
  readonly children?: readonly Branch[]
}

export interface TreeOptions {
  readonly styles: Styles
  /** Columns of the terminal. */
  readonly width: number
  readonly prices?: Prices | undefined
}

export function traceTree(trace: Trace, { styles, width, prices }: TreeOptions): string {
  const branches = [
    ...trace.runs.map((run) => runBranch(run, prices)),
    ...(trace.calls.length > 0
      ? [
          {
            text: 'calls outside of runs',
            children: trace.calls.map((call) => callBranch(call, prices)),
          },
        ]
      : []),
  ]
  const lines = branches.flatMap((branch) =>
    linesOf(branch, { first: '', others: '' }, { styles, width }),
  )
  return lines.map((line) => `${line}\n`).join('')
}

function runBranch(run: TraceRun, prices: Prices | undefined): Branch {
  const { id, status, legs } = run
  const all = legs.reduce((sum, { rounds }) => sum + rounds.filter(isAsked).length, 0)
  return {
    text: joined([
      `${id}  ${words.modelOf(run)}  ${status === 'open' ? 'no end' : status}`,
      status === 'open' ? '' : words.durationOf(run),
      words.rounds(all),
      words.tokens(run.usage),
      prices ? words.cost(costOf(run, prices), prices) : '',
    ]),
    style: STYLES[status] ?? 'bold',
    children: legs.flatMap((leg, index) => legBranches(leg, legs[index - 1], prices)),
  }
}

const STYLES: { readonly [status: string]: StyleName } = {
  failed: 'red',
  refused: 'red',
  limit: 'yellow',
  suspended: 'yellow',
  open: 'yellow',
}

/** The model answered in it; a resumed leg begins in the middle of a round. */
const isAsked = ({ exchanges }: TraceRound): boolean => exchanges.length > 0

function legBranches(
  leg: TraceLeg,
  before: TraceLeg | undefined,
  prices: Prices | undefined,
): readonly Branch[] {
  return [
    ...(leg.phase === 'resume' ? [resumed(leg, before)] : []),
    ...leg.rounds.map((round) => roundBranch(round, prices)),
    ...leg.runs.map((run) => ({ text: 'inside', children: [runBranch(run, prices)] })),
    ...leg.events.map((event) => ({ text: words.event(event), style: 'dim' as const })),
    ...leg.pending.map((each) => ({ text: words.pending(each), style: 'yellow' as const })),
    ...(leg.failure
      ? [{ text: `failed: ${words.failure(leg.failure)}`, style: 'red' as const }]
      : []),
    ...(leg.status === 'limit' ? [{ text: 'ended by a limit', style: 'yellow' as const }] : []),
  ]
}

function resumed({ waitedMs, writer }: TraceLeg, before: TraceLeg | undefined): Branch {
  const where = before && before.writer !== writer ? ' by another process' : ''
  const waited =
    waitedMs === undefined ? '' : ` after ${words.duration(waitedMs)} of waiting for a decision`
  return { text: `resumed${where}${waited}`, style: 'dim' }
}

function roundBranch(round: TraceRound, prices: Prices | undefined): Branch {
  const { number, failed, exchanges, calls, advisors, waitedFor } = round
  const last = calls.find(({ id }) => id === waitedFor)
  const modelEnd = exchanges.at(-1)?.endedAt ?? calls[0]?.startedAt
  const ms = last && modelEnd !== undefined ? last.endedAt! - modelEnd : 0
  return {
    text: joined([`round ${number}`, words.durationOf(round)]),
    ...(failed && { style: 'red' }),
    children: [
      ...advisors.map((advisor) => ({
        text: joined([`advisor ${advisor.name}`, words.durationOf(advisor)]),
        style: advisor.failed ? ('red' as const) : ('dim' as const),
      })),
      ...exchanges.map((exchange) => exchangeBranch(exchange, prices)),
      ...calls.map((call) => callBranch(call, prices)),
      ...(last
        ? [
            {
              text: `waited ${words.duration(ms)} for ${calls.length} calls, last for ${last.name} (${last.id})`,
              style: 'dim' as const,
            },
          ]
        : []),
    ],
  }
}

function exchangeBranch(exchange: TraceExchange, prices: Prices | undefined): Branch {
  const { model, answeredBy = model, usage = {}, finishReason, failed, failure } = exchange
  const { firstChunkAt, startedAt } = exchange
  const paid = prices && exchangeCost(exchange, prices)
  return {
    text: joined([
      `model ${answeredBy}`,
      words.durationOf(exchange),
      firstChunkAt === undefined
        ? ''
        : `first piece after ${words.duration(firstChunkAt - startedAt)}`,
      words.tokens(usage),
      prices && paid !== undefined ? words.amount(paid, prices) : '',
      finishReason ?? '',
      failed ? `failed${failure ? `: ${words.failure(failure)}` : ''}` : '',
    ]),
    ...(failed && { style: 'red' }),
  }
}

function callBranch(call: TraceCall, prices: Prices | undefined): Branch {
  const { name, id, status, waits, runs, calls, events, attempts } = call
  const style = STYLES[status]
  return {
    text: joined([
      `tool ${name} (${id})`,
      status === 'open' ? '' : words.durationOf(call),
      call.edited ? words.EDITED : '',
      attempts > 1 ? `${attempts} attempts` : '',
      words.callOutcome(call),
      words.refusalIn(call),
    ]),
    ...(style && { style }),
    children: [
      ...waits.map((each) => ({ text: words.wait(each), style: 'yellow' as const })),
      ...runs.map((run) => runBranch(run, prices)),
      ...calls.map((inner) => callBranch(inner, prices)),
      ...events.map((event) => ({
        text: joined([words.event(event), words.progressIn(event)]),
        style: 'dim' as const,
      })),
    ],
  }
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('  ')

interface Indent {
  readonly first: string
  readonly others: string
}

function linesOf(
  { text, style = 'plain', children = [] }: Branch,
  { first, others }: Indent,
  options: Pick<TreeOptions, 'styles' | 'width'>,
): readonly string[] {
  const inner = children.flatMap((child, index) => {
    const isLast = index === children.length - 1
    const indent = {
      first: `${others}${isLast ? '└─ ' : '├─ '}`,
      others: `${others}${isLast ? '   ' : '│  '}`,
    }
    return linesOf(child, indent, options)
  })
  return [
    ...ownLines(text, { first, others }, { style, hasChildren: children.length > 0, ...options }),
    ...inner,
  ]
}

/** Names and words are those of models, tools and files: one line each, and nothing that a terminal obeys. */
function ownLines(
  text: string,
  { first, others }: Indent,
  {
    style,
    hasChildren,
    styles,
    width,
  }: { style: StyleName; hasChildren: boolean } & Pick<TreeOptions, 'styles' | 'width'>,
): readonly string[] {
  const line = printable(text).replaceAll('\n', ' ')
  const hanging = `${others}${hasChildren ? '│  ' : '   '}`
  return wrap(line, { width, indent: first, hanging })
    .split('\n')
    .map((each, index) => {
      const indent = index === 0 ? first : hanging
      return each.startsWith(indent)
        ? indent + styles[style](each.slice(indent.length))
        : styles[style](each)
    })
}
