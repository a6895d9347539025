/** Two instances in one request: the same tool, one list of calls, and neither sees what belongs to the other. */
import assert from 'node:assert/strict'
import { agentRegistry, runAgent, type ToolSchema } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'

const translate: ToolSchema = {
  type: 'object',
  description: 'Translates a text. Returns the translation.',
  properties: { text: { type: 'string' }, language: { type: 'string' } },
  required: ['text', 'language'],
  _outputPath: '†state.text',
}
const registry = agentRegistry()
registry.activity('translate', (call) => `${String(call.text)} [${String(call.language)}]`)

const call = { _tool: 'translate', text: '†state.text', language: '†state.language' }
const calls = [
  { ...call, _instance: '①' },
  { ...call, _instance: '②' },
]
const model = scriptedModel([
  JSON.stringify({ meta: {}, calls }),
  JSON.stringify({ meta: {}, calls: [] }),
])
const { messages } = await runAgent({ model, registry }, undefined, [
  { type: 'tool', tool: { translate } },
  { type: 'state', _instance: '①', text: 'Hello', language: 'ru' },
  { type: 'state', _instance: '②', text: 'Goodbye', language: 'de' },
  { type: 'text', text: 'Translate each text into its language' },
])
const written = messages.flatMap((each) => ('_date' in each ? [[each._instance, each.data]] : []))
console.log(JSON.stringify(written))
assert.deepEqual(written, [
  ['①', { text: 'Hello [ru]' }],
  ['②', { text: 'Goodbye [de]' }],
])
