/** Calling a tool by hand: arguments, the call as it goes, and what was called before. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Json, JsonObject } from 'toolwright'
import type { ShownTool } from '../../../src/protocol/shown-tool.ts'
import { type ApiError, toApiError } from '../api/api-error.ts'
import { focusFirstUnreadable } from '../form/focus-first-wrong.ts'
import { SchemaForm } from '../form/schema-form.tsx'
import { Button } from '../parts/button.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { useCallDraft } from './call-drafts.ts'
import { CallHistory } from './call-history.tsx'
import { CallView } from './call-view.tsx'
import { ContextField, readContext } from './context-field.tsx'
import { ExampleChoice } from './example-choice.tsx'
import { followWhileShown, startHandCall, stopHandCall, useHandCalls } from './hand-calls.ts'

export function CallPanel({ tool }: { readonly tool: ShownTool }) {
  const { draft, setDraft } = useCallDraft(tool)
  const calls = useHandCalls(tool.name)
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<ApiError>()
  const [shown, setShown] = useState<number>()
  // A form with other values from elsewhere begins anew.
  const [filled, setFilled] = useState(0)
  const current = calls.find(({ end }) => end === undefined)
  const call = calls.find(({ number }) => number === shown) ?? current ?? calls[0]
  // The one to stop: several may be open that were taken up.
  const open = call?.end === undefined ? call : current
  const other = open === call ? undefined : open
  useEffect(() => followWhileShown(call), [call?.number, call?.id])
  useEffect(() => followWhileShown(other), [other?.number, other?.id])

  const fill = (input: Json, context = draft.context) => {
    setDraft({ input, context })
    setError(undefined)
    setFilled(filled + 1)
  }
  const start = async () => {
    if (open) return
    setError(undefined)
    if (focusFirstUnreadable(form.current)) return
    setShown(undefined)
    const { value: context } = readContext(draft.context)
    try {
      await startHandCall({
        tool: tool.name,
        input: draft.input ?? {},
        ...(context === undefined ? {} : { context: context as JsonObject }),
      })
    } catch (thrown) {
      setError(toApiError(thrown))
    }
  }
  return (
    <div class="call-panel">
      <form
        class="stack"
        ref={form}
        noValidate
        aria-label={`Call ${tool.name}`}
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void start()
        }}
      >
        <ExampleChoice tool={tool} input={draft.input} onChoose={fill} />
        <SchemaForm
          key={filled}
          schema={tool.inputSchema}
          value={draft.input}
          onChange={(input) => setDraft({ input })}
          issues={error?.issues}
          idPrefix="call"
        />
        <ContextField text={draft.context} onChange={(context) => setDraft({ context })} />
        {error ? <ErrorNote error={error} /> : null}
        <div class="call-bar row">
          <Button kind="primary" type="submit" busy={open !== undefined}>
            {!open ? 'Call' : open.pending.length > 0 ? 'Waits' : 'Running'}
          </Button>
          {open ? (
            <Button
              disabled={open.id === undefined || open.isStopping}
              onClick={() => void stopHandCall(open)}
            >
              {open.isStopping ? 'Stopping' : 'Stop'}
            </Button>
          ) : (
            <span class="quiet call-key">
              <kbd>Ctrl Enter</kbd>
            </span>
          )}
        </div>
      </form>
      <CallView call={call} />
      <CallHistory
        calls={calls}
        shown={call?.number}
        onChoose={(chosen) => {
          setShown(chosen.number)
          fill(chosen.input, chosen.context ? JSON.stringify(chosen.context, null, 2) : '')
        }}
      />
    </div>
  )
}
