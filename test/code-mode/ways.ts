/** The two ways to a tool: a model calls it, or a program does that the model wrote. Both make the same calls. */
import { codeMode, type CodeModeOptions } from '@toolwright/code-mode'
import type { Decisions, Json, ToolSource } from 'toolwright'
import type { ScriptedStep } from 'toolwright/testing'

export interface Asked {
  readonly name: string
  readonly input?: Json
}

/** Calls side by side; several of these, one after the other. */
export type Rounds = readonly (readonly Asked[])[]

export interface Way {
  readonly name: 'directly' | 'in a program'
  readonly script: (rounds: Rounds) => readonly ScriptedStep[]
  readonly offered: (tools: readonly ToolSource[]) => readonly ToolSource[]
  /** The id of the n-th call, from 0. */
  readonly id: (index: number) => string
}

/** What programs take for time and chance. */
const FIXED = { clock: { now: () => 1_700_000_000_000 }, random: { next: () => 0.5 } }

export const programs = (
  tools: readonly ToolSource[],
  options: Partial<CodeModeOptions> = {},
): ToolSource => codeMode({ tools, ...FIXED, ...options })

/** A model that runs this program, as call `p`. */
export const program = (
  code: string,
  id = 'p',
): { readonly toolCalls: readonly [object] } & ScriptedStep => ({
  toolCalls: [{ name: 'runProgram', id, arguments: { code } }],
})

const DIRECT: Way = {
  name: 'directly',
  script(rounds) {
    let made = 0
    const called = ({ name, input = {} }: Asked) => ({ name, id: `c${made++}`, arguments: input })
    return [...rounds.map((calls) => ({ toolCalls: calls.map(called) })), 'Done.']
  },
  offered: (tools) => tools,
  id: (index) => `c${index}`,
}

const NESTED: Way = {
  name: 'in a program',
  script: (rounds) => [program(codeOf(rounds)), 'Done.'],
  offered: (tools) => [programs(tools)],
  id: (index) => `p/${index}`,
}

export const WAYS: readonly [Way, Way] = [DIRECT, NESTED]

/** Gives `{ ok }` or `{ error, code }` for each call. */
const codeOf = (rounds: Rounds): string => `
  const told = []
  const settled = (call) => call.then(
    (value) => ({ ok: value === undefined ? 'Done' : value }),
    (error) => ({ error: error.message, code: error.code, isToolError: error instanceof ToolError, tool: error.tool }),
  )
  for (const calls of ${JSON.stringify(rounds)})
    told.push(...(await Promise.all(calls.map(({ name, input = {} }) => settled(callTool(name, input))))))
  return told
`

/** Decisions by the number of the call. */
export interface NumberedDecisions {
  readonly [index: number]: Decisions[string]
}

export const decisionsOf = (way: Way, numbered: NumberedDecisions): Decisions =>
  Object.fromEntries(Object.entries(numbered).map(([index, each]) => [way.id(Number(index)), each]))
