/**
 * Mirrors the same loop over `chatModel.stream(prompt)`: `MessageAggregator` makes one response of
 * the pieces, then its calls are looked for. The pieces can be shown on their way, and a stream that
 * breaks off is no response: none of its calls run.
 */
import assert from 'node:assert/strict'
import {
  aggregate,
  hasToolCalls,
  textOf,
  toolCallingManager,
  toolsOf,
  type ChatModel,
  type Prompt,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { askForCustomer, CustomerTools } from './shared/customer-tools.ts'
import { received } from './shared/received.ts'

const manager = toolCallingManager()
const options = { tools: toolsOf(new CustomerTools()) }

async function ask(model: ChatModel, question: string) {
  const shown: string[] = []
  async function* showing(prompt: Prompt) {
    for await (const event of model.stream(prompt)) {
      shown.push(event.type === 'text-delta' ? event.text : event.type)
      yield event
    }
  }
  let prompt: Prompt = { messages: [{ role: 'user', content: question }], options }
  let response = await aggregate(showing(prompt))
  while (hasToolCalls(response)) {
    const { conversationHistory } = await manager.executeToolCalls(prompt, response)
    prompt = { messages: conversationHistory, options }
    response = await aggregate(showing(prompt))
  }
  return { shown, response }
}

const steps = [askForCustomer, { chunks: ['Customer 42', ' is Ada.'] }]
const model = scriptedModel(steps)
const { shown, response } = await ask(model, 'Tell me more about the customer with ID 42')

const results = received(model.prompts)[1]?.results
assert.deepEqual(results, ['{"id":42,"name":"Ada","email":"ada@acme.test"}'])
assert.equal(shown[0], 'tool-call-start')
assert.deepEqual(shown.slice(-3), ['Customer 42', ' is Ada.', 'response'])
assert.equal(textOf(response), 'Customer 42 is Ada.')
assert.equal(response.results[0]?.finishReason, 'stop')

const cut: ChatModel = {
  ...scriptedModel([]),
  async *stream(prompt) {
    for await (const event of scriptedModel(steps).stream(prompt))
      if (event.type !== 'response') yield event
  },
}
await assert.rejects(ask(cut, 'And now?'), { code: 'incomplete-stream' })
