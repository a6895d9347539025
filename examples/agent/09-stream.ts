/** The answer of an agent while it arrives: its output grows, and its calls are told as they run. */
import assert from 'node:assert/strict'
import { Agent, agentRegistry } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'

const registry = agentRegistry()
const weatherCheck = registry.tool('weatherCheck', {
  type: 'object',
  description: 'Current weather of a place. Returns {temperature}.',
  properties: {
    location: { type: 'string' },
    _output: { type: 'object', properties: { temperature: { type: 'number' } } },
  },
  required: ['location'],
})
// The code is typed by the schema: `location` is a string, and a temperature is a number.
weatherCheck.activity(({ location }) => ({ temperature: location.length }))

const model = scriptedModel([
  '{ "meta": {}, "calls": [{ "_tool": "weatherCheck", "location": "Oslo" }], "output": null }',
  '{ "meta": {}, "calls": [], "output": { "summary": "It is four degrees.", "warm": false } }',
])
const stream = Agent.stream(
  { model, registry, temperature: 0 },
  {
    type: 'object',
    properties: { summary: { type: 'string' }, warm: { type: 'boolean' } },
    required: ['summary', 'warm'],
  },
  [
    { type: 'tool', tool: weatherCheck },
    { type: 'text', text: 'How warm is it in Oslo?' },
  ],
)

const shown: string[] = []
for await (const event of stream.events()) {
  if (event.type === 'output-delta') shown.push(event.output.summary ?? '')
  if (event.type === 'tool-result') console.log(event.toolCall.name, event.value)
}
const { output } = await stream.result()
console.log(output.summary)
assert.deepEqual(output, { summary: 'It is four degrees.', warm: false })
assert.ok(shown.length > 2 && shown.every((text) => output.summary.startsWith(text)))
