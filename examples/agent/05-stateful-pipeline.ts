/** Calls of one answer pass values on: `_outputPath` says where a result is kept, `†` refers to it. Who reads waits for who writes. */
import assert from 'node:assert/strict'
import { agentRegistry, runAgent, type ToolSchema } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'

const fetchText: ToolSchema = {
  type: 'object',
  description: 'Fetches a page. Returns its text.',
  properties: { url: { type: 'string' } },
  required: ['url'],
  _outputPath: '†state.page.text',
}
const countWords: ToolSchema = {
  type: 'object',
  description: 'Counts the words of a text. Returns a number.',
  properties: { text: { type: 'string' } },
  required: ['text'],
}
const registry = agentRegistry()
registry.activity('fetchText', async () => 'three short words')
registry.activity('countWords', (call) => String(call.text).split(' ').length)

const calls = [
  { _tool: 'countWords', text: '†state.page.text', _outputPath: '†state.page.words' },
  { _tool: 'fetchText', url: 'https://example.com' },
]
const model = scriptedModel([
  JSON.stringify({ meta: {}, calls, output: null }),
  JSON.stringify({ meta: {}, calls: [], output: 'It has 3 words.' }),
])
const result = await runAgent({ model, registry }, { type: 'string' }, [
  { type: 'tool', tool: { fetchText, countWords } },
  { type: 'state', state: { page: { title: 'Example' } } },
  { type: 'text', text: 'How long is example.com?' },
])
console.log(result.output, result.turns)
const seen = JSON.stringify(model.prompts[1]!.messages).replaceAll('\\', '')
assert.ok(seen.includes('{"page":{"title":"Example","text":"three short words","words":3}}'))
