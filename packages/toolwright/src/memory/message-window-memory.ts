/**
 * Remembers the newest messages. Whole turns leave the window, so a tool response is never separated from
 * its call. A turn larger than the window stays whole; system messages stay until newer ones replace them.
 */
import { checkNumber, checkOptions } from '../internal/check-options.ts'
import type { ChatMemory, ChatMemoryRepository } from './chat-memory.ts'
import { inMemoryRepository } from './in-memory-repository.ts'
import { newestTurns } from './newest-turns.ts'
import { widening } from './read-tail.ts'

export interface MessageWindowOptions {
  /** Default 20. System messages do not count. */
  readonly maxMessages?: number
  /** Default: in this process. */
  readonly repository?: ChatMemoryRepository
}

export function messageWindowMemory(options: MessageWindowOptions = {}): ChatMemory {
  checkOptions('messageWindowMemory()', options, ['maxMessages', 'repository'])
  const { maxMessages = 20, repository = inMemoryRepository() } = options
  checkNumber('maxMessages', maxMessages, { least: 1, isWhole: true })
  return {
    add: (key, messages) => repository.append(key, messages),
    get: (key) =>
      widening({ repository, key, last: maxMessages }, (tail) =>
        newestTurns(tail, (messages) => messages.length - maxMessages),
      ),
    clear: (key) => repository.delete(key),
  }
}
