/** A call that waits, and what a person can do about it. */
import { useState } from 'preact/hooks'
import type { Decision } from 'toolwright'
import type {
  FieldIssue,
  RefusedDecision,
  ShownPending,
} from '../../../src/protocol/shown-content.ts'
import { Badge } from './badge.tsx'
import { Button } from './button.tsx'
import { ErrorNote } from './error-note.tsx'
import { ForeignValue } from './foreign-value.tsx'
import { PendingDeny } from './pending-deny.tsx'
import { PendingForm } from './pending-form.tsx'
import { printable } from './printable.ts'

export interface PendingCardProps {
  readonly pending: ShownPending
  readonly onDecide: (decision: Decision) => void
  /** A decision is on its way. */
  readonly busy?: boolean
  /** Why the last decision was refused. */
  readonly error?: RefusedDecision
  /** It keeps what was typed. */
  readonly hidden?: boolean
}

type Step = 'choose' | 'deny' | 'edit' | 'result'

const ASKS: { readonly [kind in ShownPending['kind']]: string } = {
  approval: 'asks before it runs',
  result: 'needs a result from you',
  question: 'asks a question',
  'unknown-outcome': 'was cut off: nobody knows whether it had its effect',
}

export function PendingCard(props: PendingCardProps) {
  const { pending, onDecide, busy = false, error, hidden = false } = props
  const [step, setStep] = useState<Step>('choose')
  const { toolName, kind, line, reason, question, preview, input } = pending
  const shared = {
    pending,
    busy,
    issues: error?.issues,
    onDecide,
    onCancel: () => setStep('choose'),
  }
  return (
    // No landmark: several calls of one tool may wait, and landmarks have names of their own.
    <section
      class="pending-card card stack"
      role="group"
      aria-label={`${toolName} waits for a decision`}
      hidden={hidden}
      tabIndex={-1}
    >
      <p class="row">
        <Badge tone="warn">waits</Badge>
        <strong class="mono">{printable(toolName)}</strong>
        <span>{ASKS[kind]}</span>
        {line === undefined ? null : <span class="quiet">{`line ${line}`}</span>}
      </p>
      {reason === undefined ? null : <p class="note-text">{printable(reason)}</p>}
      {question === undefined ? null : <ForeignValue value={question} />}
      {preview === undefined ? null : (
        <div>
          <p class="quiet">What it would do</p>
          <ForeignValue value={preview} />
        </div>
      )}
      {step === 'edit' ? null : (
        <div>
          <p class="quiet">Arguments</p>
          <ForeignValue value={input} />
        </div>
      )}
      {error ? <ErrorNote error={error} /> : null}
      {step === 'deny' ? <PendingDeny {...shared} /> : null}
      {step === 'edit' ? <PendingForm {...shared} gives="edit" /> : null}
      {step === 'result' ? <PendingForm {...shared} gives="result" /> : null}
      {step === 'choose' ? <Choices {...shared} setStep={setStep} /> : null}
    </section>
  )
}

interface ChoicesProps {
  readonly pending: ShownPending
  readonly busy: boolean
  readonly issues: readonly FieldIssue[] | undefined
  readonly onDecide: (decision: Decision) => void
  readonly setStep: (step: Step) => void
}

function Choices({ pending, busy, issues, onDecide, setStep }: ChoicesProps) {
  const deny = (
    <Button kind="danger" disabled={busy} onClick={() => setStep('deny')}>
      Deny
    </Button>
  )
  switch (pending.kind) {
    case 'approval':
      return (
        <div class="row">
          <Button kind="primary" busy={busy} onClick={() => onDecide('approve')}>
            Approve
          </Button>
          <Button disabled={busy} onClick={() => setStep('edit')}>
            Edit
          </Button>
          {deny}
        </div>
      )
    case 'unknown-outcome':
      return (
        <div class="row">
          <Button busy={busy} onClick={() => onDecide('retry')}>
            Run it again
          </Button>
          <Button disabled={busy} onClick={() => setStep('result')}>
            Supply the result
          </Button>
          {deny}
        </div>
      )
    case 'result':
    case 'question':
      return (
        <PendingForm
          {...{ pending, busy, issues, onDecide }}
          gives={pending.kind === 'result' ? 'result' : 'answer'}
          others={deny}
        />
      )
  }
}
