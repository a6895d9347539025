/** Where a conversation can be cut. */
import type { Message } from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'

export interface TurnStarts {
  /**
   * Before a user message that is not between a call and its response. Concurrent runs may have written a
   * question there.
   */
  readonly starts: readonly number[]
  /**
   * The newest response whose call is not among the messages, or -1. Of the end of a conversation, only the starts
   * after it are certain: a call in the part that was not read may stand before the others.
   */
  readonly unpaired: number
}

/** Of messages without system messages. */
export function turnStarts(messages: readonly Message[]): TurnStarts {
  const lastCallOf = new Map<string, number | undefined>()
  const starts: number[] = []
  let unpaired = -1
  messages.forEach((message, index) => {
    if (message.role === 'user') starts.push(index)
    if (message.role !== 'assistant' && message.role !== 'tool') return
    // Runs that write side by side may have equal ids.
    const { runId = '' } = message
    for (const { id } of toolCallsOf(message)) lastCallOf.set(`${runId}\n${id}`, index)
    if (message.role !== 'tool') return
    for (const { id } of message.responses) {
      const key = `${runId}\n${id}`
      if (!lastCallOf.has(key)) unpaired = index
      const calledAt = lastCallOf.get(key) ?? index
      while (starts.length > 0 && starts.at(-1)! > calledAt) starts.pop()
      // Kept as answered: a second response to the call says nothing about what was not read.
      lastCallOf.set(key, undefined)
    }
  })
  return { starts, unpaired }
}
