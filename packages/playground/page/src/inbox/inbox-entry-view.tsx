/** What waits in one conversation. Each is decided by itself; what is not decided goes on waiting. */
import { useState } from 'preact/hooks'
import type { Decision, Decisions } from 'toolwright'
import type { InboxEntry } from '../../../src/protocol/conversation.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { Ago } from '../parts/ago.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { PendingCard } from '../parts/pending-card.tsx'
import { printable } from '../parts/printable.ts'
import { hrefOf } from '../shell/router.ts'
import { postOnce } from '../api/post-once.ts'

export interface InboxEntryViewProps {
  readonly entry: InboxEntry
  /** Why the last decision about it was not taken. */
  readonly error?: ApiError
  readonly onError: (error: ApiError | undefined) => void
  readonly onDecided: () => Promise<void>
}

export function InboxEntryView({ entry, error, onError, onDecided }: InboxEntryViewProps) {
  const { conversation, since, pending } = entry
  const [sending, setSending] = useState<readonly string[]>([])
  const send = async (decisions: Decisions): Promise<void> => {
    setSending(Object.keys(decisions))
    onError(undefined)
    try {
      await postOnce(`/api/conversations/${encodeURIComponent(conversation.id)}/decisions`, {
        decisions,
      })
    } catch (thrown) {
      onError(toApiError(thrown))
    }
    // Also after a refusal: another page may have decided it.
    await onDecided()
    setSending([])
  }
  const approvals = pending.filter(({ kind }) => kind === 'approval').map(({ callId }) => callId)
  const approved = (): Decisions =>
    Object.fromEntries(approvals.map((callId): [string, Decision] => [callId, 'approve']))
  return (
    <section class="inbox-entry" aria-label={printable(conversation.title)}>
      <header class="row">
        <h2 class="inbox-title">
          <a href={hrefOf({ view: 'chat', id: conversation.id })}>
            {printable(conversation.title)}
          </a>
        </h2>
        <Badge tone="warn">{pending.length === 1 ? '1 waits' : `${pending.length} wait`}</Badge>
        <span class="quiet">
          asked <Ago at={since} />
        </span>
        {approvals.length > 1 && (
          <Button small busy={sending.length > 0} onClick={() => void send(approved())}>
            {`Approve all ${approvals.length}`}
          </Button>
        )}
      </header>
      {error && !pending.some(({ callId }) => callId === error.callId) && (
        <ErrorNote error={error} />
      )}
      <ul class="stack">
        {pending.map((each) => (
          <li key={each.callId}>
            <PendingCard
              pending={each}
              busy={sending.includes(each.callId)}
              error={error?.callId === each.callId ? error : undefined}
              onDecide={(decision) => void send({ [each.callId]: decision })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
