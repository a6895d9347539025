/** An explicit tool: an activity runs it. The model no longer sees `_output`; swapping the code changes nothing else. */
import assert from 'node:assert/strict'
import { Agent, Activity, Tool } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'

Tool.register('weatherCheck', {
  type: 'object',
  description: 'Current weather of a place. Returns {temperature, conditions}.',
  properties: {
    location: { type: 'string' },
    _output: {
      type: 'object',
      properties: { temperature: { type: 'number' }, conditions: { type: 'string' } },
      required: ['temperature', 'conditions'],
    },
  },
  required: ['location'],
})

async function ask(): Promise<string> {
  const model = scriptedModel([
    JSON.stringify({
      meta: {},
      calls: [{ _tool: 'weatherCheck', location: 'Oslo' }],
      output: null,
    }),
    (prompt) => {
      const { temperature } = /"temperature":(?<temperature>-?\d+)/.exec(
        JSON.stringify(prompt.messages).replaceAll('\\', ''),
      )!.groups!
      return JSON.stringify({ meta: {}, calls: [], output: `It is ${temperature} degrees.` })
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
