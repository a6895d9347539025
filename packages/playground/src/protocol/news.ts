/** What every open page hears of. Types only. */
import type { ConversationRow } from './conversation.ts'

export type NewsEvent = { readonly seq: number } &
  /** The first one: how things are. Also sent again after a lost connection. */
  (
    | { readonly type: 'hello'; readonly toolsRevision: number; readonly waiting: number }
    | { readonly type: 'tools'; readonly revision: number }
    | { readonly type: 'conversation'; readonly row: ConversationRow }
    | { readonly type: 'conversation-deleted'; readonly id: string }
    /** How many calls wait for a decision, of all conversations. */
    | { readonly type: 'inbox'; readonly waiting: number }
  )
