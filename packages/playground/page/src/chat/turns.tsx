/** The turns since the conversation was opened, and the one that is open: only that one is drawn with every word. */
import { useCallback } from 'preact/hooks'
import type { Decisions } from 'toolwright'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useStore } from '../shell/store.ts'
import type { OpenConversation } from './open-conversation.ts'
import { memo } from '../parts/memo.ts'
import { TurnView } from './turn-view.tsx'

export interface TurnsProps {
  readonly conversation: OpenConversation
  /** Whom to ask again. */
  readonly model: string
}

export const Turns = memo(function Turns({ conversation, model }: TurnsProps) {
  const past = useStore(conversation.state, (state) => state.past)
  const messages = useStore(conversation.state, (state) => state.window.messages)
  const isSending = useStore(conversation.state, (state) => state.isSending)
  const turn = useStore(conversation.turn)
  const decide = useCallback(
    (decisions: Decisions) => void conversation.decide(decisions),
    [conversation],
  )
  const again = (
    <AgainButton
      label="Ask again"
      busy={isSending}
      onClick={() => void conversation.regenerate(model)}
    />
  )
  const retry = (
    <AgainButton
      label="Try again"
      busy={isSending}
      onClick={() => void conversation.send(turn?.question ?? '', model)}
    />
  )
  const shown = turn ? [...past, turn] : past
  return (
    <>
      {shown.length === 0 && messages.at(-1)?.role === 'assistant' && (
        <div class="turn-foot row">{again}</div>
      )}
      {shown.map((each, index) => (
        <div key={each.turn} class="turn">
          <TurnView
            turn={each}
            isSending={isSending}
            onDecide={decide}
            actions={each === turn ? retry : index === shown.length - 1 && again}
          />
        </div>
      ))}
    </>
  )
})

interface AgainButtonProps {
  readonly label: string
  readonly busy: boolean
  readonly onClick: () => void
}

const AgainButton = ({ label, busy, onClick }: AgainButtonProps) => (
  <Button small kind="quiet" busy={busy} onClick={onClick}>
    <Icon name="again" />
    {label}
  </Button>
)
