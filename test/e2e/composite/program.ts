/** A composite tool that is written by hand: it makes the calls it is asked for, keeps their outcomes and waits. */
import {
  tool,
  toolRunOf,
  type Json,
  type NestedOutcome,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import type { ScriptedCall } from 'toolwright/testing'

export interface Asked {
  readonly name: string
  readonly input?: { readonly [key: string]: Json }
}

interface Kept {
  readonly [index: string]: NestedOutcome
}

const CALLS = {
  type: 'object',
  properties: {
    calls: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, input: { type: 'object' } },
        required: ['name'],
      },
    },
  },
  required: ['calls'],
} as const

/** Makes all calls at once. When all have settled it gives their outcomes; while some wait it is suspended. */
export const fanOut = (tools: readonly ToolSource[], name = 'program'): ToolCallback =>
  tool({
    name,
    input: CALLS,
    composite: { tools },
    async execute({ calls }, context) {
      const run = toolRunOf(context)
      const kept = (run.journal ?? {}) as unknown as Kept
      const outcomes = await Promise.all(
        (calls as unknown as readonly Asked[]).map(
          ({ name: called, input = {} }, index) =>
            kept[index] ?? run.call({ index, name: called, arguments: input, line: index + 1 }),
        ),
      )
      const settled = outcomes.map((outcome, index) => [index, outcome] as const)
      const done = Object.fromEntries(settled.filter(([, outcome]) => !('pending' in outcome)))
      if (Object.keys(done).length < outcomes.length) run.suspend(done as unknown as Json)
      return outcomes.map(toldOf)
    },
  }) as ToolCallback

/** What a reader of a test wants to see of an outcome. */
export function toldOf(outcome: NestedOutcome): Json {
  if ('pending' in outcome) return 'pending'
  if (!outcome.ok) return `${outcome.code}: ${outcome.message}`
  return outcome.json === undefined ? 'nothing' : (JSON.parse(outcome.json) as Json)
}

interface Asking {
  readonly toolCalls: readonly [ScriptedCall]
}

/** A model that asks the program, as call `p`, for these calls. */
export const asks = (...calls: readonly (Asked | string)[]): Asking => ({
  toolCalls: [
    {
      name: 'program',
      id: 'p',
      arguments: {
        calls: calls.map((call) => (typeof call === 'string' ? { name: call } : call)) as never,
      },
    },
  ],
})
