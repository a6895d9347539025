/** What went wrong and what to do. */
import { Button } from './button.tsx'
import { printable } from './printable.ts'

export interface ErrorNoteProps {
  readonly error: { readonly code?: string; readonly message: string }
  readonly onRetry?: () => void
}

export function ErrorNote({ error, onRetry }: ErrorNoteProps) {
  return (
    <div class="note note-danger" role="alert">
      <p class="note-text">{printable(error.message)}</p>
      <div class="row">
        {error.code ? <code class="quiet">{printable(error.code)}</code> : null}
        {onRetry ? (
          <Button small onClick={onRetry}>
            Try again
          </Button>
        ) : null}
      </div>
    </div>
  )
}
