/**
 * What a memory inside the loop does about other runs of its conversation, which write at the same time: it marks
 * calls and responses with their run, shows a run all of its own turn, and pairs what stands apart.
 */
import { canonicalJson } from '../internal/canonical-json.ts'
import { isPaired } from '../loop/history-builder.ts'
import type { InsideRequest } from '../loop/inside.ts'
import type { Message } from '../messages/message.ts'
import { runOf, toolCallsOf } from '../messages/reading.ts'
import { loadPairHistory } from '../on-demand.ts'

/** The same messages; calls and responses say which run they are of. */
export const markedWith = (runId: string, messages: readonly Message[]): readonly Message[] =>
  messages.map((message) => (isExchange(message) ? ({ runId, ...message } as Message) : message))

const isExchange = (message: Message): boolean =>
  message.role === 'tool' || toolCallsOf(message).length > 0

/** Every call with its response, as this run should see them. */
export async function pairedFor(
  runId: string,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  return isPaired(messages) ? messages : (await loadPairHistory()).pairHistory(messages, runId)
}

/**
 * What is remembered, with all that this run has said and got in its turn, last. Other runs may have pushed a part of
 * it out of the memory's window, and a model that does not see its call would call again; or they have written after
 * it, and a model that reads their answer at the end has nothing to answer.
 */
export function withOwnTurn(
  remembered: readonly Message[],
  { inside, runId }: InsideRequest,
): readonly Message[] {
  const messages = inside?.live.progress?.messages ?? []
  const spoke = messages.findLastIndex(({ role }) => role === 'user')
  // The newest is what the request brings.
  const turn = messages.slice(Math.max(spoke, 0), -1)
  if (turn.length === 0) return remembered
  const isOwn = (message: Message): boolean => runOf(message) === runId
  const asked = spoke < 0 ? undefined : messages[spoke]
  const askedAt = asked ? remembered.findLastIndex((message) => isSame(message, asked)) : -1
  const after = remembered.slice(askedAt + 1)
  const isLast = after.every(isOwn) && after.length >= turn.filter(isExchange).length
  if (isLast && askedAt >= 0) return remembered
  const others = remembered.filter((message) => !isOwn(message))
  return [...(asked ? withoutQuestion(others, asked) : others), ...markedWith(runId, turn)]
}

/** The question comes with the run's own turn. It stays where what follows would begin without the user. */
function withoutQuestion(others: readonly Message[], asked: Message): readonly Message[] {
  const at = others.findLastIndex((message) => isSame(message, asked))
  const first = others.findIndex(({ role }) => role !== 'system')
  const next = others[at + 1]
  return at < 0 || (at === first && next && next.role !== 'user') ? others : others.toSpliced(at, 1)
}

const isSame = (message: Message, asked: Message): boolean =>
  message.role === asked.role && canonicalJson(message) === canonicalJson(asked)
