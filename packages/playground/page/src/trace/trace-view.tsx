/** What happened: in a conversation, or in a file. */
import './trace.css'
import { useEffect, useState } from 'preact/hooks'
import type { OpenedTrace } from '../../../src/protocol/opened-trace.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { Button } from '../parts/button.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Spinner } from '../parts/spinner.tsx'
import { onNews } from '../shell/news.ts'
import { hrefOf } from '../shell/router.ts'
import { OpenedView } from './opened-view.tsx'
import { TraceStart } from './trace-start.tsx'

export const TraceView = ({ id }: { readonly id?: string }) =>
  id === undefined ? <FileTrace /> : <ConversationTrace key={id} id={id} />

function FileTrace() {
  const [opened, setOpened] = useState<OpenedTrace>()
  if (!opened) return <TraceStart onOpened={setOpened} />
  return (
    <OpenedView opened={opened}>
      <Button small kind="quiet" onClick={() => setOpened(undefined)}>
        Open another
      </Button>
    </OpenedView>
  )
}

function ConversationTrace({ id }: { readonly id: string }) {
  const [opened, setOpened] = useState<OpenedTrace>()
  const [error, setError] = useState<ApiError>()
  const load = (): void => {
    api.get<OpenedTrace>(`/api/conversations/${encodeURIComponent(id)}/trace`).then(
      (trace) => {
        setOpened(trace)
        setError(undefined)
      },
      (thrown: unknown) => setError(toApiError(thrown)),
    )
  }
  useEffect(() => {
    load()
    return onNews((event) => {
      if (event.type === 'conversation' && event.row.id === id) load()
    })
  }, [id])
  if (!opened)
    return (
      <div class="view trace-loading">
        {error ? <ErrorNote error={error} onRetry={load} /> : <Spinner label="Loading the trace" />}
      </div>
    )
  return (
    <OpenedView opened={opened}>
      <a class="button button-quiet button-small" href={hrefOf({ view: 'chat', id })}>
        To the conversation
      </a>
      <a class="button button-quiet button-small" href={hrefOf({ view: 'trace' })}>
        Other traces
      </a>
    </OpenedView>
  )
}
