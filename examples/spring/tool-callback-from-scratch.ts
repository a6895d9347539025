/**
 * Mirrors implementing `ToolCallback`: anything with a definition, metadata and `call` is a tool.
 * `call` gets the JSON text of the arguments, checked and coerced by the definition's schema.
 */
import assert from 'node:assert/strict'
import { ChatClient, type ToolCallback } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

const calledWith: string[] = []
const multiply: ToolCallback = {
  definition: {
    name: 'multiply',
    description: 'Multiply two numbers',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
  metadata: { returnDirect: false, hints: { readOnly: true }, effect: 'read' },
  async call(input, context) {
    calledWith.push(`${context?.toolName} ${input}`)
    const { a, b } = JSON.parse(input) as { a: number; b: number }
    return String(a * b)
  },
}

const model = scriptedModel([
  { toolCalls: [{ name: 'multiply', arguments: { a: '6', b: 8 } }] },
  'It is 48.',
])
await ChatClient.create(model).prompt('What is 6 * 8?').tools(multiply).call().content()

const [first, second] = received(model.prompts)
assert.deepEqual(first?.definitions, [multiply.definition])
assert.deepEqual(calledWith, ['multiply {"a":6,"b":8}'])
assert.deepEqual(second?.results, ['48'])
