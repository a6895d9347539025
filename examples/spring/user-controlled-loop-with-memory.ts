/**
 * Mirrors the user-controlled loop over a `ChatMemory`: every step is added, and every round asks
 * from memory.
 */
import assert from 'node:assert/strict'
import {
  hasToolCalls,
  messageWindowMemory,
  Tool,
  toolCallingManager,
  toolsOf,
  type Message,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

class MathTools {
  @Tool({
    description: 'Multiply two numbers',
    input: z.object({ a: z.number(), b: z.number() }),
  })
  multiply({ a, b }: { a: number; b: number }): number {
    return a * b
  }
}

const model = scriptedModel([
  { toolCalls: [{ name: 'multiply', arguments: { a: 6, b: 8 } }] },
  'It is 48.',
  'You asked what 6 * 8 is.',
])
const manager = toolCallingManager()
const memory = messageWindowMemory()
const id = 'c-1'
const options = { tools: toolsOf(new MathTools()) }
const question: Message[] = [
  { role: 'system', content: 'You are a helpful assistant.' },
  { role: 'user', content: 'What is 6 * 8?' },
]

await memory.add(id, question)
let prompt = { messages: await memory.get(id), options }
let response = await model.call(prompt)
await memory.add(id, [response.results[0]!.message])

while (hasToolCalls(response)) {
  const { conversationHistory } = await manager.executeToolCalls(prompt, response)
  await memory.add(id, conversationHistory.slice(-1))
  prompt = { messages: await memory.get(id), options }
  response = await model.call(prompt)
  await memory.add(id, [response.results[0]!.message])
}

await memory.add(id, [{ role: 'user', content: 'What did I ask you earlier?' }])
await model.call({ messages: await memory.get(id) })

const asked = received(model.prompts)
assert.deepEqual(asked[1]?.results, ['48'])
const roles = asked[2]?.messages.map((message) => message.role)
assert.deepEqual(roles, ['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
