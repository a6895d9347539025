/**
 * What the demo model does next, from the conversation alone: the calls its rules want and that were not
 * made yet, or else its answer. It keeps no state: the id of a call says which clause it was made for.
 */
import { textOf, toolCallsOf } from 'toolwright'
import type { JsonObject, Message, ToolCall, ToolDefinition } from 'toolwright'
import type { Sentence } from './candidates.ts'
import { clausesOf, toolChooser, type Choice, type ChooseTool } from './choose-tool.ts'
import { dateInWords, datesIn, readNow, type Now } from './dates.ts'
import { fillArguments } from './fill-arguments.ts'
import { giverFor, suppliedBy, tellsTime } from './givers.ts'
import { contentOf, parsed, tellResults, type Answered } from './tell-results.ts'

export interface Situation {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  /** What time it is when no tool tells. */
  readonly now: Now
}

/** What is known while one message of the user is worked on. */
interface Turn extends Situation {
  readonly choose: ChooseTool
  /** The calls of this turn so far. */
  readonly answered: readonly Answered[]
  /** What the user said before. */
  readonly earlier: string | undefined
  readonly id: string
}

/** What comes after is no wish that rules can read. */
const LONGEST = 1_000

type Step = string | readonly ToolCall[]

export async function nextStep({ messages, tools, now }: Situation): Promise<Step> {
  if (tools.length === 0)
    return 'I do not have access to any tools, and without one my rules know nothing about that.'
  const [last, before] = messages.filter(({ role }) => role === 'user').reverse()
  const at = last ? messages.indexOf(last) : messages.length
  const answered = answeredIn(messages.slice(at))
  const told = answered.find(({ call }) =>
    tools.some((tool) => tool.name === call.name && tellsTime(tool)),
  )
  const choose = await toolChooser(tools.filter((tool) => !isToolSearch(tool)))
  const turn: Turn = {
    messages,
    tools,
    now: (told && readNow(contentOf(told.response), now)) ?? now,
    choose,
    answered,
    earlier: before && textOf(before),
    id: `demo_${at}`,
  }
  const text = last ? textOf(last).trim().slice(0, LONGEST) : ''
  const clauses = await clausesOf({ text, now: turn.now }, choose)
  const steps = await Promise.all(clauses.map((clause, number) => stepFor(turn, clause, number)))
  const calls = steps.flatMap((step) => (typeof step === 'string' ? [] : step))
  if (calls.length === 0) return [...new Set(steps)].join('\n')
  return calls.filter((call, place) => calls.findIndex((other) => same(other, call)) === place)
}

/** The tool of the tool-search advisor: it makes others available. */
const isToolSearch = ({ name }: ToolDefinition): boolean => /tool_?search/i.test(name)

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

async function stepFor(turn: Turn, text: string, clause: number): Promise<Step> {
  const sentence: Sentence = { text, now: turn.now }
  const id = `${turn.id}_${clause}_`
  const callOf = (name: string, args: JsonObject, mark: string | number): ToolCall =>
    ({ type: 'tool-call', id: id + mark, name, arguments: JSON.stringify(args) }) // prettier-ignore
  const made = turn.answered.filter(
    ({ call }) => call.id.startsWith(id) && call.id !== `${id}first`,
  )
  if (made.length > 0) {
    const again = corrected(turn, sentence, made)
    return again ? [callOf(made[0]!.call.name, again, 'again')] : tell(turn, sentence, made)
  }
  const choice =
    (await turn.choose(sentence)) ??
    (await followUp(turn, sentence)) ??
    dateQuestion(turn, sentence)
  const asked = (name: string): boolean => turn.answered.some(({ call }) => call.name === name)
  const search = turn.tools.find(isToolSearch)
  if (!choice && search && !asked(search.name))
    return [callOf(search.name, { queries: [text] }, 'first')]
  if (!choice)
    return `I have no tool for that. I can use: ${turn.tools.map(({ name }) => name).join(', ')}.`
  const giver = giverFor(turn.tools, choice)
  if (giver && !asked(giver.name)) return [callOf(giver.name, {}, 'first')]
  const { name } = choice.definition
  const { calls: wanted, missing } = suppliedBy(turn, choice.filled)
  if (missing.length > 0)
    return `To use ${name} I need to know: ${missing.map((path) => path.join('.')).join(', ')}.`
  const calls = wanted.map((args, number) => callOf(name, args, number))
  const before = turn.answered.filter(({ call }) => calls.some((other) => same(other, call)))
  return before.length > 0 ? tell(turn, sentence, before) : calls
}

/** Arguments without what the tool refused, if the sentence has others; once. */
function corrected(
  turn: Turn,
  sentence: Sentence,
  made: readonly Answered[],
): JsonObject | undefined {
  const failed = made.find(({ response }) => response.isError)
  const definition = turn.tools.find(({ name }) => name === failed?.call.name)
  if (!failed || !definition || made.some(({ call }) => call.id.endsWith('again'))) return undefined
  const used = Object.entries(parsed(failed.call.arguments) as JsonObject)
  const problem = contentOf(failed.response)
  const refused = used.filter(([name]) => problem.includes(`$.${name}`)).map(([, value]) => value)
  const { calls, missing } = fillArguments(definition, sentence, refused)
  return refused.length > 0 && missing.length === 0 ? calls[0] : undefined
}

/** "And in Paris?": the tool of the last question, with what is new. */
async function followUp(
  { earlier, choose }: Turn,
  sentence: Sentence,
): Promise<Choice | undefined> {
  const last = earlier ? await choose({ ...sentence, text: earlier }) : undefined
  const fresh = last && fillArguments(last.definition, sentence)
  if (!fresh || fresh.count === 0) return undefined
  const calls = fresh.calls.map((args) => ({ ...last.filled.calls[0], ...args }))
  const missing = fresh.missing.filter(([name]) => !Object.hasOwn(calls[0]!, name!))
  return { definition: last.definition, filled: { ...fresh, calls, missing } }
}

/** A question about a day, when no tool fits better: whoever tells the time can tell it. */
function dateQuestion({ tools }: Turn, { text, now }: Sentence): Choice | undefined {
  const definition = tools.find(tellsTime)
  if (!definition || !datesIn(text, now).some(({ relative }) => relative)) return undefined
  return { definition, filled: { calls: [{}], missing: [], count: 0, needsNow: false } }
}

/** The results; of a tool that tells the time, the days that were asked about. */
function tell({ tools }: Turn, { text, now }: Sentence, made: readonly Answered[]): string {
  const [{ call, response }] = made as [Answered]
  const isTime =
    !response.isError && tools.some((tool) => tool.name === call.name && tellsTime(tool))
  const dates = isTime ? datesIn(text, now) : []
  const lines = dates.map(
    ({ text: said, date }) =>
      `${said[0]!.toUpperCase()}${said.slice(1)} is ${dateInWords(date, now)}.`,
  )
  return lines.join(' ') || tellResults(made)
}
