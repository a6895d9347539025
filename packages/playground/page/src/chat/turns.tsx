/** The turns since the conversation was opened, and the one that is open: only that one is drawn with every word. */
import type { ComponentChildren } from 'preact'
import { useCallback } from 'preact/hooks'
import type { Decisions } from 'toolwright'
import { Button } from '../parts/button.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Icon } from '../parts/icon.tsx'
import { useStore } from '../shell/store.ts'
import type { OpenConversation } from './open-conversation.ts'
import { memo } from '../parts/memo.ts'
import { TurnFoot } from './turn-foot.tsx'
import type { TurnState } from './turn-state.ts'
import { TurnView } from './turn-view.tsx'

export interface TurnsProps {
  readonly conversation: OpenConversation
  /** Whom to ask again. */
  readonly model: string
}

export const Turns = memo(function Turns({ conversation, model }: TurnsProps) {
  const past = useStore(conversation.state, (state) => state.past)
  const messages = useStore(conversation.state, (state) => state.window.messages)
  const left = useStore(conversation.state, (state) => state.left)
  const isIdle = useStore(conversation.state, (state) => state.row?.status === 'idle')
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
  // What was there before is shown again instead of it.
  const lost = turn?.phase === 'over' && left === 'answer' ? turn : undefined
  const shown = turn && !lost ? [...past, turn] : past
  const isCutOff = isIdle && shown.length === 0 && messages.at(-1)?.role === 'user'
  return (
    <>
      {isCutOff && !lost && (
        <div class="turn-foot row">
          <span>It was cut off: the playground ended before there was an answer.</span>
          {again}
        </div>
      )}
      {!lost && shown.length === 0 && messages.at(-1)?.role === 'assistant' && (
        <div class="turn-foot row">{again}</div>
      )}
      {shown.map((each, index) => (
        <div key={each.turn} class="turn">
          <TurnView
            turn={each}
            isSending={isSending}
            onDecide={decide}
            actions={each === turn ? retry : !lost && index === shown.length - 1 && again}
          />
        </div>
      ))}
      {lost && <LostAgain turn={lost}>{again}</LostAgain>}
    </>
  )
})

interface LostAgainProps {
  readonly turn: TurnState
  readonly children: ComponentChildren
}

/** All there is to say of a turn that was to replace an answer and did not. */
const LostAgain = ({ turn: { end, model }, children }: LostAgainProps) => (
  <div class="turn" role="group" aria-label="Asked again">
    {end?.error && <ErrorNote error={end.error} />}
    {end && (
      <TurnFoot end={end} model={model} isAgain>
        {children}
      </TurnFoot>
    )}
  </div>
)

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
