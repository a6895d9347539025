/**
 * What the demo model does next, from the conversation alone: the calls its rules want and that were not
 * made yet, or else its answer. It keeps no state: the id of a call says which clause it was made for.
 */
import { textOf, toolCallsOf } from 'toolwright'
import type { JsonObject, Message, ToolCall, ToolDefinition } from 'toolwright'
import { toolChooser, type Choice, type ChooseTool } from './choose-tool.ts'
import { clausesOf } from './clauses.ts'
import { dateInWords, datesIn } from './dates.ts'
import { fillArguments, type Sentence } from './fill-arguments.ts'
import { completed } from './parameters.ts'
import {
  dateChoice,
  isToolSearch,
  nowFor,
  prerequisite,
  supplied,
  tellsTime,
} from './prerequisites.ts'
import { contentOf, parsed, tellResults, type Answered } from './tell-results.ts'

export interface Situation {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  /** Wall time, for when no tool tells it. */
  readonly clock: number
}

/** What is known while one user message is worked on. */
export interface Turn {
  readonly tools: readonly ToolDefinition[]
  readonly choose: ChooseTool
  readonly answered: readonly Answered[]
  readonly now: Sentence['now']
  /** What the user said before. */
  readonly earlier: string | undefined
  readonly id: string
}

type Step = string | readonly ToolCall[]

export async function nextStep({ messages, tools, clock }: Situation): Promise<Step> {
  const users = messages.flatMap((message, at) => (message.role === 'user' ? [at] : []))
  const [before, last] = [undefined, ...users].slice(-2) as [number | undefined, number?]
  const text = last === undefined ? '' : textOf(messages[last]!).trim()
  if (tools.length === 0)
    return 'I do not have access to any tools, and without one my rules know nothing about that.'
  const answered = last === undefined ? [] : answeredIn(messages.slice(last))
  const turn: Turn = {
    tools,
    choose: await toolChooser(tools.filter((tool) => !isToolSearch(tool))),
    answered,
    now: nowFor(answered, tools, clock),
    earlier: before === undefined ? undefined : textOf(messages[before]!),
    id: `demo_${last}`,
  }
  const clauses = await clausesOf({ text, now: turn.now }, turn.choose)
  const steps = await Promise.all(clauses.map((clause, at) => stepFor(turn, clause, at)))
  const calls = steps.flatMap((step) => (typeof step === 'string' ? [] : step))
  if (calls.length === 0) return [...new Set(steps)].join('\n')
  return calls.filter((call, at) => calls.findIndex((other) => same(other, call)) === at)
}

const same = (a: ToolCall, b: ToolCall): boolean => a.name === b.name && a.arguments === b.arguments

function answeredIn(messages: readonly Message[]): readonly Answered[] {
  const responses = messages.flatMap((message) =>
    message.role === 'tool' ? message.responses : [],
  )
  return messages.flatMap(toolCallsOf).flatMap((call) => {
    const response = responses.find(({ id }) => id === call.id)
    return response ? [{ call, response }] : []
  })
}

async function stepFor(turn: Turn, text: string, at: number): Promise<Step> {
  const sentence: Sentence = { text, now: turn.now }
  const prefix = `${turn.id}_${at}_`
  const callOf = (name: string, args: JsonObject, mark: string | number): ToolCall => ({
    type: 'tool-call',
    id: prefix + mark,
    name,
    arguments: JSON.stringify(args),
  })
  const made = turn.answered.filter(({ call }) =>
    new RegExp(`^${prefix}(?:\\d|again)`).test(call.id),
  )
  if (made.length > 0) {
    const again = corrected(turn, sentence, made)
    return again ? [callOf(made[0]!.call.name, again, 'again')] : tell(turn, sentence, made)
  }
  const choice =
    (await turn.choose(sentence)) ?? (await followUp(turn, sentence)) ?? dateChoice(turn, sentence)
  const before = prerequisite(turn, text, choice)
  if (before) return [callOf(before.name, before.args, 'first')]
  if (!choice)
    return `I have no tool for that. I can use: ${turn.tools.map(({ name }) => name).join(', ')}.`
  const { value, missing } = supplied(turn, choice)
  if (missing.length > 0)
    return `To use ${choice.definition.name} I need to know ${missing.map((path) => path.join('.')).join(', ')}. Please tell me.`
  const calls = [value, ...choice.filled.calls.slice(1)].map((args, n) =>
    callOf(choice.definition.name, args, n),
  )
  const repeated = turn.answered.filter(({ call }) => calls.some((other) => same(other, call)))
  return repeated.length > 0 ? tell(turn, sentence, repeated) : calls
}

/** Arguments that avoid what the tool refused, if there are any; once. */
function corrected(
  turn: Turn,
  sentence: Sentence,
  made: readonly Answered[],
): JsonObject | undefined {
  const [failed] = made.filter(({ response }) => response.isError)
  const definition = turn.tools.find(({ name }) => name === failed?.call.name)
  if (!failed || !definition || made.some(({ call }) => call.id.endsWith('again'))) return
  const problem = contentOf(failed.response)
  const used = Object.entries(parsed(failed.call.arguments) as JsonObject)
  const refused = used.filter(([name]) => problem.includes(`$.${name}`)).map(([, value]) => value)
  const { calls, missing } = fillArguments(definition, { ...sentence, refused })
  if (refused.length > 0 && missing.length === 0) return calls[0]
}

/** "And in Paris?": the tool of the last question, with what is new. */
async function followUp(
  { earlier, choose }: Turn,
  sentence: Sentence,
): Promise<Choice | undefined> {
  const last = earlier === undefined ? undefined : await choose({ ...sentence, text: earlier })
  if (!last) return
  const { definition } = last
  const fresh = fillArguments(definition, sentence)
  if (fresh.count === 0) return
  const calls = fresh.calls.map((args) => ({ ...last.filled.calls[0], ...args }))
  const { missing } = completed(definition.inputSchema, calls[0]!)
  return { definition, filled: { ...fresh, calls, missing } }
}

/** The results, and what day is meant if the question was about one. */
function tell(turn: Turn, { text, now }: Sentence, made: readonly Answered[]): string {
  const [first] = made
  const asked = turn.tools.find(({ name }) => name === first?.call.name)
  const dates = asked && tellsTime(asked) && !first!.response.isError ? datesIn(text, now) : []
  if (dates.length === 0) return tellResults(made)
  return dates
    .map(({ text: said, date }) => `${said} is ${dateInWords(date, now.timezone)}.`)
    .join(' ')
    .replace(/^./, (letter) => letter.toUpperCase())
}
