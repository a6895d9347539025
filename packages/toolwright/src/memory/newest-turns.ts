/** The newest whole turns of a conversation that fit, after its system messages. */
import type { Message } from '../messages/message.ts'
import type { ConversationTail } from './chat-memory.ts'
import { currentSystem } from './system-groups.ts'
import { turnStarts } from './turn-starts.ts'

/**
 * The first of these messages from which on all fit; beyond the end if not even the newest does, below 0 if more
 * than these would. System messages are not among them.
 */
export type FirstThatFits = (messages: readonly Message[], system: readonly Message[]) => number

/** Nothing, if what these are must be read further back. */
export function newestTurns(
  { messages, skipped, system }: ConversationTail,
  firstThatFits: FirstThatFits,
): readonly Message[] | undefined {
  const said = messages.filter(({ role }) => role !== 'system')
  const current = currentSystem(system)
  const total = skipped + messages.length - system.flat().length
  const isWhole = said.length === total
  const first = firstThatFits(said, current)
  // A conversation that fits as a whole need not begin with a turn.
  if (first < 0 || (first === 0 && isWhole)) return isWhole ? [...current, ...said] : undefined
  const { starts, unpaired } = turnStarts(said)
  // The newest turn stays whole even if it alone does not fit.
  const start = starts.find((each) => each >= first) ?? starts.at(-1) ?? -1
  if (!isWhole && start <= unpaired) return undefined
  return [...current, ...said.slice(Math.max(start, 0))]
}
