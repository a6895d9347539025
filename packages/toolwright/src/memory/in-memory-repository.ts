/** Keeps conversations in this process. */
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { Message } from '../messages/message.ts'
import type { ChatMemoryRepository } from './chat-memory.ts'

export function inMemoryRepository(): ChatMemoryRepository {
  const conversations = new Map<
    string,
    { readonly key: ConversationKey; readonly messages: readonly Message[] }
  >()
  const messagesOf = (key: ConversationKey): readonly Message[] =>
    conversations.get(textOfKey(key))?.messages ?? []
  return {
    async conversations() {
      return [...conversations.values()].map((entry) => entry.key)
    },
    async find(key, options) {
      const messages = messagesOf(key)
      return options?.last === undefined
        ? messages
        : messages.slice(Math.max(0, messages.length - options.last))
    },
    async append(key, messages) {
      conversations.set(textOfKey(key), { key, messages: [...messagesOf(key), ...messages] })
    },
    async replace(key, messages) {
      conversations.set(textOfKey(key), { key, messages: [...messages] })
    },
    async delete(key) {
      conversations.delete(textOfKey(key))
    },
  }
}

/** A text that is unique for each key, whatever characters the key contains. */
const textOfKey = (key: ConversationKey): string =>
  JSON.stringify(typeof key === 'string' ? [key] : [key.tenant, key.conversation])
