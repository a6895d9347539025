/** The stretch of a conversation that the page has, and what becomes of it. Pure. */
import type { ConversationPage, ShownMessage } from '../../../src/protocol/conversation.ts'

/** Messages without a gap, from the number `from` on. */
export type MessageWindow = Pick<ConversationPage, 'messages' | 'from'>

export const NO_MESSAGES: MessageWindow = { messages: [], from: 0 }

/** With the page before it. One that does not end where the window begins came too late, and is passed over. */
export function withEarlier({ messages, from }: MessageWindow, page: MessageWindow): MessageWindow {
  const earlier = page.messages.filter(({ index }) => index < from)
  const isFitting = earlier.length > 0 && earlier.at(-1)!.index === from - 1
  return isFitting ? { messages: [...earlier, ...messages], from: page.from } : { messages, from }
}

/** The newest page again. What is before it stays, unless so much came in between that there is a gap. */
export function withNewest({ messages, from }: MessageWindow, page: MessageWindow): MessageWindow {
  const earlier = messages.filter(({ index }) => index < page.from)
  const isJoined = earlier.at(-1)?.index === page.from - 1
  return isJoined
    ? { messages: [...earlier, ...page.messages], from }
    : { messages: page.messages, from: page.from }
}

/** Without the last question and what was said to it. */
export function withoutLastTurn({ messages, from }: MessageWindow): MessageWindow {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return { messages: last < 0 ? messages : messages.slice(0, last), from }
}

/** The last thing a person said; empty if that is not among the messages. */
export function lastQuestion(messages: readonly ShownMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user')
  return (last?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}
