/** Where a trace is chosen: a file from anywhere, or one of the conversations here. */
import { useState } from 'preact/hooks'
import type { OpenedTrace } from '../../../src/protocol/opened-trace.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { useConversations } from '../chat/use-conversations.ts'
import { Ago } from '../parts/ago.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { printable } from '../parts/printable.ts'
import { Spinner } from '../parts/spinner.tsx'
import { hrefOf } from '../shell/router.ts'

export interface TraceStartProps {
  readonly onOpened: (opened: OpenedTrace) => void
}

export function TraceStart({ onOpened }: TraceStartProps) {
  const [reading, setReading] = useState('')
  const [error, setError] = useState<ApiError>()
  const [isOver, setOver] = useState(false)
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setReading(file.name)
    setError(undefined)
    try {
      const path = `/api/traces?name=${encodeURIComponent(file.name)}`
      onOpened(await api.postText<OpenedTrace>(path, await file.text()))
    } catch (thrown) {
      setError(toApiError(thrown))
    } finally {
      setReading('')
    }
  }
  return (
    <div class="view scroll">
      <div class="trace-start stack">
        <label
          class={`drop ${isOver ? 'is-over' : ''}`}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            void open(event.dataTransfer?.files[0])
          }}
        >
          <span class="drop-title">Open a trace file or a cassette</span>
          <span class="quiet">
            Choose it or drop it here. Programs write one with <code>traceFile()</code>; tests
            record cassettes. It is read on this computer only.
          </span>
          <input
            type="file"
            accept=".jsonl,.ndjson,.json,.txt"
            onChange={(event) => {
              void open(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
        </label>
        {reading !== '' && <Spinner label={`Reading ${printable(reading)}`} />}
        {error && <ErrorNote error={error} />}
        <ConversationLinks />
      </div>
    </div>
  )
}

function ConversationLinks() {
  const { list } = useConversations()
  if (!list || list.conversations.length === 0)
    return <p class="quiet">Every conversation of the chat has a trace, too. There is none yet.</p>
  return (
    <section>
      <h2>Or the trace of a conversation</h2>
      <ul class="trace-links">
        {list.conversations.map(({ id, title, changedAt }) => (
          <li key={id} class="row">
            <a href={hrefOf({ view: 'trace', id })}>{printable(title)}</a>
            <span class="quiet">
              <Ago at={changedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
