/** A call of a tool: what it was given, how far it is, what came of it, and the calls that it made itself. */
import { useContext, useMemo, useState } from 'preact/hooks'
import { Badge, type BadgeProps } from '../parts/badge.tsx'
import { ContentView } from '../parts/content-view.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { duration } from '../parts/duration.ts'
import { LongText } from '../parts/long-text.tsx'
import { printable } from '../parts/printable.ts'
import { Spinner } from '../parts/spinner.tsx'
import { memo } from '../parts/memo.ts'
import { DeciderContext } from './decider.ts'
import { PendingSlot } from './pending-slot.tsx'
import { argumentsLine, shownArguments } from './shown-arguments.ts'
import type { CallState } from './turn-state.ts'

export interface CallCardProps {
  readonly call: CallState
  /** Its turn goes on: what has no result yet may get one. */
  readonly isLive: boolean
}

export const CallCard = memo(function CallCard({ call, isLive }: CallCardProps) {
  const [isShown, setShown] = useState(true)
  const { waits, isAsked } = useWaits(call.id)
  return (
    <details
      class={`call call-${call.status ?? 'open'}`}
      open={isShown}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>
        {waits ? <Badge tone="warn">waits</Badge> : <CallStatus call={call} isLive={isLive} />}
        <span class="call-name mono">{printable(call.name)}</span>
        {!isShown && (
          <span class="call-line quiet mono">{printable(argumentsLine(call.arguments))}</span>
        )}
        {tookMs(call) !== undefined && (
          <span class="call-time quiet">{duration(tookMs(call)!)}</span>
        )}
      </summary>
      {isShown && (
        <div class="call-body">
          {!isAsked && <Arguments call={call} />}
          {call.calls.length > 0 && (
            <ol class="inner-calls" aria-label={`Calls made by ${printable(call.name)}`}>
              {call.calls.map((inner) => (
                <li key={inner.id}>
                  <CallCard call={inner} isLive={isLive} />
                </li>
              ))}
            </ol>
          )}
          {call.progress && !call.status && (
            <div class="call-part">
              <div class="call-what">Progress</div>
              <ContentView content={call.progress} />
            </div>
          )}
          {call.result && <Result call={call} />}
        </div>
      )}
      <PendingSlot callId={call.id} />
    </details>
  )
})

/** `isAsked`: the card to decide it is there, and shows what it was given. */
function useWaits(callId: string): { readonly waits: boolean; readonly isAsked: boolean } {
  const { pending = [], chosen = {} } = useContext(DeciderContext) ?? {}
  const waits = pending.some((each) => each.callId === callId)
  return { waits, isAsked: waits && !Object.hasOwn(chosen, callId) }
}

/** What waiting for a decision took is no part of it. */
const tookMs = ({ ranAt, endedAt }: CallState): number | undefined =>
  ranAt === undefined || endedAt === undefined ? undefined : Math.max(0, endedAt - ranAt)

const STATUS: { readonly [status: string]: readonly [BadgeProps['tone'], string] } = {
  done: ['ok', 'done'],
  failed: ['danger', 'failed'],
  denied: ['warn', 'denied'],
}

const DECIDED = new Map([
  ['approve', 'approved'],
  ['retry', 'runs again'],
  ['edit', 'edited'],
  ['deny', 'denied'],
  ['answer', 'answered'],
  ['result', 'result given'],
])

function CallStatus({ call, isLive }: CallCardProps) {
  const [tone, word] = STATUS[call.status ?? ''] ?? []
  if (word) return <Badge tone={tone}>{word}</Badge>
  if (!isLive) return <Badge>no result</Badge>
  if (call.decided)
    return <Badge tone="accent">{DECIDED.get(call.decided) ?? printable(call.decided)}</Badge>
  if (call.ranAt === undefined)
    return <Badge tone="accent">{call.isComplete ? 'called' : 'writing'}</Badge>
  return (
    <Badge tone="accent">
      <Spinner />
      running
    </Badge>
  )
}

function Arguments({ call }: { readonly call: CallState }) {
  const { code, text } = useMemo(() => shownArguments(call.arguments), [call.arguments])
  if (code === undefined && text === undefined)
    return <p class="call-part quiet">{call.isComplete ? 'Without arguments' : 'Arguments …'}</p>
  return (
    <div class="call-part">
      <div class="call-what">
        {code === undefined ? 'Arguments' : 'Code'}
        <CopyButton
          text={code ?? call.arguments}
          label={code === undefined ? 'Copy arguments' : 'Copy code'}
        />
      </div>
      {code !== undefined && <Block text={code} label="Code" />}
      {text !== undefined && <Block text={text} label="Arguments" />}
    </div>
  )
}

/** It scrolls by itself, and the keyboard reaches it. */
const Block = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <pre class="block" tabIndex={0} role="group" aria-label={label}>
    <LongText text={printable(text)} />
  </pre>
)

function Result({ call: { result, status } }: { readonly call: CallState }) {
  const what = status === 'failed' ? 'What the model was told of the failure' : 'Result'
  return (
    <div class={`call-part ${status === 'failed' ? 'call-bad' : ''}`}>
      <div class="call-what">{status === 'denied' ? 'What the model was told' : what}</div>
      <div class="call-result" tabIndex={0} role="group" aria-label={what}>
        <ContentView content={result!} />
      </div>
    </div>
  )
}
