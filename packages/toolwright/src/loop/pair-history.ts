/**
 * Mends a history in which calls and responses do not pair. Loaded on demand: the history of a run that is alone
 * in its conversation always does. Runs that share a memory write side by side, so a response may stand
 * anywhere after its call; one pass finds them all.
 */
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolMessage,
  ToolResponse,
} from '../messages/message.ts'
import { runOf, toolCallsOf } from '../messages/reading.ts'
import { saysNothing } from './history-builder.ts'

const NO_RESULT = 'No result was recorded for this call.'
const NOT_OURS =
  'This call is of another request in this conversation. Its result is not there yet.'

/**
 * Rebuilds the pairs: unanswered calls get an error response, responses without a call are dropped. Of calls with
 * the same id the first keeps it, but those of the run `runId` always do.
 */
export function pairHistory(messages: readonly Message[], runId?: string): readonly Message[] {
  const answers = answersIn(messages)
  const isOurs = (message: Message): boolean => runId !== undefined && runOf(message) === runId
  const own = messages.filter(isOurs).flatMap((message) => toolCallsOf(message))
  const freeId = freeIds(own.map(({ id }) => id))
  return messages.flatMap((message, index) => {
    if (message.role === 'tool') return []
    if (message.role !== 'assistant') return [message]
    if (toolCallsOf(message).length === 0) return saysNothing(message) ? [] : [message]
    const isForeign = runId !== undefined && message.runId !== undefined && !isOurs(message)
    return pairTurn(message, answers[index]!, {
      idFor: isOurs(message) ? (id) => id : freeId,
      unanswered: isForeign ? NOT_OURS : NO_RESULT,
    })
  })
}

/** The responses to the calls of one message that have the same id: those there are, in the order of coming. */
interface SameIdCalls {
  readonly answers: (ToolResponse | undefined)[]
  /** Which of the answers are theirs. */
  readonly places: number[]
  answered: number
}

type Answers = readonly (ToolResponse | undefined)[]

/**
 * What answers the calls of each message, in call order: the first response after it that has the id and is of the
 * same run, as far as both say. Once an id comes again, a response is to the later call.
 */
function answersIn(messages: readonly Message[]): readonly Answers[] {
  const open = new Map<string, SameIdCalls>()
  return messages.map((message): Answers => {
    const run = runOf(message)
    const answers: (ToolResponse | undefined)[] = []
    const here = new Map<string, SameIdCalls>()
    for (const [place, { id }] of toolCallsOf(message).entries()) {
      const calls = here.get(id) ?? { answers, places: [], answered: 0 }
      calls.places.push(place)
      here.set(id, calls)
      open.set(keyOf(run, id), calls)
      open.set(anyRun(id), calls)
    }
    for (const response of message.role === 'tool' ? message.responses : []) {
      const { id } = response
      const other = run === undefined ? anyRun(id) : keyOf(undefined, id)
      const calls = open.get(keyOf(run, id)) ?? open.get(other)
      const place = calls?.places[calls.answered++]
      if (place !== undefined) calls!.answers[place] = response
    }
    return answers
  })
}

const keyOf = (run: string | undefined, id: string): string => `run ${run ?? ''}\n${id}`
const anyRun = (id: string): string => `any\n${id}`

interface Pairing {
  idFor(id: string): string
  /** What is said of a call without a response. */
  readonly unanswered: string
}

function pairTurn(
  message: AssistantMessage,
  found: Answers,
  { idFor, unanswered }: Pairing,
): readonly Message[] {
  const responses: ToolResponse[] = []
  const parts = (message.content as readonly AssistantPart[]).map((part) => {
    if (part.type !== 'tool-call') return part
    const id = idFor(part.id)
    const { name } = part
    const answer = found[responses.length] ?? { id, name, content: unanswered, isError: true }
    responses.push(answer.id === id && answer.name === name ? answer : { ...answer, id, name })
    return id === part.id ? part : { ...part, id }
  })
  const changed = parts.some((part, index) => part !== message.content[index])
  const { runId } = message
  const toolMessage: ToolMessage = {
    ...(runId !== undefined && { runId }),
    role: 'tool',
    responses,
  }
  return [changed ? { ...message, content: parts } : message, toolMessage]
}

/** Gives each id, or the first free one derived from it: the same history always gets the same ids. */
function freeIds(reserved: readonly string[]): (id: string) => string {
  const taken = new Set(reserved)
  /** How often an id has come: looking for a free one goes on where it ended. */
  const times = new Map<string, number>()
  return (id) => {
    const base = id === '' ? 'call' : id
    let n = times.get(base) ?? (id === '' ? 0 : 1)
    let free = n === 0 ? 'call_1' : base
    for (; taken.has(free); free = `${base}_${n}`) n++
    times.set(base, Math.max(n, 1))
    taken.add(free)
    return free
  }
}
