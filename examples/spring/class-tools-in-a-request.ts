/** Mirrors `.tools(new DateTimeTools())`: the instance's tools, in this request only. */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
  'I cannot know.',
])
const client = ChatClient.create(model)
await client.prompt('What day is tomorrow?').tools(new DateTimeTools()).call().content()
await client.prompt('What day is tomorrow?').call().content()

const [first, second, nextRequest] = received(model.prompts)
assert.deepEqual(first?.tools, ['getCurrentDateTime', 'setAlarm'])
assert.deepEqual(second?.results, ['2015-10-20 07:28:00 UTC'])
assert.deepEqual(nextRequest?.tools, [])
