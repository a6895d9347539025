/** What waits for a decision, of all conversations. */
import './inbox.css'
import { useRef } from 'preact/hooks'
import { EmptyState } from '../parts/empty-state.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Spinner } from '../parts/spinner.tsx'
import { moveFocus } from '../chat/move-focus.ts'
import { hrefOf } from '../shell/router.ts'
import { InboxEntryView } from './inbox-entry-view.tsx'
import { useInbox } from './use-inbox.ts'

export function InboxView() {
  const { inbox, error, reload } = useInbox()
  const list = useRef<HTMLUListElement>(null)
  return (
    <div class="view scroll">
      <div class="inbox">
        {error && <ErrorNote error={error} onRetry={() => void reload()} />}
        {!inbox && !error && <Spinner label="Loading what waits" />}
        {inbox?.waiting.length === 0 && (
          <EmptyState
            title="Nothing waits for you"
            action={<a href={hrefOf({ view: 'chat' })}>Go to the chat</a>}
          >
            A call comes here when its tool asks before it runs, asks you a question, or has no code
            and waits for a result. What waits is kept, also when the playground is stopped.
          </EmptyState>
        )}
        <ul
          ref={list}
          class="inbox-entries"
          onKeyDown={(event) => moveFocus(event, list.current!, '.inbox-title > a')}
        >
          {inbox?.waiting.map((entry) => (
            <li key={entry.conversation.id}>
              <InboxEntryView entry={entry} onDecided={reload} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
