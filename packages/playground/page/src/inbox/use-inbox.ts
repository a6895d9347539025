/** What waits in all conversations, loaded again whenever the news say that it changed. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Inbox } from '../../../src/protocol/conversation.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { onNews } from '../shell/news.ts'

export interface InboxState {
  /** Absent: it is being loaded. */
  readonly inbox?: Inbox
  readonly error?: ApiError
  readonly reload: () => Promise<void>
}

export function useInbox(): InboxState {
  const [inbox, setInbox] = useState<Inbox>()
  const [error, setError] = useState<ApiError>()
  const asked = useRef(0)
  const reload = async (): Promise<void> => {
    const mine = ++asked.current
    try {
      const now = await api.get<Inbox>('/api/inbox')
      // An answer that was overtaken by a later one is old.
      if (mine !== asked.current) return
      setInbox(now)
      setError(undefined)
    } catch (thrown) {
      if (mine === asked.current) setError(toApiError(thrown))
    }
  }
  useEffect(() => {
    void reload()
    return onNews(({ type }) => {
      if (type !== 'tools') void reload()
    })
  }, [])
  return { inbox, error, reload }
}
