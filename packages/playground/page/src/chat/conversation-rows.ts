/** The list of conversations, and what the news make of it. Pure. */
import type { ConversationList, ConversationRow } from '../../../src/protocol/conversation.ts'
import type { NewsEvent } from '../../../src/protocol/news.ts'

/** Those that changed last come first. */
export function afterNews(list: ConversationList, event: NewsEvent): ConversationList {
  if (event.type === 'conversation')
    return { ...list, conversations: withRow(list.conversations, event.row) }
  if (event.type !== 'conversation-deleted') return list
  const conversations = list.conversations.filter(({ id }) => id !== event.id)
  return { ...list, conversations }
}

const withRow = (rows: readonly ConversationRow[], row: ConversationRow) =>
  newestFirst([row, ...rows.filter(({ id }) => id !== row.id)])

/** With the page after it. A conversation that moved up in between is there once. */
export function withPage(list: ConversationList, page: ConversationList): ConversationList {
  const known = new Set(list.conversations.map(({ id }) => id))
  const more = page.conversations.filter(({ id }) => !known.has(id))
  return { conversations: newestFirst([...list.conversations, ...more]), cursor: page.cursor }
}

const newestFirst = (rows: readonly ConversationRow[]): readonly ConversationRow[] =>
  rows.toSorted((a, b) => b.changedAt - a.changedAt)
