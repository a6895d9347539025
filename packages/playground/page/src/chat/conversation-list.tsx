/** The conversations to choose from. Arrows and j/k move through them. */
import { useRef, useState } from 'preact/hooks'
import type { ConversationRow } from '../../../src/protocol/conversation.ts'
import { Ago } from '../parts/ago.tsx'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { printable } from '../parts/printable.ts'
import { Spinner } from '../parts/spinner.tsx'
import { go, hrefOf } from '../shell/router.ts'
import { ApiErrorNote } from './api-error-note.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { moveFocus } from './move-focus.ts'
import { StatusBadge } from './status-badge.tsx'
import { useConversations } from './use-conversations.ts'

export function ConversationList({ current }: { readonly current: string | undefined }) {
  const { list, error, loadMore, reload } = useConversations()
  const [deleting, setDeleting] = useState<ConversationRow>()
  const rows = useRef<HTMLUListElement>(null)
  const begin = () => {
    go({ view: 'chat', id: 'new' })
    // The field of another conversation comes with the focus; that of a new one is there already.
    if (current === undefined || current === 'new')
      document.querySelector<HTMLElement>('.composer-field')?.focus()
  }
  return (
    <div class="conversations">
      <div class="conversations-head">
        <Button kind="primary" onClick={begin}>
          <Icon name="add" />
          New conversation
        </Button>
      </div>
      <div class="scroll">
        {error && <ApiErrorNote error={error} onRetry={reload} />}
        {!list && !error && <Spinner label="Loading conversations" />}
        {list?.conversations.length === 0 && (
          <EmptyState title="No conversations yet">
            Begin one: it is kept here, with what waits in it, until you delete it.
          </EmptyState>
        )}
        <ul
          ref={rows}
          class="conversation-rows"
          onKeyDown={(event) => moveFocus(event, rows.current!)}
        >
          {list?.conversations.map((row) => (
            <li key={row.id} class={`conversation-row ${row.id === current ? 'is-current' : ''}`}>
              <a
                href={hrefOf({ view: 'chat', id: row.id })}
                aria-current={row.id === current ? 'page' : undefined}
              >
                <span class="conversation-title">{printable(row.title)}</span>
                <span class="row quiet conversation-facts">
                  <Ago at={row.changedAt} />
                  <StatusBadge status={row.status} />
                </span>
              </a>
              <IconButton
                icon="trash"
                small
                label={`Delete ${printable(row.title)}`}
                onClick={() => setDeleting(row)}
              />
            </li>
          ))}
        </ul>
        {list?.cursor !== undefined && (
          <Button kind="quiet" onClick={loadMore}>
            More conversations
          </Button>
        )}
      </div>
      <DeleteDialog
        row={deleting}
        onClose={(isDeleted) => {
          if (isDeleted && deleting?.id === current) go({ view: 'chat' })
          setDeleting(undefined)
        }}
      />
    </div>
  )
}
