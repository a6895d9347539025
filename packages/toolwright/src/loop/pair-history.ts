/** Mends a history in which calls and responses do not pair. Loaded on demand: a run's own history always does. */
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolMessage,
  ToolResponse,
} from '../messages/message.ts'
import { toolCallsOf } from '../messages/reading.ts'
import { saysNothing } from './history-builder.ts'

const NO_RESULT = 'No result was recorded for this call.'

/** Rebuilds the pairs: unanswered calls get an error response, responses without a call are dropped. */
export function pairHistory(messages: readonly Message[]): readonly Message[] {
  const paired: Message[] = []
  const taken = new Set<string>()
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!
    if (message.role === 'tool') continue
    if (message.role !== 'assistant' || toolCallsOf(message).length === 0) {
      if (message.role !== 'assistant' || !saysNothing(message)) paired.push(message)
      continue
    }
    const responses = responsesAfter(messages, at)
    paired.push(...pairTurn(message, responses, taken))
  }
  return paired
}

/** What answers this assistant message: the tool messages up to the next assistant message, wherever they slipped to. */
function responsesAfter(messages: readonly Message[], at: number): ToolResponse[] {
  const responses: ToolResponse[] = []
  for (let next = at + 1; next < messages.length && messages[next]!.role !== 'assistant'; next++) {
    const message = messages[next]!
    if (message.role === 'tool') responses.push(...message.responses)
  }
  return responses
}

function pairTurn(
  message: AssistantMessage,
  responses: ToolResponse[],
  taken: Set<string>,
): readonly Message[] {
  const answers: ToolResponse[] = []
  const parts = (message.content as readonly AssistantPart[]).map((part) => {
    if (part.type !== 'tool-call') return part
    const id = freeId(part.id, taken)
    const index = responses.findIndex((response) => response.id === part.id)
    const [found] = index >= 0 ? responses.splice(index, 1) : []
    const answer = found ?? { id, name: part.name, content: NO_RESULT, isError: true }
    answers.push(
      answer.id === id && answer.name === part.name ? answer : { ...answer, id, name: part.name },
    )
    return id === part.id ? part : { ...part, id }
  })
  const changed = parts.some((part, index) => part !== message.content[index])
  const toolMessage: ToolMessage = { role: 'tool', responses: answers }
  return [changed ? { ...message, content: parts } : message, toolMessage]
}

/** The id itself, or the first free one derived from it: the same history always gets the same ids. */
function freeId(id: string, taken: Set<string>): string {
  const base = id === '' ? 'call' : id
  let free = id === '' ? 'call_1' : id
  for (let n = 2; taken.has(free); n++) free = `${base}_${n}`
  taken.add(free)
  return free
}
