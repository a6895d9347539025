/**
 * Remembers the newest turns that fit into a number of tokens. Whole turns leave; the newest stays whole even if it
 * alone is larger. System messages stay and count.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { checkNumber, checkOptions } from '../internal/check-options.ts'
import type { Message } from '../messages/message.ts'
import type { ChatMemory, ChatMemoryRepository } from './chat-memory.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { inMemoryRepository } from './in-memory-repository.ts'
import { messageTokens, type Tokenizer } from './message-tokens.ts'
import { newestTurns, type FirstThatFits } from './newest-turns.ts'
import { widening } from './read-tail.ts'

export interface TokenWindowOptions {
  /**
   * The most tokens of what is remembered. The request's own system text, its tools and its new message are not known
   * to a memory: leave room for them and for the answer.
   */
  readonly maxTokens: number
  /** Counts the tokens of a text. Default `estimateTokens`, which is right for no model and near for all. */
  readonly tokenizer?: Tokenizer
  /** Default: in this process. */
  readonly repository?: ChatMemoryRepository
}

/** How many messages are read at first. */
const FIRST_READ = 32

/**
 * A memory for `chatMemoryAdvisor`.
 *
 * @example
 * chatMemoryAdvisor(tokenWindowMemory({ maxTokens: 8_000 }))
 */
export function tokenWindowMemory(options: TokenWindowOptions): ChatMemory {
  checkOptions('tokenWindowMemory()', options ?? {}, ['maxTokens', 'tokenizer', 'repository'])
  const { maxTokens, tokenizer = estimateTokens, repository = inMemoryRepository() } = options ?? {}
  checkNumber('maxTokens', maxTokens, { least: 1, isWhole: true })
  if (typeof tokenizer !== 'function')
    throw new ConfigurationError(
      'invalid-option',
      'tokenizer is a function from a text to a number.',
    )
  const tokensOf = messageTokens(tokenizer)
  const sum = (messages: readonly Message[]): number =>
    messages.reduce((tokens, message) => tokens + tokensOf(message), 0)
  const firstThatFits: FirstThatFits = (messages, system) => {
    let left = maxTokens - sum(system)
    const tooMuch = messages.findLastIndex((message) => (left -= tokensOf(message)) < 0)
    return tooMuch < 0 ? -1 : tooMuch + 1
  }
  return {
    add: (key, messages) => repository.append(key, messages),
    get: (key) =>
      widening({ repository, key, last: FIRST_READ }, (tail) => newestTurns(tail, firstThatFits)),
    clear: (key) => repository.delete(key),
  }
}
