/** The contracts of chat memory: the messages of earlier requests, by conversation. */
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { Message } from '../messages/message.ts'

export interface ChatMemory {
  /** Appends messages. Concurrent calls lose nothing. */
  add(key: ConversationKey, messages: readonly Message[]): Promise<void>
  /** The messages that a model should see, oldest first. */
  get(key: ConversationKey): Promise<readonly Message[]>
  clear(key: ConversationKey): Promise<void>
}

/** Stores conversations. */
export interface ChatMemoryRepository {
  conversations(): Promise<readonly ConversationKey[]>
  /** `last`: at most this many of the newest messages, oldest first. */
  find(key: ConversationKey, options?: { readonly last?: number }): Promise<readonly Message[]>
  /** Appends atomically: concurrent calls lose nothing. */
  append(key: ConversationKey, messages: readonly Message[]): Promise<void>
  replace(key: ConversationKey, messages: readonly Message[]): Promise<void>
  delete(key: ConversationKey): Promise<void>
}
