/** The loop without the client: a model, a manager, and ten lines in your own hands. */
import assert from 'node:assert/strict'
import { hasToolCalls, textOf, tool, toolCallingManager, type Prompt } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const add = tool({
  name: 'add',
  description: 'Add two numbers',
  input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
})
const model = scriptedModel([
  { toolCalls: [{ name: 'add', arguments: { a: 2, b: 3 } }] },
  (prompt) => `It is ${textOf(prompt.messages.at(-1)!)}.`,
])
const manager = toolCallingManager({ limits: { rounds: 5 } })

let prompt: Prompt = {
  messages: [{ role: 'user', content: 'What is 2 + 3?' }],
  options: { tools: [add] },
}
let response = await model.call(prompt)
while (hasToolCalls(response)) {
  const { conversationHistory } = await manager.executeToolCalls(prompt, response)
  prompt = { ...prompt, messages: conversationHistory }
  response = await model.call(prompt)
}

console.log(textOf(response))
assert.equal(textOf(response), 'It is 5.')
