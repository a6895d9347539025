/** Why something was not granted. That the server knows this page no more is said once, by the frame of the page. */
import { useEffect } from 'preact/hooks'
import type { ApiError } from '../api/api-error.ts'
import { ErrorNote, type ErrorNoteProps } from '../parts/error-note.tsx'
import { loadSession } from '../shell/session.ts'

export interface ApiErrorNoteProps extends ErrorNoteProps {
  readonly error: ApiError
}

export function ApiErrorNote({ error, onRetry }: ApiErrorNoteProps) {
  const isUnknown = error.status === 401
  useEffect(() => {
    if (isUnknown) void loadSession()
  }, [isUnknown])
  return isUnknown ? null : <ErrorNote error={error} onRetry={onRetry} />
}
