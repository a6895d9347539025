/** A turn as its events tell it: the question, the answer as it grows, what waits in it, and how it ended. */
import type { ComponentChildren } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { useFocusAfterDeciding } from './use-focus-after-deciding.ts'
import type { Decision, Decisions } from 'toolwright'
import type { RefusedDecision } from '../../../src/protocol/shown-content.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { printable } from '../parts/printable.ts'
import { Spinner } from '../parts/spinner.tsx'
import { CallCard } from './call-card.tsx'
import { DeciderContext, type Decider } from './decider.ts'
import { DecisionBar } from './decision-bar.tsx'
import { memo } from '../parts/memo.ts'
import { PartView, Reasoning } from './part-view.tsx'
import { PendingSlot } from './pending-slot.tsx'
import { Question } from './question.tsx'
import { TurnFoot } from './turn-foot.tsx'
import type { TurnItem, TurnState } from './turn-state.ts'

export interface TurnViewProps {
  readonly turn: TurnState
  readonly isSending: boolean
  readonly onDecide: (decisions: Decisions) => void
  /** What can be done with it once it is over. */
  readonly actions?: ComponentChildren
}

export function TurnView({ turn, isSending, onDecide, actions }: TurnViewProps) {
  const made = useDecider({ turn, isSending, onDecide })
  const onChoose = useFocusAfterDeciding(made)
  const decider = useMemo(() => withChoice(made, onChoose), [made])
  const isLive = turn.phase !== 'over'
  const asked = useMemo(() => [{ type: 'text' as const, text: turn.question }], [turn.question])
  const loose = turn.pending.filter(({ callId }) => !turn.parents.has(callId))
  return (
    <DeciderContext.Provider value={decider}>
      {turn.turn !== '' && <Question role="user" parts={asked} />}
      <article
        class="message message-assistant"
        aria-label="Answer"
        aria-busy={turn.phase === 'running'}
      >
        {turn.items.map((item, index) => (
          <ItemView
            key={item.key}
            item={item}
            isLive={isLive}
            isLast={isLive && index === turn.items.length - 1}
          />
        ))}
        {loose.map(({ callId }) => (
          <PendingSlot key={callId} callId={callId} />
        ))}
        <RefusedTogether />
        <DecisionBar onSend={onDecide} />
        {turn.phase === 'running' && (
          <p class="working quiet">
            <Spinner />
            {turn.items.length === 0 ? `${printable(turn.model)} was asked` : 'goes on'}
          </p>
        )}
        {turn.end?.error && <ErrorNote error={turn.end.error} />}
        {turn.end && (
          <TurnFoot end={turn.end} model={turn.model}>
            {actions}
          </TurnFoot>
        )}
      </article>
    </DeciderContext.Provider>
  )
}

interface ItemViewProps {
  readonly item: TurnItem
  readonly isLive: boolean
  readonly isLast: boolean
}

const ItemView = memo(function ItemView({ item, isLive, isLast }: ItemViewProps) {
  switch (item.type) {
    case 'text':
      return <PartView part={{ type: 'text', text: item.text }} />
    case 'reasoning':
      return <Reasoning text={item.text} isLive={isLast} />
    case 'part':
      return <PartView part={item.part} />
    case 'call':
      return <CallCard call={item.call} isLive={isLive} />
    case 'notice':
      return (
        <p class="turn-notice">
          <code>{printable(item.code)}</code> {printable(item.message)}
        </p>
      )
  }
})

const withChoice = (decider: Decider, onChoose: () => void): Decider => ({
  ...decider,
  choose(callId, decision) {
    onChoose()
    decider.choose(callId, decision)
  },
})

/** What was refused of no call in particular; otherwise the card of the call says it. */
function RefusedTogether() {
  const { refused, pending = [] } = useContext(DeciderContext) ?? {}
  if (!refused || pending.some(({ callId }) => callId === refused.callId)) return null
  return <ErrorNote error={refused} />
}

interface Gathered {
  readonly [callId: string]: {
    readonly decision: Decision
    /** What had been refused when it was made. */
    readonly after: RefusedDecision | undefined
  }
}

/** One that waits alone is decided at once; of several, decisions are gathered. */
function useDecider({ turn, isSending, onDecide }: Omit<TurnViewProps, 'actions'>): Decider {
  const [gathered, setGathered] = useState<Gathered>({})
  const { pending, refused } = turn
  return useMemo(() => {
    const waiting = new Set(pending.map(({ callId }) => callId))
    // One that was refused is to be made again, and the others are still made.
    const made = Object.entries(gathered).filter(
      ([callId, { after }]) =>
        waiting.has(callId) && (refused?.callId !== callId || after === refused),
    )
    const chosen = Object.fromEntries(made.map(([callId, { decision }]) => [callId, decision]))
    const choose = (callId: string, decision: Decision | undefined): void => {
      const { [callId]: _, ...others } = Object.fromEntries(made)
      if (decision === undefined) return setGathered(others)
      if (pending.length > 1)
        return setGathered({ ...others, [callId]: { decision, after: refused } })
      setGathered({})
      onDecide({ [callId]: decision })
    }
    return { pending, chosen, isSending, refused, choose }
  }, [pending, gathered, isSending, refused, onDecide])
}
