/** The tools that a playground is given, in the one form that its rooms know. */
import type { ToolCallback } from 'toolwright'
import type { PlaygroundTools } from '../playground-options.ts'

const SOURCE = 'this program'

/** A list stays as it is. */
export function givenTools(tools: readonly ToolCallback[] | PlaygroundTools): PlaygroundTools {
  if (!isList(tools)) return tools
  return {
    sources: [SOURCE],
    list: async () => tools.map((callback) => ({ callback, source: SOURCE })),
    runSources: () => tools,
    problem: undefined,
    quarantined: [],
    onChange: () => () => {},
  }
}

const isList = (
  tools: readonly ToolCallback[] | PlaygroundTools,
): tools is readonly ToolCallback[] => Array.isArray(tools)
