/** A delegate: a saved request runs a tool in isolation. In go its own context and the parameters, out comes its output. */
import assert from 'node:assert/strict'
import { textOf } from 'toolwright'
import { agentRegistry, runAgent } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'

const registry = agentRegistry()
registry.delegate('lawyers/contracts', {
  context: [{ type: 'text', role: 'system', text: 'You are a careful lawyer.' }],
  schema: { type: 'object', properties: { risk: { enum: ['low', 'high'] } }, required: ['risk'] },
})
registry.tool('assess', {
  type: 'object',
  description: 'Assesses a clause of a contract. Returns {risk}.',
  properties: { clause: { type: 'string' } },
  required: ['clause'],
  _delegate: 'lawyers/contracts',
})
const calls = [{ _tool: 'assess', clause: 'You owe us a house.' }]
const model = scriptedModel([
  JSON.stringify({ meta: {}, calls, output: null }),
  JSON.stringify({ meta: {}, output: { risk: 'high' } }),
  JSON.stringify({ meta: {}, calls: [], output: 'Do not sign.' }),
])
const { output } = await runAgent({ model, registry }, { type: 'string' }, [
  { type: 'tool', tool: 'assess' },
  { type: 'text', text: 'We plan to buy them, in secret. May I sign "You owe us a house."?' },
])
console.log(output)
const [, inside, after] = model.prompts.map(({ messages }) => messages.map(textOf).join('\n'))
assert.ok(inside!.includes('careful lawyer') && inside!.includes('You owe us a house.'))
assert.ok(!inside!.includes('in secret'))
assert.ok(after!.includes('"risk":"high"') && !after!.includes('careful lawyer'))
