/** A stretch of a stored conversation, newest first read: as little of it as the repository allows. */
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
  for (let wanted = PAGE; ; wanted++) {
    const read = await book.last(id, total - end + wanted)
    const first = Math.max(0, total - read.length)
    // One more, rather than a page that begins between a call and its result.
    if (first > 0 && beginsWithin(read)) continue
    const messages = read.slice(0, end - first)
    return { messages: shownMessages(messages, first), from: first }
  }
}

/** A result without the call that it answers. */
const beginsWithin = (messages: readonly Message[]): boolean => messages[0]?.role === 'tool'
