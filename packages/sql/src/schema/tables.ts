/** The tables, without their prefix. docs/guide/24-database.md shows them, decision 32 says why they are so. */
import type { Generated } from 'kysely'

export interface Tables {
  readonly schema: SchemaTable
  readonly conversations: ConversationTable
  readonly messages: MessageTable
  readonly used_states: UsedStateTable
  readonly waiting_runs: WaitingRunTable
}

/** One row. */
export interface SchemaTable {
  id: number
  version: number
}

/** One row per conversation. Its lock puts appends in order. */
export interface ConversationTable {
  id: Generated<number | string>
  /** `hashOfKey`: the key itself may be longer than an index takes. */
  key_hash: string
  /** Nothing for a key that is a plain text. */
  tenant_hash: string | null
  /** As `toStoredText` writes it; nothing for a key that is a plain text. */
  tenant: string | null
  conversation: string
  /** How often all its messages were replaced: below one id and revision, rows are only added. */
  revision: number
}

/** One row per message, written once and never changed. */
export interface MessageTable {
  conversation_id: number | string
  /** From 0, without gaps. */
  seq: number
  /** Also in the content. System messages have an index of their own. */
  role: string
  /** The message as JSON. */
  content: string
  /** Its words in small letters, for `searchable` repositories. */
  search_text: string | null
  /** Milliseconds since 1970, by the clock of the program that added it. */
  added_at: number
  /** Tells an append whose commit got no answer from others. In its first row only; nothing where commits always answer. */
  append_id: string | null
}

/** One row per state that was resumed. */
export interface UsedStateTable {
  state_hash: string
  state_id: string
  used_by: string | null
  /** Tells the winner from others when its commit got no answer. */
  use_id: string
  used_at: number
}

/** One row per run that was saved. Those whose state is used do not wait any more. */
export interface WaitingRunTable {
  id: Generated<number | string>
  run_hash: string
  run_id: string
  state_hash: string
  /** Of the conversation, if the request named one. */
  key_hash: string | null
  tenant_hash: string | null
  saved_at: number
  /** The `PendingRun` as JSON. */
  content: string
}
