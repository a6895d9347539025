/** An explicit tool: an activity runs it, and the model no longer sees `_output`. Swapping the code changes nothing else. */
import assert from 'node:assert/strict'
import { textOf } from 'toolwright'
import { Activity, Agent, Tool } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'

const properties = { temperature: { type: 'number' }, conditions: { type: 'string' } }
Tool.register('weatherCheck', {
  type: 'object',
  description: 'Current weather of a place. Returns {temperature, conditions}.',
  properties: { location: { type: 'string' }, _output: { type: 'object', properties } },
  required: ['location'],
})

async function ask(): Promise<string> {
  const calls = [{ _tool: 'weatherCheck', location: 'Oslo' }]
  const model = scriptedModel([
    JSON.stringify({ meta: {}, calls, output: null }),
    ({ messages }) => {
      const [, degrees] = /"temperature":(-?\d+)/.exec(textOf(messages.at(-1)!))!
      return JSON.stringify({ meta: {}, calls: [], output: `It is ${degrees} degrees.` })
    },
  ])
  const { output } = await Agent({ model }, { type: 'string' }, [
    { type: 'tool', tool: 'weatherCheck' },
    { type: 'text', text: 'How warm is it in Oslo?' },
  ])
  return output
}

Activity.register('weatherCheck', async () => ({ temperature: -3, conditions: 'snow' }))
console.log(await ask())
assert.equal(await ask(), 'It is -3 degrees.')
Activity.register('weatherCheck', async () => ({ temperature: 20, conditions: 'sunny' }))
assert.equal(await ask(), 'It is 20 degrees.')
