/**
 * Mirrors `FunctionToolCallback.builder(...).toolCallResultConverter(...)`, and what the default
 * does: nothing is `Done`, text stays as it is, the rest is JSON, bytes are media that the model
 * can see.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

const describe = (name: string, execute: () => unknown) =>
  tool({ name, description: `Returns ${name}`, execute })
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const tools = [
  describe('nothing', () => undefined),
  describe('text', () => 'plain text'),
  describe('data', () => ({ tags: new Set(['a', 'b']), at: new Date(0) })),
  describe('image', () => png),
  tool({
    name: 'list',
    description: 'Returns a list',
    execute: () => ['milk', 'bread'],
    resultConverter: (items) => items.map((item) => `- ${item}`).join('\n'),
  }),
]

const model = scriptedModel([
  { toolCalls: tools.map(({ definition }) => ({ name: definition.name })) },
  'Thank you.',
])
await ChatClient.create(model).prompt('Show me everything').tools(tools).call().content()

assert.deepEqual(received(model.prompts)[1]?.results, [
  'Done',
  'plain text',
  '{"tags":["a","b"],"at":"1970-01-01T00:00:00.000Z"}',
  [{ type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
  '- milk\n- bread',
])
