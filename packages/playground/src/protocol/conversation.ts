/** Conversations as the page shows them. Types only. */
import type { JsonObject, Usage } from 'toolwright'
import type {
  RefusedDecision,
  ShownContent,
  ShownError,
  ShownPart,
  ShownPending,
} from './shown-content.ts'

/** `waiting`: its last turn waits for decisions. */
export type ConversationStatus = 'idle' | 'running' | 'waiting'

export interface ConversationRow {
  readonly id: string
  /** The beginning of its first question. */
  readonly title: string
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly status: ConversationStatus
}

export interface ConversationList {
  /** Those that changed last come first. */
  readonly conversations: readonly ConversationRow[]
  /** Asks for the next page. */
  readonly cursor?: string
}

/** A stretch of a conversation. What the open turn says comes as its events, and is not among the messages. */
export interface ConversationPage {
  readonly row: ConversationRow
  readonly messages: readonly ShownMessage[]
  /** The number of the first message here. 0: there are none before. */
  readonly from: number
}

/** Tool results are with the calls that they answer. */
export type ShownMessage =
  | {
      readonly index: number
      readonly role: 'user' | 'system'
      readonly parts: readonly ShownPart[]
    }
  | {
      readonly index: number
      readonly role: 'assistant'
      readonly parts: readonly ShownAssistantPart[]
    }

export type ShownAssistantPart =
  | ShownPart
  | { readonly type: 'reasoning'; readonly text: string }
  /** What the provider did itself. */
  | { readonly type: 'provider'; readonly kind: string; readonly data: JsonObject | null }
  | ({ readonly type: 'call' } & ShownCall)

export interface ShownCall {
  readonly id: string
  readonly name: string
  /** JSON as the model wrote it; while it is written, its beginning. */
  readonly arguments: string
  readonly result?: ShownContent
  /** Absent: it has no result yet. */
  readonly status?: 'done' | 'failed' | 'denied'
}

/** One turn, from a question to its end. Numbers grow within the turn. */
export type TurnEvent = {
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
} & (
  | { readonly type: 'start'; readonly turn: string; readonly text: string; readonly model: string }
  | { readonly type: 'round'; readonly round: number }
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'part'; readonly part: Exclude<ShownAssistantPart, { type: 'call' }> }
  /** `parentId`: the call whose tool made this one; it is shown inside of it. */
  | {
      readonly type: 'call-start'
      readonly id: string
      readonly name: string
      readonly parentId?: string
    }
  | { readonly type: 'call-arguments'; readonly id: string; readonly delta: string }
  /** Complete. Comes without a `call-start` where nothing was streamed. */
  | {
      readonly type: 'call'
      readonly id: string
      readonly name: string
      readonly arguments: string
      readonly parentId?: string
    }
  | { readonly type: 'call-run'; readonly id: string }
  | { readonly type: 'call-progress'; readonly id: string; readonly value: ShownContent }
  | {
      readonly type: 'call-result'
      readonly id: string
      readonly content: ShownContent
      readonly status: 'done' | 'failed' | 'denied'
    }
  /** All that waits now. */
  | { readonly type: 'pending'; readonly pending: readonly ShownPending[] }
  /** The turn goes on. `decided`: ids of calls, and what was decided about each in a word. */
  | { readonly type: 'resumed'; readonly decided: { readonly [callId: string]: string } }
  /** The decisions did not fit; what was pending still is. */
  | { readonly type: 'decision-refused'; readonly error: RefusedDecision }
  | { readonly type: 'notice'; readonly code: string; readonly message: string }
  /**
   * The turn is over. Its messages are among those of the conversation from now on, but for one that failed or was
   * stopped: the conversation is as it was before then.
   */
  | {
      readonly type: 'end'
      readonly status: 'done' | 'limit' | 'failed' | 'stopped'
      readonly error?: ShownError
      readonly usage?: Usage
      readonly durationMs: number
    }
)

export interface Inbox {
  /** What waits, of all conversations, oldest first. */
  readonly waiting: readonly InboxEntry[]
}

export interface InboxEntry {
  readonly conversation: ConversationRow
  /** Milliseconds since 1970. */
  readonly since: number
  readonly pending: readonly ShownPending[]
}
