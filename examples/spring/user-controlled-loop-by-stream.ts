/**
 * Mirrors the same loop over `chatModel.stream(prompt)`: `MessageAggregator` makes one response of
 * the pieces, then its calls are looked for. The pieces can be shown on their way.
 */
import assert from 'node:assert/strict'
import {
  aggregate,
  hasToolCalls,
  textOf,
  toolCallingManager,
  toolsOf,
  type Prompt,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { askForCustomer, CustomerTools } from './shared/customer-tools.ts'
import { received } from './shared/received.ts'

const model = scriptedModel([askForCustomer, { chunks: ['Customer 42', ' is Ada.'] }])
const manager = toolCallingManager()

const shown: string[] = []
async function* showing(prompt: Prompt) {
  for await (const event of model.stream(prompt)) {
    if (event.type === 'text-delta') shown.push(event.text)
    yield event
  }
}

const options = { tools: toolsOf(new CustomerTools()) }
let prompt: Prompt = {
  messages: [{ role: 'user', content: 'Tell me more about the customer with ID 42' }],
  options,
}
let response = await aggregate(showing(prompt))

while (hasToolCalls(response)) {
  const { conversationHistory } = await manager.executeToolCalls(prompt, response)
  prompt = { messages: conversationHistory, options }
  response = await aggregate(showing(prompt))
}

const results = received(model.prompts)[1]?.results
assert.deepEqual(results, ['{"id":42,"name":"Ada","email":"ada@acme.test"}'])
assert.deepEqual(shown, ['Customer 42', ' is Ada.'])
assert.equal(textOf(response), 'Customer 42 is Ada.')
