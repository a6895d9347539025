/** A latent tool: nobody runs it, the model writes its result itself, in the place its schema gives it. */
import assert from 'node:assert/strict'
import { Agent, composeSchema, Tool } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'

Tool.register('sentimentAnalysis', {
  type: 'object',
  description: 'Rates the tone of a text',
  properties: {
    _tool: { type: 'string', const: 'sentimentAnalysis' },
    text: { type: 'string', description: 'The text to rate' },
    _output: {
      type: 'object',
      properties: { sentiment: { type: 'string' }, confidence: { type: 'number' } },
    },
  },
})
const context = [
  { type: 'tool' as const, tool: 'Tool.sentimentAnalysis' },
  { type: 'text' as const, text: 'What is the tone of "This is the best!"?' },
]
assert.ok(JSON.stringify(composeSchema({ context })).includes('_output'))

const call = {
  _tool: 'sentimentAnalysis',
  text: 'This is the best!',
  _output: { sentiment: 'positive', confidence: 0.99 },
}
const model = scriptedModel([
  JSON.stringify({ meta: {}, calls: [call] }),
  JSON.stringify({ meta: {}, calls: [] }),
])
const { calls, messages } = await Agent({ model }, undefined, context)
console.log(calls)
assert.deepEqual(calls, [call])
const data = messages.flatMap((message) => ('data' in message ? [message.data] : []))
assert.deepEqual(data, [{ tool: 'sentimentAnalysis', result: call._output }])
