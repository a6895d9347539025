/** What was said before, by conversation. */
import type { Message } from '../messages/message.ts'

/** A conversation id, or one within a tenant. Two tenants never share a conversation. */
export type ConversationKey = string | { readonly tenant: string; readonly conversation: string }

export interface ChatMemory {
  /** Adds at the end; concurrent additions lose nothing. */
  add(key: ConversationKey, messages: readonly Message[]): Promise<void>
  /** What a model should see of it, oldest first. */
  get(key: ConversationKey): Promise<readonly Message[]>
  clear(key: ConversationKey): Promise<void>
}

/** Where conversations are kept. */
export interface ChatMemoryRepository {
  conversations(): Promise<readonly ConversationKey[]>
  /** `last`: at most so many of the newest messages, oldest first. */
  find(key: ConversationKey, options?: { readonly last?: number }): Promise<readonly Message[]>
  /** Atomic: concurrent appends lose nothing. */
  append(key: ConversationKey, messages: readonly Message[]): Promise<void>
  replace(key: ConversationKey, messages: readonly Message[]): Promise<void>
  delete(key: ConversationKey): Promise<void>
}
