/**
 * Mirrors "User-Controlled Tool Execution": `while (chatResponse.hasToolCalls())` around the
 * model, with a `ToolCallingManager` to run the calls.
 */
import assert from 'node:assert/strict'
import {
  hasToolCalls,
  textOf,
  toolCallingManager,
  toolsOf,
  type ChatOptions,
  type Prompt,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { askForCustomer, CustomerTools } from './shared/customer-tools.ts'
import { received } from './shared/received.ts'

const model = scriptedModel([askForCustomer, 'Customer 42 is Ada.'])
const manager = toolCallingManager()

const options: ChatOptions = { tools: toolsOf(new CustomerTools()) }
let prompt: Prompt = {
  messages: [{ role: 'user', content: 'Tell me more about the customer with ID 42' }],
  options,
}
let response = await model.call(prompt)

while (hasToolCalls(response)) {
  const { conversationHistory } = await manager.executeToolCalls(prompt, response)
  prompt = { messages: conversationHistory, options }
  response = await model.call(prompt)
}
console.log(textOf(response))

const [, second] = received(model.prompts)
assert.deepEqual(
  second?.messages.map((message) => message.role),
  ['user', 'assistant', 'tool'],
)
assert.deepEqual(second?.results, ['{"id":42,"name":"Ada","email":"ada@acme.test"}'])
assert.equal(textOf(response), 'Customer 42 is Ada.')
