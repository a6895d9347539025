/** Sends decisions of several calls together: all of them, or those that are made. */
import { useContext } from 'preact/hooks'
import type { Decisions } from 'toolwright'
import { Button } from '../parts/button.tsx'
import { DeciderContext } from './decider.ts'

export function DecisionBar({ onSend }: { readonly onSend: (decisions: Decisions) => void }) {
  const decider = useContext(DeciderContext)
  if (!decider || decider.pending.length < 2) return null
  const { pending, chosen, isSending } = decider
  const made = Object.keys(chosen).length
  const open = pending.filter(({ callId }) => !Object.hasOwn(chosen, callId))
  const approvals = open.filter(({ kind }) => kind === 'approval').map(({ callId }) => callId)
  const withAll = (): Decisions => ({
    ...Object.fromEntries(approvals.map((callId) => [callId, 'approve' as const])),
    ...chosen,
  })
  return (
    <div class="decision-bar row" role="group" aria-label="Decide together">
      <span class="quiet">{`${pending.length} calls wait, ${made} decided`}</span>
      {approvals.length > 0 && (
        <Button small busy={isSending} onClick={() => onSend(withAll())}>
          {approvalWords({ made, approvals: approvals.length, open: open.length })}
        </Button>
      )}
      {made > 0 && (
        <Button small kind="primary" busy={isSending} onClick={() => onSend(chosen)}>
          {made === pending.length ? `Send all ${made}` : `Send ${made}, the others go on waiting`}
        </Button>
      )}
    </div>
  )
}

interface Counts {
  readonly made: number
  readonly approvals: number
  readonly open: number
}

/** "All" are all that wait: others may need an answer. */
function approvalWords({ made, approvals, open }: Counts): string {
  if (approvals < open) return `Approve ${approvals}`
  return made === 0 ? `Approve all ${approvals}` : `Approve the other ${approvals}`
}
