/** Conversations in this process, for as long as it lives. */
import type { Message } from '../messages/message.ts'
import type { ChatMemoryRepository, ConversationKey } from './chat-memory.ts'

export function inMemoryRepository(): ChatMemoryRepository {
  const kept = new Map<
    string,
    { readonly key: ConversationKey; readonly messages: readonly Message[] }
  >()
  const messagesOf = (key: ConversationKey): readonly Message[] =>
    kept.get(textOfKey(key))?.messages ?? []
  return {
    async conversations() {
      return [...kept.values()].map((entry) => entry.key)
    },
    async find(key, options) {
      const messages = messagesOf(key)
      return options?.last === undefined
        ? messages
        : messages.slice(Math.max(0, messages.length - options.last))
    },
    async append(key, messages) {
      kept.set(textOfKey(key), { key, messages: [...messagesOf(key), ...messages] })
    },
    async replace(key, messages) {
      kept.set(textOfKey(key), { key, messages: [...messages] })
    },
    async delete(key) {
      kept.delete(textOfKey(key))
    },
  }
}

/** No two keys share a text, whatever characters they hold. */
const textOfKey = (key: ConversationKey): string =>
  JSON.stringify(typeof key === 'string' ? [key] : [key.tenant, key.conversation])
