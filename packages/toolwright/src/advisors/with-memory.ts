/** A request's messages and what was remembered before them, as one conversation in which nothing stands twice. */
import { canonicalJson } from '../internal/canonical-json.ts'
import type { Message } from '../messages/message.ts'
import { runOf } from '../messages/reading.ts'

/** What a request adds to its conversation: everything after the last answer, but for system messages. */
export function newMessages(messages: readonly Message[]): readonly Message[] {
  const answered = messages.findLastIndex((message) => message.role === 'assistant')
  return messages.slice(answered + 1).filter(isSaid)
}

/** System first, then what was, then what is. The request's system messages take the place of remembered ones. */
export function withMemory(
  remembered: readonly Message[],
  messages: readonly Message[],
): readonly Message[] {
  const system = messages.filter(isSystem)
  const rest = messages.filter(isSaid)
  const earlier = remembered.filter(isSaid)
  // New messages were not stored before, even if they repeat the words of an earlier one.
  const known = rest.slice(0, rest.length - newMessages(messages).length)
  return [
    ...(system.length > 0 ? system : remembered.filter(isSystem)),
    ...earlier.slice(0, beginOfShared(earlier, known)),
    ...rest,
  ]
}

const isSystem = (message: Message): boolean => message.role === 'system'
const isSaid = (message: Message): boolean => !isSystem(message)

/** From where on the remembered messages stand in the request too: all of them, or their newest turns. */
function beginOfShared(earlier: readonly Message[], known: readonly Message[]): number {
  if (known.length === 0) return earlier.length
  const there = known.map(textOfMessage)
  const texts = earlier.map(textOfMessage)
  const begin = earlier.findIndex(
    ({ role }, index) => (index === 0 || role === 'user') && holdsRun(there, texts.slice(index)),
  )
  return begin < 0 ? earlier.length : begin
}

/** As it was said: a memory has marked it with its run, and with what that had read. */
const textOfMessage = (message: Message): string =>
  canonicalJson(
    runOf(message) === undefined && !('mark' in message)
      ? message
      : { ...message, runId: undefined, mark: undefined },
  )

const holdsRun = (texts: readonly string[], run: readonly string[]): boolean =>
  texts.some((_text, start) => run.every((text, index) => texts[start + index] === text))
