/**
 * Mirrors `ToolExecutionExceptionProcessor`: what becomes of an exception that a tool threw. Words
 * for the model, or a throw for the caller.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool, ToolExecutionError, type ToolExceptionProcessor } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

class OutOfStock extends Error {}
const order = tool({
  name: 'order',
  description: 'Order an anvil',
  execute: () => {
    throw new OutOfStock('No anvils left')
  },
})
const broken = tool({
  name: 'broken',
  description: 'Always fails',
  execute: () => Promise.reject(new TypeError('undefined is not a function')),
})
const processor: ToolExceptionProcessor = (error) => {
  if (error.cause instanceof OutOfStock) return `${error.cause.message}. Offer a hammer instead.`
  throw error
}

const model = scriptedModel([
  { toolCalls: [{ name: 'order' }] },
  'Would a hammer do?',
  { toolCalls: [{ name: 'broken' }] },
])
const client = ChatClient.create(model, {
  tools: [order, broken],
  exceptionProcessor: processor,
})
await client.prompt('An anvil, please').call().content()
await assert.rejects(client.prompt('Now break').call().content(), (error) => {
  assert.ok(error instanceof ToolExecutionError)
  assert.equal(error.toolName, 'broken')
  return error.cause instanceof TypeError
})

const asked = received(model.prompts)
assert.deepEqual(asked[1]?.results, [{ error: 'No anvils left. Offer a hammer instead.' }])
assert.equal(asked.length, 3)
