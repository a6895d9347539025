/**
 * Remembers the newest messages. Whole turns leave the window, so a tool response is never separated from
 * its call. A turn larger than the window stays whole; system messages stay until newer ones replace them.
 */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import type { Message, SystemMessage } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import type { ChatMemory, ChatMemoryRepository } from './chat-memory.ts'
import { inMemoryRepository } from './in-memory-repository.ts'

export interface MessageWindowOptions {
  /** Default 20. System messages do not count. */
  readonly maxMessages?: number
  readonly repository?: ChatMemoryRepository
}

export function messageWindowMemory(options: MessageWindowOptions = {}): ChatMemory {
  checkOptions('messageWindowMemory()', options, ['maxMessages', 'repository'])
  const { maxMessages = 20, repository = inMemoryRepository() } = options
  if (!Number.isInteger(maxMessages) || maxMessages < 1) {
    throw new ConfigurationError(
      'invalid-option',
      `maxMessages is ${maxMessages}; it takes a whole number of at least 1.`,
    )
  }
  return {
    add: (key, messages) => repository.append(key, messages),
    get: async (key) => windowOf(await repository.find(key), maxMessages),
    clear: (key) => repository.delete(key),
  }
}

/** The system messages, and the newest whole turns that fit. */
function windowOf(messages: readonly Message[], maxMessages: number): readonly Message[] {
  const conversation = messages.filter((message) => message.role !== 'system')
  const start = startOfWindow(conversation, maxMessages)
  return [...currentSystem(messages), ...conversation.slice(start)]
}

/** Adjacent system messages belong together. Later ones replace them, unless they are the same. */
function currentSystem(messages: readonly Message[]): readonly Message[] {
  const groups: SystemMessage[][] = []
  messages.forEach((message, index) => {
    if (message.role !== 'system') return
    if (messages[index - 1]?.role === 'system') groups.at(-1)!.push(message)
    else groups.push([message])
  })
  const isIn = (kept: readonly SystemMessage[], { content }: SystemMessage): boolean =>
    kept.some((message) => message.content === content)
  return groups.reduce<readonly SystemMessage[]>(
    (kept, group) => (group.every((message) => isIn(kept, message)) ? kept : group),
    [],
  )
}

function startOfWindow(messages: readonly Message[], maxMessages: number): number {
  if (messages.length <= maxMessages) return 0
  const earliest = messages.length - maxMessages
  const starts = turnStarts(messages)
  // The newest turn stays whole even if it alone is larger than the window.
  return starts.find((start) => start >= earliest) ?? starts.at(-1) ?? 0
}

/**
 * The positions where a conversation can be cut: before a user message that is not between a call and its
 * response. Concurrent runs may have written a question there.
 */
function turnStarts(messages: readonly Message[]): readonly number[] {
  const lastCallOf = new Map<string, number>()
  const starts: number[] = []
  messages.forEach((message, index) => {
    if (message.role === 'user') starts.push(index)
    if (message.role !== 'assistant' && message.role !== 'tool') return
    // Runs that write side by side may have equal ids.
    const { runId = '' } = message
    for (const { id } of toolCallsOf(message)) lastCallOf.set(`${runId}\n${id}`, index)
    if (message.role !== 'tool') return
    for (const { id } of message.responses) {
      const key = `${runId}\n${id}`
      const calledAt = lastCallOf.get(key) ?? index
      while (starts.length > 0 && starts.at(-1)! > calledAt) starts.pop()
      lastCallOf.delete(key)
    }
  })
  return starts
}
