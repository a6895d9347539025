/** What the agent tests share: a model that answers with solutions, and a registry of the test's own. */
import {
  runAgent,
  agentRegistry,
  type AgentConfig,
  type AgentMessage,
  type AgentRegistry,
  type AgentResult,
  type Call,
  type OutputOf,
  type OutputSource,
} from 'toolwright/agent'
import { textOf, type ChatEvent, type Json, type Prompt } from 'toolwright'
import {
  manualClock,
  scriptedModel,
  type ScriptedModel,
  type ScriptedStep,
} from 'toolwright/testing'
import { countingIds } from '../../../packages/toolwright/src/testing/counting-ids.ts'

/** One answer of the model, or a function of what it was asked. */
export type Answer =
  | {
      readonly calls?: readonly Call[]
      readonly output?: Json
      readonly meta?: { readonly [field: string]: Json }
    }
  | string
  | ((prompt: Prompt) => Answer)

export function stepOf(answer: Answer): ScriptedStep {
  if (typeof answer === 'function') return (prompt) => stepOf(answer(prompt)) as string
  if (typeof answer === 'string') return answer
  const { calls = [], output = null, meta = {} } = answer
  return JSON.stringify({ meta, calls, output })
}

/** A model that is held to a schema natively, unless said otherwise. */
export const answering = (...answers: readonly Answer[]): ScriptedModel =>
  scriptedModel(answers.map(stepOf), { capabilities: { structuredOutput: true } })

export const SUMMARY = {
  type: 'object',
  properties: { summary: { type: 'string' } },
  required: ['summary'],
} as const

export interface Played<Output> {
  readonly result: AgentResult<Output>
  readonly model: ScriptedModel
  readonly events: readonly ChatEvent[]
  /** What the model read in each turn, one text per turn. */
  readonly read: readonly string[]
}

export interface Play<Output extends OutputSource> extends Omit<AgentConfig, 'model'> {
  readonly answers: readonly Answer[]
  readonly output: Output
  readonly context: readonly AgentMessage[]
}

export async function play<const Output extends OutputSource>(
  options: Play<Output>,
): Promise<Played<OutputOf<Output>>> {
  const { answers, output, context, ...config } = options
  const model = answering(...answers)
  const events: ChatEvent[] = []
  const result = await runAgent(
    {
      clock: manualClock(),
      ids: countingIds(),
      registry: agentRegistry(),
      model,
      onEvent: (event) => events.push(event),
      ...config,
    },
    output,
    context,
  )
  return { result, model, events, read: model.prompts.map(textRead) }
}

export const textRead = ({ messages }: Prompt): string => messages.map(textOf).join('\n\n')

export function registryWith(activities: {
  readonly [name: string]: Parameters<AgentRegistry['activity']>[1]
}): AgentRegistry {
  const registry = agentRegistry()
  for (const [name, run] of Object.entries(activities)) registry.activity(name, run)
  return registry
}

/** Data messages that calls appended, without when and by which call. */
export const appended = ({ messages }: AgentResult): readonly object[] =>
  messages.flatMap((message) => {
    if (!('_date' in message)) return []
    const {
      _date,
      _call,
      description: _description,
      ...rest
    } = message as { readonly [key: string]: unknown }
    return [rest]
  })

export const noticesOf = (events: readonly ChatEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.code] : []))
