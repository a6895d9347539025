/** The conversation of a trace file: what the model got last, and what came of it. */
import { TraceError, readTrace, type Trace, type TraceRound, type TraceRun } from 'toolwright/trace'
import {
  toolCallsOf,
  type AssistantMessage,
  type Json,
  type Message,
  type ToolResponse,
} from 'toolwright'
import { CommandError } from '../command/command-error.ts'
import { listOfIds, pickRun } from '../trace/pick-run.ts'

export interface NamedFile {
  readonly file: string
  /** Of a trace: the id of one of its runs, or the beginning of it. */
  readonly run?: string | undefined
}

/** Undefined if the text is no trace. */
export function messagesOfTrace(
  text: string,
  { file, run }: NamedFile,
): readonly Message[] | undefined {
  const trace = traceIn(text, file)
  if (!trace) return undefined
  const without = (what: string): CommandError =>
    new CommandError(
      `${what} without content. Write it with traceFile(path, { content: true }), and give that.`,
    )
  if (!trace.content) throw without(`${file} is a trace`)
  const chosen = run === undefined ? trace : pickRun(trace, run)
  const runs = chosen.runs.filter(askedItsModel)
  const conversations = runs.map(messagesOfRun)
  if (runs.length > 0 && conversations.every(({ length }) => length === 0))
    throw without(`What was chosen of ${file} was written`)
  const whole = conversations.at(-1) ?? []
  // A conversation that was remembered holds the runs before it.
  if (!conversations.every((messages) => isBegunBy(whole, messages)))
    throw new CommandError(
      `${file} holds ${runs.length} runs that do not go on from one another: ${listOfIds(runs)}. Choose one with --run <id>.`,
    )
  return whole
}

function traceIn(text: string, file: string): Trace | undefined {
  try {
    return readTrace(text)
  } catch (error) {
    if (!(error instanceof TraceError)) throw error
    if (error.code !== 'trace-version') return undefined
    throw new CommandError(`${file}: ${error.message}`)
  }
}

/** A run that failed before, such as a resume that is refused, is no part of the conversation. */
const askedItsModel = ({ legs }: TraceRun): boolean =>
  legs.some(({ rounds }) => rounds.some(({ exchanges }) => exchanges.length > 0))

function messagesOfRun({ legs }: TraceRun): readonly Message[] {
  const rounds = legs.flatMap((leg) => leg.rounds)
  const { messages = [], answer } = rounds.flatMap(({ exchanges }) => exchanges).at(-1) ?? {}
  const said = messagesIn(answer).slice(0, 1)
  const last = legs.at(-1)!
  // The model was not asked about the results of its last calls: they are the answer.
  const direct = last.finishReason === 'return-direct' && said[0]
  return [
    ...(messages as unknown as readonly Message[]),
    ...said,
    ...(direct ? [resultsOf(direct, rounds), ...messagesIn(last.answer)] : []),
  ]
}

const messagesIn = (answer: Json | undefined): readonly AssistantMessage[] =>
  (Array.isArray(answer) ? answer : []).flatMap((generation) => {
    const { message } = Object(generation) as { readonly message?: AssistantMessage }
    return message ? [message] : []
  })

/** A call that waited for a decision stands in two rounds, and the later one has its result. */
function resultsOf(message: AssistantMessage, rounds: readonly TraceRound[]): Message {
  const results = new Map(
    rounds.flatMap(({ calls }) => calls.map((call) => [call.id, call.result])),
  )
  const responses = toolCallsOf(message).map(({ id, name }) => ({
    id,
    name,
    content: results.get(id),
  }))
  return { role: 'tool', responses: responses as readonly ToolResponse[] }
}

const isBegunBy = (whole: readonly Message[], part: readonly Message[]): boolean =>
  part.every((message, at) => JSON.stringify(message) === JSON.stringify(whole[at]))
