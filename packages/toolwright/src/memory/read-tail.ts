/** Reads the end of a conversation, as much of it as somebody needs. */
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { ChatMemoryRepository, ConversationTail } from './chat-memory.ts'
import { systemGroups } from './system-groups.ts'

/** From a repository that cannot say what came before, the whole conversation. */
export async function readTail(
  repository: ChatMemoryRepository,
  key: ConversationKey,
  last: number,
): Promise<ConversationTail> {
  if (repository.tail) return repository.tail(key, { last })
  const messages = await repository.find(key)
  return { messages, skipped: 0, system: systemGroups(messages) }
}

/**
 * Reads `last` messages and what `read` makes of them; when that is nothing, because more would be needed, twice as
 * many and so on. `read` must make something of a whole conversation.
 */
export async function widening<T>(
  { repository, key, last }: Widening,
  read: (tail: ConversationTail) => T | undefined,
): Promise<T> {
  for (let asked = last; ; asked *= 2) {
    const tail = await readTail(repository, key, asked)
    const made = read(tail)
    if (made !== undefined || tail.skipped === 0) return made!
  }
}

export interface Widening {
  readonly repository: ChatMemoryRepository
  readonly key: ConversationKey
  /** How many messages are read at first. */
  readonly last: number
}
