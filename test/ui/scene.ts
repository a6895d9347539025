/**
 * One conversation with everything that a page can meet: reasoning, text, a tool with progress, one that throws, two
 * payments that need approval, a tool of the page, and an answer.
 */
import {
  ChatClient,
  inMemoryRunStore,
  tool,
  type ChatClientOptions,
  type RunStore,
} from 'toolwright'
import { scriptedModel, type ScriptedModel, type ScriptedStep } from 'toolwright/testing'
import { z } from 'zod'

export interface Scene {
  readonly client: ChatClient
  readonly model: ScriptedModel
  readonly runStore: Required<RunStore>
  /** What was paid. */
  readonly paid: readonly number[]
}

export const OPENING: ScriptedStep = {
  parts: [
    { type: 'reasoning', text: 'The user wants it all.', providerData: { signature: 'sealed' } },
    { type: 'text', text: 'I look at it.' },
    { type: 'tool-call', id: 'w1', name: 'weather', arguments: '{"city":"Oslo"}' },
    { type: 'tool-call', id: 'b1', name: 'boom', arguments: '{}' },
    { type: 'tool-call', id: 'p1', name: 'pay', arguments: '{"amount":5}' },
    { type: 'tool-call', id: 'p2', name: 'pay', arguments: '{"amount":900}' },
    { type: 'tool-call', id: 'c1', name: 'pick', arguments: '{}' },
  ],
  usage: { inputTokens: 10, outputTokens: 5 },
}
export const ENDING: ScriptedStep = {
  text: 'All is done.',
  usage: { inputTokens: 20, outputTokens: 3 },
}

export function scene(
  steps: readonly ScriptedStep[] = [OPENING, ENDING],
  options: ChatClientOptions = {},
): Scene {
  const paid: number[] = []
  const runStore = inMemoryRunStore()
  const model = scriptedModel(steps)
  const client = ChatClient.create(model, { tools: toolsOf(paid), runStore, ...options })
  return { client, model, runStore, paid }
}

function toolsOf(paid: number[]) {
  return [
    tool({
      name: 'weather',
      input: z.object({ city: z.string() }),
      async *execute() {
        yield { asked: 'the station' }
        return { degrees: 3 }
      },
    }),
    tool({
      name: 'boom',
      execute() {
        throw new Error('The password is hunter2.')
      },
    }),
    tool({
      name: 'pay',
      input: z.object({ amount: z.number() }),
      approval: true,
      preview: ({ amount }) => ({ says: `pays ${amount}` }),
      execute({ amount }) {
        paid.push(amount)
        return { paid: amount }
      },
    }),
    tool({ name: 'pick', description: 'Lets the user pick a colour' }),
    tool({
      name: 'book',
      execute: (_input: unknown, context) =>
        `booked at ${String(context.suspend('At what time?'))}`,
    }),
  ]
}
