/** The contracts of chat memory: the messages of earlier requests, by conversation. */
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { Message, SystemMessage } from '../messages/message.ts'

export interface ChatMemory {
  /** Appends messages. Concurrent calls lose nothing. */
  add(key: ConversationKey, messages: readonly Message[]): Promise<void>
  /** The messages that a model should see, oldest first. */
  get(key: ConversationKey): Promise<readonly Message[]>
  clear(key: ConversationKey): Promise<void>
}

/** The end of a conversation, as it was at one moment. */
export interface ConversationTail {
  /** At most `last` of the newest messages, oldest first. */
  readonly messages: readonly Message[]
  /** How many older ones there are. */
  readonly skipped: number
  /** All system messages of the whole conversation, oldest first; those that stand side by side are one group. */
  readonly system: readonly (readonly SystemMessage[])[]
}

/** Stores conversations. */
export interface ChatMemoryRepository {
  conversations(): Promise<readonly ConversationKey[]>
  /** `last`: at most this many of the newest messages, oldest first. */
  find(key: ConversationKey, options?: { readonly last?: number }): Promise<readonly Message[]>
  /**
   * What `find(key, { last })` gives, and what a memory must know of the rest to read no more than that. Optional:
   * from a repository without it memories read the whole conversation.
   */
  tail?(key: ConversationKey, options: { readonly last: number }): Promise<ConversationTail>
  /** Appends atomically: concurrent calls lose nothing. */
  append(key: ConversationKey, messages: readonly Message[]): Promise<void>
  replace(key: ConversationKey, messages: readonly Message[]): Promise<void>
  delete(key: ConversationKey): Promise<void>
}
