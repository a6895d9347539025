/** One call: what it got and gave, what it waited for, how often it was tried, what happened meanwhile. */
import type { TraceCall } from 'toolwright/trace'
import type { TapeCall } from '../../../src/protocol/opened-trace.ts'
import { shownArguments } from '../chat/shown-arguments.ts'
import { printable } from '../parts/printable.ts'
import { Facts } from './facts.tsx'
import { MarkedBlock, ValueBlock } from './marked.tsx'
import * as words from './trace-words.ts'

export function CallDetail({ call }: { readonly call: TraceCall }) {
  const { id, status, startedAt, ranAt, attempts, isOffered, waits, events, runs, calls } = call
  const outcome = words.callOutcome(call)
  const isBad = status === 'failed' || status === 'refused'
  return (
    <div class="stack">
      <Facts
        facts={[
          ['Id', id],
          ['Took', words.durationOf(call)],
          ['Ran after', ranAt === undefined ? '' : words.duration(Math.max(0, ranAt - startedAt))],
          ['Attempts', attempts > 1 ? words.count(attempts) : ''],
          ['Offered', isOffered ? '' : 'no: the model was not offered this tool'],
          ['Inside', insideOf(runs.length, calls.length)],
        ]}
      />
      {outcome !== '' && (
        <p class={`note ${isBad ? 'note-danger' : 'note-warn'}`}>{printable(outcome)}</p>
      )}
      {waits.map((each, index) => (
        <p key={index} class="note note-warn">
          {printable(words.wait(each))}
        </p>
      ))}
      {call.arguments !== undefined && <Arguments written={call.arguments} />}
      {call.result !== undefined && (
        <section class="detail-part">
          <h3>What the model was told</h3>
          <ValueBlock value={call.result} />
        </section>
      )}
      {events.length > 0 && (
        <section class="detail-part">
          <h3>What happened meanwhile</h3>
          <ol class="call-events">
            {events.map((event, index) => (
              <li key={index}>
                <span class="quiet">{`+${words.duration(Math.max(0, event.at - startedAt))} `}</span>
                {printable(words.event(event))}
                {event.data !== undefined && <ValueBlock value={event.data} />}
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}

/** They stand below the call in the timeline. */
function insideOf(runs: number, calls: number): string {
  const parts = [
    runs > 0 ? `${runs} ${runs === 1 ? 'run' : 'runs'}` : '',
    calls > 0 ? `${calls} ${calls === 1 ? 'call' : 'calls'}` : '',
  ].filter(Boolean)
  return parts.length === 0 ? '' : `${parts.join(', ')}, below it in the timeline`
}

function Arguments({ written }: { readonly written: string }) {
  const { code, text = code === undefined ? '{}' : undefined } = shownArguments(written)
  return (
    <section class="detail-part">
      <h3>{code === undefined ? 'Arguments' : 'Code'}</h3>
      {code !== undefined && <MarkedBlock text={code} />}
      {text !== undefined && <MarkedBlock text={text} />}
    </section>
  )
}

export const TapeCallDetail = ({ call }: { readonly call: TapeCall }) => (
  <div class="stack">
    <section class="detail-part">
      <h3>Input</h3>
      <ValueBlock value={call.input ?? null} />
    </section>
    <section class="detail-part">
      <h3>What came of it</h3>
      <ValueBlock value={call.outcome ?? null} />
    </section>
  </div>
)
