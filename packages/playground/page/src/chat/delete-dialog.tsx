/** Asks before a conversation is deleted for good. */
import { useState } from 'preact/hooks'
import type { ConversationRow } from '../../../src/protocol/conversation.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { printable } from '../parts/printable.ts'

export interface DeleteDialogProps {
  /** Absent: it is closed. */
  readonly row: ConversationRow | undefined
  readonly onClose: (isDeleted: boolean) => void
}

export function DeleteDialog({ row, onClose }: DeleteDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const remove = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      await api.delete(`/api/conversations/${encodeURIComponent(row!.id)}`)
      onClose(true)
    } catch (thrown) {
      setError(toApiError(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={row !== undefined}
      title="Delete this conversation?"
      onClose={() => onClose(false)}
    >
      <div class="stack">
        <p>“{printable(row?.title ?? '')}” and what waits in it is gone for good.</p>
        {error && <ErrorNote error={error} />}
        <div class="row">
          <Button onClick={() => onClose(false)}>Keep it</Button>
          <Button kind="danger" busy={isBusy} onClick={() => void remove()}>
            Delete
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
