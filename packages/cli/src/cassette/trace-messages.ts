/** The conversation of a trace file: what the model got last, and what it answered. */
import { TraceError, readTrace, type Trace, type TraceRun } from 'toolwright/trace'
import type { Message } from 'toolwright'
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
  const { runs } = run === undefined ? trace : pickRun(trace, run)
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

function messagesOfRun({ legs }: TraceRun): readonly Message[] {
  const exchanges = legs.flatMap(({ rounds }) => rounds.flatMap((round) => round.exchanges))
  const { messages = [], answer } = exchanges.at(-1) ?? {}
  const [generation] = Array.isArray(answer) ? answer : []
  const { message } = Object(generation) as { readonly message?: Message }
  return [...(messages as unknown as readonly Message[]), ...(message ? [message] : [])]
}

const isBegunBy = (whole: readonly Message[], part: readonly Message[]): boolean =>
  part.every((message, at) => JSON.stringify(message) === JSON.stringify(whole[at]))
