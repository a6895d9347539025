/** A stretch of a stored conversation: only what stands in it is read, however long the conversation is. */
import type { Message } from 'toolwright'
import type { ShownMessage } from '../protocol/conversation.ts'
import type { ConversationBook } from './conversation-book.ts'
import { shownMessages } from './shown-messages.ts'

const PAGE = 100

export interface PageQuery {
  readonly id: string
  /** Only what stands before this number. Default: all. */
  readonly before?: number | undefined
}

export async function conversationPage(
  book: ConversationBook,
  { id, before }: PageQuery,
): Promise<{ readonly messages: readonly ShownMessage[]; readonly from: number }> {
  const total = await book.count(id)
  const end = Math.min(before ?? total, total)
  let from = Math.max(0, end - PAGE)
  let messages = await book.range(id, { from, count: end - from })
  // One more, rather than a page that begins between a call and its result.
  for (; from > 0 && beginsWithin(messages); from--)
    messages = [...(await book.range(id, { from: from - 1, count: 1 })), ...messages]
  return { messages: shownMessages(messages, from), from }
}

/** A result without the call that it answers. */
const beginsWithin = (messages: readonly Message[]): boolean => messages[0]?.role === 'tool'
