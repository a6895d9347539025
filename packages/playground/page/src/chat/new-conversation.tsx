/** A conversation that nobody has begun. It is made with its first question. */
import { useState } from 'preact/hooks'
import type { Started } from '../../../src/protocol/routes.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { go, hrefOf } from '../shell/router.ts'
import { ApiErrorNote } from './api-error-note.tsx'
import { noteBegun } from './begun-here.ts'
import { Composer } from './composer.tsx'
import { postOnce } from '../api/post-once.ts'
import { useModelChoice } from './use-model-choice.ts'

export function NewConversation() {
  const [model, chooseModel] = useModelChoice()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<ApiError>()
  const send = async (text: string): Promise<boolean> => {
    setSending(true)
    setError(undefined)
    try {
      const { id } = await api.post<Started>('/api/conversations')
      await postOnce(`/api/conversations/${encodeURIComponent(id)}/turns`, { text, model })
      noteBegun(id)
      go({ view: 'chat', id })
      return true
    } catch (thrown) {
      setError(toApiError(thrown))
      return false
    } finally {
      setSending(false)
    }
  }
  return (
    <div class="thread">
      <div class="thread-scroll thread-new">
        <EmptyState title="Ask the model something">
          It is offered all of <a href={hrefOf({ view: 'tools' })}>your tools</a> and calls those it
          needs. You see every call as it is made, and decide those that ask first.
        </EmptyState>
      </div>
      {error && <ApiErrorNote error={error} />}
      <Composer
        conversation="new"
        phase="idle"
        isSending={isSending}
        model={model}
        onModel={chooseModel}
        onSend={send}
        onStop={() => {}}
      />
    </div>
  )
}
