/** Where a call waits: the card to decide it, or what was decided and is not sent yet. */
import { useContext } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { PendingCard } from '../parts/pending-card.tsx'
import { printable } from '../parts/printable.ts'
import { DeciderContext } from './decider.ts'
import { decisionWords } from './decision-words.ts'

export function PendingSlot({ callId }: { readonly callId: string }) {
  const decider = useContext(DeciderContext)
  const pending = decider?.pending.find((each) => each.callId === callId)
  if (!decider || !pending) return null
  const { chosen, choose, isSending, error } = decider
  const decision = Object.hasOwn(chosen, callId) ? chosen[callId] : undefined
  if (decision !== undefined && !isSending)
    return (
      <div class="chosen row">
        <span>{`${decisionWords(decision)}: ${printable(pending.toolName)}`}</span>
        <Button small onClick={() => choose(callId, undefined)}>
          Change
        </Button>
      </div>
    )
  return (
    <PendingCard
      pending={pending}
      busy={isSending}
      error={error}
      onDecide={(given) => choose(callId, given)}
    />
  )
}
