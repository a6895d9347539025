/** What this tool was called with before. Choosing one brings its arguments back, to change and call again. */
import { Ago } from '../parts/ago.tsx'
import { Badge } from '../parts/badge.tsx'
import { duration } from '../parts/duration.ts'
import { printable } from '../parts/printable.ts'
import { ENDS } from './call-view.tsx'
import type { HandCall } from './hand-call.ts'

export interface CallHistoryProps {
  readonly calls: readonly HandCall[]
  /** The number of the one whose result is shown. */
  readonly shown: number | undefined
  readonly onChoose: (call: HandCall) => void
}

const SHOWN_INPUT = 120

export function CallHistory({ calls, shown, onChoose }: CallHistoryProps) {
  if (calls.length === 0) return null
  return (
    <section class="call-history" aria-label="Earlier calls">
      <h3>Earlier calls</h3>
      <ul>
        {calls.map((call) => (
          <li key={call.number}>
            <button
              type="button"
              class="history-row"
              title="Bring the arguments back"
              aria-current={call.number === shown ? 'true' : undefined}
              onClick={() => onChoose(call)}
            >
              <Badge tone={call.end ? ENDS[call.end.status] : 'neutral'}>
                {call.end?.status ?? (call.pending.length > 0 ? 'waits' : 'running')}
              </Badge>
              <span class="history-input mono">
                {printable(JSON.stringify(call.input).slice(0, SHOWN_INPUT))}
              </span>
              <span class="quiet history-time">
                {call.end ? `${duration(call.end.durationMs)}, ` : ''}
                <Ago at={call.startedAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
