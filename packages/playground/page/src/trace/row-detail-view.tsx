/** What is behind a bar of the timeline. */
import type { TraceRound } from 'toolwright/trace'
import { CallDetail, TapeCallDetail } from './call-detail.tsx'
import { ExchangeDetail, TapeExchangeDetail } from './exchange-detail.tsx'
import { printable } from '../parts/printable.ts'
import type { RowDetail } from './timeline.ts'
import * as words from './trace-words.ts'

export function RowDetailView({ shows }: { readonly shows: RowDetail }) {
  switch (shows.type) {
    case 'round':
      return <RoundDetail round={shows.round} />
    case 'exchange':
      return <ExchangeDetail exchange={shows.exchange} />
    case 'call':
      return <CallDetail call={shows.call} />
    case 'tape-exchange':
      return <TapeExchangeDetail exchange={shows.exchange} />
    case 'tape-call':
      return <TapeCallDetail call={shows.call} />
  }
}

function RoundDetail({ round }: { readonly round: TraceRound }) {
  const { exchanges, calls, advisors, waitedFor } = round
  const last = calls.find(({ id }) => id === waitedFor)
  return (
    <div class="stack">
      <p>
        {exchanges.length === 0
          ? 'The model was asked before.'
          : `The model was asked ${exchanges.length === 1 ? 'once' : `${exchanges.length} times`}.`}{' '}
        {calls.length > 0 && `${calls.length} ${calls.length === 1 ? 'call' : 'calls'} of tools.`}
      </p>
      {last && (
        <p class="note note-warn">
          {`The next round waited for ${printable(last.name)} (${printable(last.id)}), which ended last.`}
        </p>
      )}
      {advisors.map((advisor, index) => (
        <p key={index} class={advisor.failed ? 'is-bad' : 'quiet'}>
          {`Advisor ${printable(advisor.name)}, ${words.durationOf(advisor)}${advisor.failed ? ', failed' : ''}`}
        </p>
      ))}
    </div>
  )
}
