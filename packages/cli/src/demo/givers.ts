/** Tools that need nothing and give what another call needs: the time, or the value of a parameter. */
import type { Json, JsonObject, ToolDefinition } from 'toolwright'
import type { Choice } from './choose-tool.ts'
import type { Filled } from './fill-arguments.ts'
import { withValueAt } from './parameters.ts'
import { contentOf, parsed, type Answered } from './tell-results.ts'
import { wordsOf } from './words.ts'

const TIME = wordsOf('date time today now clock datetime')

/** Whether it says what time or day it is. */
export const tellsTime = (tool: ToolDefinition): boolean => {
  const words = wordsIfFree(tool)
  return TIME.some((word) => words.has(word))
}

/** The words of a tool that can be called without arguments. */
const wordsIfFree = ({ name, description, inputSchema }: ToolDefinition): ReadonlySet<string> =>
  new Set(inputSchema.required?.length ? [] : wordsOf(`${name} ${description}`))

/** Whom to ask before this choice can be called. */
export const giverFor = (
  tools: readonly ToolDefinition[],
  { filled }: Choice,
): ToolDefinition | undefined =>
  filled.needsNow
    ? tools.find(tellsTime)
    : filled.missing.map((path) => giverOf(tools, path)).find(Boolean)

function giverOf(
  tools: readonly ToolDefinition[],
  path: readonly string[],
): ToolDefinition | undefined {
  const wanted = wordsOf(path.at(-1)!).filter((word) => word !== 'id')
  return tools.find((tool) => {
    const words = wordsIfFree(tool)
    return wanted.length > 0 && wanted.every((word) => words.has(word))
  })
}

interface Given {
  readonly tools: readonly ToolDefinition[]
  readonly answered: readonly Answered[]
}

/** With the missing values that other tools gave. */
export function suppliedBy({ tools, answered }: Given, filled: Filled): Filled {
  return filled.missing.reduce((so, path) => {
    const giver = giverOf(tools, path)
    const given = answered.find(
      ({ call, response }) => call.name === giver?.name && !response.isError,
    )
    const value = given && valueOf(path.at(-1)!, parsed(contentOf(given.response)))
    if (value === undefined) return so
    const calls = so.calls.map((args) => withValueAt(args, path, value))
    return { ...so, calls, missing: so.missing.filter((other) => other !== path) }
  }, filled)
}

/** A result itself, or what it holds under a name. */
function valueOf(name: string, result: Json): Json | undefined {
  if (typeof result !== 'object' || result === null) return result
  const wanted = wordsOf(name).join()
  const fits = ([key]: readonly [string, Json]): boolean => wanted.endsWith(wordsOf(key).join())
  return Object.entries(result as JsonObject).find(fits)?.[1]
}
