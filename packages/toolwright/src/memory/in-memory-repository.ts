/** Keeps conversations in this process. */
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { Message } from '../messages/message.ts'
import type { ChatMemoryRepository } from './chat-memory.ts'
import { systemGroups } from './system-groups.ts'

export function inMemoryRepository(): Required<ChatMemoryRepository> {
  const conversations = new Map<string, Conversation>()
  const messagesOf = (key: ConversationKey): readonly Message[] =>
    conversations.get(textOfKey(key))?.messages ?? []
  return {
    async conversations() {
      return [...conversations.values()].map((entry) => entry.key)
    },
    async find(key, options) {
      return newest(messagesOf(key), options?.last)
    },
    async tail(key, { last }) {
      const all = messagesOf(key)
      const messages = newest(all, last)
      return { messages, skipped: all.length - messages.length, system: systemGroups(all) }
    },
    async append(key, messages) {
      const known = conversations.get(textOfKey(key))
      // Copied when it is read, not each time that something is added.
      if (known) for (const message of messages) known.messages.push(message)
      else conversations.set(textOfKey(key), { key, messages: [...messages] })
    },
    async replace(key, messages) {
      conversations.set(textOfKey(key), { key, messages: [...messages] })
    },
    async delete(key) {
      conversations.delete(textOfKey(key))
    },
  }
}

interface Conversation {
  readonly key: ConversationKey
  readonly messages: Message[]
}

const newest = (messages: readonly Message[], last = messages.length): readonly Message[] =>
  messages.slice(Math.max(0, messages.length - last))

/** A text that is unique for each key, whatever characters the key contains. */
const textOfKey = (key: ConversationKey): string =>
  JSON.stringify(typeof key === 'string' ? [key] : [key.tenant, key.conversation])
