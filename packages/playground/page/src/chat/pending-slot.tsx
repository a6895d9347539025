/** Where a call waits: the card to decide it, or what was decided and is not sent yet. The card stays, with what was typed. */
import { useContext } from 'preact/hooks'
import type { Decision } from 'toolwright'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { PendingCard } from '../parts/pending-card.tsx'
import { printable } from '../parts/printable.ts'
import { DeciderContext } from './decider.ts'
import { decisionWords } from './decision-words.ts'
import { argumentsLine } from './shown-arguments.ts'

export function PendingSlot({ callId }: { readonly callId: string }) {
  const decider = useContext(DeciderContext)
  const pending = decider?.pending.find((each) => each.callId === callId)
  if (!decider || !pending) return null
  const { chosen, choose, isSending, refused } = decider
  const decision = Object.hasOwn(chosen, callId) ? chosen[callId] : undefined
  return (
    <>
      {decision !== undefined && (
        <div class="chosen row">
          <Badge tone="warn">not sent yet</Badge>
          <span class="chosen-words">
            {`${decisionWords(decision)}: ${printable(pending.toolName)}`}
            <span class="quiet">{` ${printable(givenWith(decision))}`}</span>
          </span>
          <Button small busy={isSending} onClick={() => choose(callId, undefined)}>
            Change
          </Button>
        </div>
      )}
      <PendingCard
        pending={pending}
        busy={isSending}
        error={refused?.callId === callId ? refused : undefined}
        hidden={decision !== undefined}
        onDecide={(given) => choose(callId, given)}
      />
    </>
  )
}

/** The reason, or what a person gave, in one line. */
function givenWith(decision: Decision): string {
  if (typeof decision === 'string') return ''
  if ('deny' in decision) return decision.deny
  const [given] = Object.values(decision) as readonly unknown[]
  return argumentsLine(JSON.stringify(given) ?? '')
}
