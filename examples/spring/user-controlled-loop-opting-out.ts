/**
 * Mirrors `internalToolExecutionEnabled(false)` of 1.x: a model that runs its tools itself leaves
 * them alone when the options say so, and the caller is in charge.
 */
import assert from 'node:assert/strict'
import {
  hasToolCalls,
  toolCallingManager,
  toolsOf,
  withToolExecution,
  type Prompt,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { askForCustomer, CustomerTools } from './shared/customer-tools.ts'
import { received } from './shared/received.ts'

const inner = scriptedModel([askForCustomer, 'Customer 42 is Ada.'])
const model = withToolExecution(inner)

const options = { tools: toolsOf(new CustomerTools()), internalToolExecution: false }
let prompt: Prompt = {
  messages: [{ role: 'user', content: 'Tell me more about the customer with ID 42' }],
  options,
}
let response = await model.call(prompt)
assert.ok(hasToolCalls(response), 'the calls are handed out')
assert.equal(inner.prompts.length, 1)

while (hasToolCalls(response)) {
  const { conversationHistory } = await toolCallingManager().executeToolCalls(prompt, response)
  prompt = { messages: conversationHistory, options }
  response = await model.call(prompt)
}

assert.deepEqual(received(inner.prompts)[1]?.results, [
  '{"id":42,"name":"Ada","email":"ada@acme.test"}',
])
