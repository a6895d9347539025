/** Why a call is denied. The model reads it. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Decision } from 'toolwright'
import { Button } from './button.tsx'

export interface PendingDenyProps {
  readonly busy: boolean
  readonly onDecide: (decision: Decision) => void
  readonly onCancel: () => void
}

export function PendingDeny({ busy, onDecide, onCancel }: PendingDenyProps) {
  const [reason, setReason] = useState('')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onDecide({ deny: reason })
      }}
    >
      <div>
        <label for={id}>Reason (the model reads it)</label>
        <input
          id={id}
          type="text"
          autoComplete="off"
          value={reason}
          ref={field}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </div>
      <div class="row">
        <Button kind="danger" type="submit" busy={busy}>
          Deny
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
