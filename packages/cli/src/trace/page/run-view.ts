/** A run in the page: its facts, and for each leg a timeline whose rows open to what was said. */
import {
  costOf,
  exchangeCost,
  type Prices,
  type TraceCall,
  type TraceExchange,
  type TraceLeg,
  type TraceRound,
  type TraceRun,
} from 'toolwright/trace'
import * as words from '../trace-words.ts'
import { html, type Html } from './html.ts'
import { answerView, valueView } from './message-view.ts'
import type { SeenMessages } from './seen-messages.ts'
import { timeBar, type TimeScale } from './time-bar.ts'

/** What is the same in the whole page. */
export interface PageContext {
  readonly prices: Prices | undefined
  readonly seen: SeenMessages
}

export function runView(run: TraceRun, context: PageContext): Html {
  const { id, status, legs, usage, conversation } = run
  const { prices } = context
  const asked = legs.flatMap(({ rounds }) => rounds).filter(({ exchanges }) => exchanges.length > 0)
  return html`<section class="run">
    <h2>${id} <span class="status ${status}">${status === 'open' ? 'no end' : status}</span></h2>
    <div class="facts">
      <span>${words.modelOf(run)}</span>
      <span>${words.moment(run.startedAt)}</span>
      <span>${words.durationOf(run)}</span>
      <span>${words.rounds(asked.length)}</span>
      <span>${words.tokens(usage)}</span>
      ${prices && html`<span>${words.cost(costOf(run, prices), prices)}</span>`}
      ${conversation !== undefined && html`<span>conversation ${JSON.stringify(conversation)}</span>`}
    </div>
    ${legs.map((leg, index) => legView(leg, legs[index - 1], context))}
  </section>`
}

/** Calls outside of runs. */
export function callsView(calls: readonly TraceCall[], context: PageContext): Html {
  const times = calls.flatMap(({ startedAt, endedAt = startedAt }) => [startedAt, endedAt])
  const scale = times.reduce(
    ({ from, to }, at) => ({ from: Math.min(from, at), to: Math.max(to, at) }),
    {
      from: Infinity,
      to: -Infinity,
    },
  )
  return html`<section class="run">
    <h2>Calls outside of runs</h2>
    ${calls.map((call) => callView(call, scale, context))}
  </section>`
}

function legView(leg: TraceLeg, before: TraceLeg | undefined, context: PageContext): Html {
  const scale: TimeScale = { from: leg.startedAt, to: endOf(leg) }
  return html`<div class="leg">
    ${leg.phase === 'resume' && resumed(leg, before)}
    <div class="axis" aria-hidden="true">
      <span></span>
      <span class="scale"><span>0</span><span>${words.duration(scale.to - scale.from)}</span></span>
      <span></span>
    </div>
    ${leg.rounds.map((round) => roundView(round, scale, context))}
    ${leg.runs.map(
      (run) =>
        html`<p class="note">inside</p>
          ${runView(run, context)}`,
    )}
    ${leg.events.map((event) => html`<p class="note">${words.event(event)}</p>`)}
    ${leg.pending.map(
      (each) =>
        html`<p class="note waits">${words.pending(each)}</p>
          ${valueView('', each.content)}`,
    )}
    ${leg.failure && html`<p class="note bad">failed: ${words.failure(leg.failure)}</p>`}
    ${leg.status === 'limit' && html`<p class="note waits">ended by a limit</p>`}
  </div>`
}

/** The last that is known of a leg that has no end. */
function endOf({ startedAt, endedAt, rounds }: TraceLeg): number {
  if (endedAt !== undefined) return endedAt
  const known = rounds
    .flatMap((round) => [round, ...round.exchanges, ...round.calls])
    .flatMap((each) => [each.startedAt, each.endedAt ?? each.startedAt])
  return known.reduce((last, at) => Math.max(last, at), startedAt + 1)
}

function resumed({ waitedMs, writer }: TraceLeg, before: TraceLeg | undefined): Html {
  const where = before && before.writer !== writer ? ' by another process' : ''
  const waited =
    waitedMs === undefined ? '' : ` after ${words.duration(waitedMs)} of waiting for a decision`
  return html`<p class="note waits">resumed${where}${waited}</p>`
}

function roundView(round: TraceRound, scale: TimeScale, context: PageContext): Html {
  const { number, exchanges, calls, advisors, failed } = round
  const kind = failed ? 'bad' : 'of-round'
  const bar = timeBar(scale, [
    { startedAt: round.startedAt, endedAt: round.endedAt ?? scale.to, kind },
  ])
  return html`${row({
    label: `round ${number}`,
    bar,
    time: words.durationOf(round),
    body: [
      ...waitNote(round),
      ...advisors.map(
        (advisor) =>
          html`<p class="note">advisor ${advisor.name}, ${words.durationOf(advisor)}</p>`,
      ),
      ...(exchanges.length === 0 ? [html`<p class="note">The model was asked before.</p>`] : []),
    ],
  })}
  ${exchanges.map((exchange) => exchangeView(exchange, scale, context))}
  ${calls.map((call) => callView(call, scale, context))}`
}

function waitNote({ waitedFor, calls, exchanges }: TraceRound): readonly Html[] {
  const last = calls.find(({ id }) => id === waitedFor)
  const from = exchanges.at(-1)?.endedAt ?? calls[0]?.startedAt
  if (!last || from === undefined) return []
  const ms = last.endedAt! - from
  return [
    html`<p class="note">
      waited ${words.duration(ms)} for ${words.calls(calls.length)}, last for ${last.name}
      (${last.id})
    </p>`,
  ]
}

function exchangeView(exchange: TraceExchange, scale: TimeScale, context: PageContext): Html {
  const { model, answeredBy = model, failed, failure, messages, answer, options } = exchange
  const { startedAt, endedAt = scale.to, firstChunkAt = endedAt, usage = {} } = exchange
  const main = failed ? 'bad' : 'of-model'
  const bar = timeBar(scale, [
    ...(exchange.firstChunkAt === undefined
      ? []
      : [{ startedAt, endedAt: firstChunkAt, kind: 'of-first' }]),
    { startedAt: exchange.firstChunkAt ?? startedAt, endedAt, kind: main },
  ])
  const { prices, seen } = context
  const paid = prices && exchangeCost(exchange, prices)
  const facts = [
    words.tokens(usage),
    prices && paid !== undefined ? words.amount(paid, prices) : '',
    exchange.firstChunkAt === undefined
      ? ''
      : `first piece after ${words.duration(firstChunkAt - startedAt)}`,
    exchange.chunks === undefined ? '' : `${words.count(exchange.chunks)} pieces`,
    exchange.finishReason ?? '',
    exchange.toolNames.length === 0 ? '' : `offered: ${exchange.toolNames.join(', ')}`,
  ].filter(Boolean)
  return row({
    label: `model ${answeredBy}`,
    isInner: true,
    isBad: failed,
    bar,
    time: words.durationOf(exchange),
    body: [
      html`<div class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</div>`,
      ...(failure ? [html`<p class="note bad">failed: ${words.failure(failure)}</p>`] : []),
      ...(Object.keys(options).length > 0 ? [valueView('options', options)!] : []),
      ...(messages ? [html`<p class="dim">The model got:</p>`, ...seen.views(messages)] : []),
      ...(answer === undefined
        ? []
        : [html`<p class="dim">It answered:</p>`, ...answerView(answer)]),
    ],
  })
}

function callView(call: TraceCall, scale: TimeScale, context: PageContext): Html {
  const { name, id, status, waits, runs, calls, events, attempts, ranAt } = call
  const { startedAt, endedAt = scale.to } = call
  const isBad = status === 'failed' || status === 'refused'
  const bar = timeBar(scale, [
    { startedAt, endedAt: ranAt ?? endedAt, kind: 'of-wait' },
    ...(ranAt === undefined && !isBad
      ? []
      : [{ startedAt: ranAt ?? startedAt, endedAt, kind: isBad ? 'bad' : 'of-call' }]),
  ])
  const outcome = words.callOutcome(call)
  return row({
    label: `${name} (${id})`,
    isInner: true,
    isBad,
    bar,
    time: words.durationOf(call),
    body: [
      ...(outcome === '' ? [] : [html`<p class="note ${isBad ? 'bad' : 'waits'}">${outcome}</p>`]),
      ...(call.edited ? [html`<p class="note waits">${words.EDITED}</p>`] : []),
      ...(attempts > 1 ? [html`<p class="note">${attempts} attempts</p>`] : []),
      ...waits.map((each) => html`<p class="note waits">${words.wait(each)}</p>`),
      ...[valueView('arguments', call.arguments), valueView('result', call.result)].filter(
        (each) => each !== undefined,
      ),
      ...events.map(
        (event) =>
          html`<p class="note">${words.event(event)}</p>
            ${event.data !== undefined && valueView('', event.data)}`,
      ),
      ...calls.map((inner) => callView(inner, scale, context)),
      ...runs.map((run) => runView(run, context)),
    ],
  })
}

interface Row {
  readonly label: string
  readonly isInner?: boolean
  readonly isBad?: boolean
  readonly bar: Html
  readonly time: string
  readonly body: readonly Html[]
}

const row = ({ label, isInner, isBad, bar, time, body }: Row): Html =>
  html`<details class="row${isInner ? ' inner' : ''}">
    <summary>
      <span class="label${isBad ? ' bad-text' : ''}">${label}</span>${bar}<span class="time"
        >${time}</span
      >
    </summary>
    <div class="body">${body}</div>
  </details>`
