/** What must be asked before a call can be made: the time, a value that another tool gives, the tools themselves. */
import type { Json, JsonObject, ToolDefinition } from 'toolwright'
import type { Choice } from './choose-tool.ts'
import { datesIn, readNow } from './dates.ts'
import type { Sentence } from './fill-arguments.ts'
import type { Turn } from './next-step.ts'
import { completed, withValueAt, type Completed } from './parameters.ts'
import { contentOf, parsed, type Answered } from './tell-results.ts'
import { wordsOf } from './words.ts'

const needsNothing = ({ inputSchema }: ToolDefinition): boolean => !inputSchema.required?.length

const wordsOfTool = ({ name, description }: ToolDefinition): ReadonlySet<string> =>
  new Set(wordsOf(`${name} ${description}`))

const TIME_WORDS = wordsOf('date time today now clock datetime')

/** A tool without required parameters that tells what time or day it is. */
export function tellsTime(tool: ToolDefinition): boolean {
  const words = wordsOfTool(tool)
  return needsNothing(tool) && TIME_WORDS.some((word) => words.has(word))
}

/** The tool of the tool-search advisor: it makes others available. */
export const isToolSearch = ({ name }: ToolDefinition): boolean =>
  /tool_?search|search_?tools/i.test(name)

/** What time it is: as a tool told it, else by the clock. */
export function nowFor(
  answered: readonly Answered[],
  tools: readonly ToolDefinition[],
  clock: number,
): Sentence['now'] {
  const told = answered.find(
    ({ call, response }) =>
      !response.isError && tools.some((tool) => tool.name === call.name && tellsTime(tool)),
  )
  const now = told && readNow(contentOf(told.response), clock)
  return now ?? { instant: new Date(clock), timezone: -new Date(clock).getTimezoneOffset() }
}

/** A question about a day, when no tool fits better: whoever tells the time can tell it. */
export function dateChoice({ tools }: Turn, { text, now }: Sentence): Choice | undefined {
  const definition = tools.find(tellsTime)
  if (!definition || !datesIn(text, now).some(({ relative }) => relative)) return
  return { definition, filled: { calls: [{}], missing: [], count: 0, needsNow: false } }
}

interface Wanted {
  readonly name: string
  readonly args: JsonObject
}

export function prerequisite(
  turn: Turn,
  text: string,
  choice: Choice | undefined,
): Wanted | undefined {
  const search = turn.tools.find(isToolSearch)
  const candidates: readonly (Wanted | undefined)[] = choice
    ? [
        choice.filled.needsNow ? callOf(turn.tools.find(tellsTime)) : undefined,
        ...choice.filled.missing.map((path) => callOf(giverOf(turn, path))),
      ]
    : [search && { name: search.name, args: { queries: [text] } }]
  return candidates.find(
    (wanted) => wanted && !turn.answered.some(({ call }) => call.name === wanted.name),
  )
}

const callOf = (tool: ToolDefinition | undefined): Wanted | undefined =>
  tool && { name: tool.name, args: {} }

/** The tool without parameters that speaks of this one. */
function giverOf({ tools }: Turn, path: readonly string[]): ToolDefinition | undefined {
  const wanted = wordsOf(path.at(-1)!).filter((word) => word !== 'id')
  return tools.find((tool) => {
    const words = wordsOfTool(tool)
    return needsNothing(tool) && wanted.length > 0 && wanted.every((word) => words.has(word))
  })
}

/** The arguments with what other tools gave. */
export function supplied(turn: Turn, { definition, filled }: Choice): Completed {
  let args = filled.calls[0]!
  for (const path of filled.missing) {
    const giver = giverOf(turn, path)
    const given = turn.answered.find(
      ({ call, response }) => call.name === giver?.name && !response.isError,
    )
    const value = given && valueFor(path.at(-1)!, parsed(contentOf(given.response)))
    if (value !== undefined) args = withValueAt(args, path, value)
  }
  return completed(definition.inputSchema, args)
}

function valueFor(name: string, result: Json): Json | undefined {
  if (typeof result !== 'object' || result === null) return result
  const wanted = wordsOf(name).join()
  const entries = Object.entries(result as JsonObject)
  const named = (words: (key: string) => boolean): Json | undefined =>
    entries.find(([key]) => words(key))?.[1]
  return (
    named((key) => wordsOf(key).join() === wanted) ??
    named((key) => wanted.endsWith(wordsOf(key).join()))
  )
}
