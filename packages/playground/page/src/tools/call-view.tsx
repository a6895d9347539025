/** One call: how far it has come, what it waits for, what came of it. */
import { useEffect, useRef } from 'preact/hooks'
import { Badge, type BadgeProps } from '../parts/badge.tsx'
import { ContentView } from '../parts/content-view.tsx'
import { duration } from '../parts/duration.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { ForeignValue } from '../parts/foreign-value.tsx'
import { PendingCard } from '../parts/pending-card.tsx'
import { Spinner } from '../parts/spinner.tsx'
import { useFocusWhenFewer } from '../parts/use-focus-when-fewer.ts'
import type { HandCall } from './hand-call.ts'
import { decideHandCall } from './hand-calls.ts'

export const ENDS: {
  readonly [status in NonNullable<HandCall['end']>['status']]: BadgeProps['tone']
} = { done: 'ok', failed: 'danger', denied: 'warn', stopped: 'neutral' }

export function CallView({ call }: { readonly call: HandCall | undefined }) {
  const section = useRef<HTMLElement>(null)
  const first = useRef(call?.number)
  const waits = (call?.pending.length ?? 0) > 0
  useEffect(() => {
    // Below a long form nobody would see what comes of a call.
    if (call && call.number !== first.current) section.current?.scrollIntoView({ block: 'nearest' })
  }, [call?.number, waits, call?.end])
  useFocusWhenFewer(call?.pending.length ?? 0, () => [
    section.current?.querySelector<HTMLElement>('.pending-card'),
    section.current,
  ])
  return (
    <section class="call-view" aria-label="Result" ref={section} tabIndex={-1}>
      <h3>Result</h3>
      <div class="call-outcome">
        {call ? <Outcome call={call} /> : <p class="quiet">Call the tool to see what it gives.</p>}
      </div>
    </section>
  )
}

function Outcome({ call }: { readonly call: HandCall }) {
  const { end, pending, progress, refusal } = call
  return (
    <div class="stack">
      <p class="row" role="status">
        {end ? (
          <>
            <Badge tone={ENDS[end.status]}>{end.status}</Badge>
            <span class="quiet">{duration(end.durationMs)}</span>
          </>
        ) : (
          <Waiting call={call} />
        )}
      </p>
      {!end && progress !== undefined ? (
        <div>
          <p class="quiet">Progress</p>
          <ForeignValue value={progress} />
        </div>
      ) : null}
      {refusal && !pending.some(({ callId }) => callId === refusal.callId) ? (
        <ErrorNote error={refusal} />
      ) : null}
      {pending.map((each) => (
        <PendingCard
          key={each.callId}
          pending={each}
          busy={call.deciding.includes(each.callId)}
          error={refusal?.callId === each.callId ? refusal : undefined}
          onDecide={(decision) => void decideHandCall(call, each.callId, decision)}
        />
      ))}
      {end?.error ? <ErrorNote error={end.error} /> : null}
      {end?.content ? <ContentView content={end.content} /> : null}
    </div>
  )
}

function Waiting({ call }: { readonly call: HandCall }) {
  if (call.isLost) return <span>The connection is lost. The call goes on; trying again.</span>
  if (call.pending.length > 0) return <Badge tone="warn">waits for you</Badge>
  return (
    <>
      <Spinner />
      <span class="quiet">{call.isStopping ? 'Stopping' : 'Running'}</span>
    </>
  )
}
