/** Mirrors a `Supplier` in a `FunctionToolCallback`: no input, a result. */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

const clock = manualClock(Date.parse('2015-10-20T07:28:00Z'))
const currentTime = tool({
  name: 'currentTime',
  description: 'Get the current time in UTC',
  execute: () => new Date(clock.now()),
})

const model = scriptedModel([{ toolCalls: [{ name: 'currentTime' }] }, 'It is 7:28 in UTC.'])
await ChatClient.create(model).prompt('What time is it?').tools(currentTime).call().content()

const [first, second] = received(model.prompts)
assert.deepEqual(first?.definitions[0]?.inputSchema, {
  type: 'object',
  properties: {},
  additionalProperties: false,
})
assert.deepEqual(second?.results, ['"2015-10-20T07:28:00.000Z"'])
