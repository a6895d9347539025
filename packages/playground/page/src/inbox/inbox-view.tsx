/** What waits for a decision, of all conversations. */
import './inbox.css'
import { useRef, useState } from 'preact/hooks'
import type { ApiError } from '../api/api-error.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Spinner } from '../parts/spinner.tsx'
import { useFocusWhenFewer } from '../parts/use-focus-when-fewer.ts'
import { moveFocus } from '../chat/move-focus.ts'
import { hrefOf } from '../shell/router.ts'
import { InboxEntryView } from './inbox-entry-view.tsx'
import { useInbox } from './use-inbox.ts'

/** The last decision that was not taken. What it was about may be gone, because another page was faster. */
interface Refused {
  /** Of the conversation. */
  readonly id: string
  readonly error: ApiError
}

export function InboxView() {
  const { inbox, error, reload } = useInbox()
  const view = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [refused, setRefused] = useState<Refused>()
  const waiting = inbox?.waiting ?? []
  const isGone = refused && !waiting.some(({ conversation }) => conversation.id === refused.id)
  useFocusWhenFewer(
    waiting.reduce((sum, { pending }) => sum + pending.length, 0),
    () => [
      list.current?.querySelector<HTMLElement>('.pending-card'),
      view.current?.querySelector<HTMLElement>('a'),
    ],
  )
  return (
    <div class="view scroll" ref={view}>
      <div class="inbox">
        {error && <ErrorNote error={error} onRetry={() => void reload()} />}
        {isGone && <ErrorNote error={refused.error} />}
        {!inbox && !error && <Spinner label="Loading what waits" />}
        {inbox?.waiting.length === 0 && (
          <EmptyState
            title="Nothing waits for you"
            action={<a href={hrefOf({ view: 'chat' })}>Go to the chat</a>}
          >
            A call of a conversation comes here when its tool asks before it runs, asks you a
            question, or has no code and waits for a result. What waits is kept, also when the
            playground is stopped. A call by hand waits in the Tools view.
          </EmptyState>
        )}
        <ul
          ref={list}
          class="inbox-entries"
          onKeyDown={(event) => moveFocus(event, list.current!, '.inbox-title > a')}
        >
          {waiting.map((entry) => {
            const { id } = entry.conversation
            return (
              <li key={id}>
                <InboxEntryView
                  entry={entry}
                  error={refused?.id === id ? refused.error : undefined}
                  onError={(now) => setRefused(now && { id, error: now })}
                  onDecided={reload}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </div>
  )
}
