/** All conversations, newest first, as the news change them. */
import { useEffect, useState } from 'preact/hooks'
import type { ConversationList } from '../../../src/protocol/conversation.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { onNews } from '../shell/news.ts'
import { afterNews, withPage } from './conversation-rows.ts'

export interface Conversations {
  /** Absent: they are being loaded. */
  readonly list?: ConversationList
  readonly error?: ApiError
  readonly loadMore: () => void
  readonly reload: () => void
}

export function useConversations(): Conversations {
  const [list, setList] = useState<ConversationList>()
  const [error, setError] = useState<ApiError>()
  const load = (path: string, take: (page: ConversationList) => void): void => {
    setError(undefined)
    api.get<ConversationList>(path).then(take, (thrown: unknown) => setError(toApiError(thrown)))
  }
  const reload = (): void => load('/api/conversations', setList)
  const loadMore = (): void => {
    if (list?.cursor === undefined) return
    const path = `/api/conversations?cursor=${encodeURIComponent(list.cursor)}`
    load(path, (page) => setList((now) => (now ? withPage(now, page) : page)))
  }
  useEffect(() => {
    reload()
    return onNews((event) => {
      // After a lost connection nobody knows what was missed.
      if (event.type === 'hello') reload()
      else setList((now) => now && afterNews(now, event))
    })
  }, [])
  return { list, error, loadMore, reload }
}
