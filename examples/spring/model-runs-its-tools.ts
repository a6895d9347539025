/**
 * Mirrors the framework-controlled execution of Spring AI 1.x: a `ChatModel` that runs tool calls
 * itself. Given to a client, the client's loop takes over and nothing runs twice.
 */
import assert from 'node:assert/strict'
import { ChatClient, textOf, withToolExecution } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const time = '2015-10-21T07:28:00Z'
const alarm = { toolCalls: [{ name: 'setAlarm', arguments: { time } }] }
const inner = scriptedModel([alarm, 'Set by the model.', alarm, 'Set by the client.'])
const model = withToolExecution(inner)

const own = new DateTimeTools()
const response = await model.call({
  messages: [{ role: 'user', content: 'Wake me at 7:28' }],
  options: { tools: [own] },
})
const clients = new DateTimeTools()
const run = ChatClient.create(model).prompt('Wake me at 7:28').tools(clients).call()

assert.equal(textOf(response), 'Set by the model.')
assert.deepEqual(own.alarms, [time])
assert.equal((await run.result()).rounds.length, 2, "the client's loop saw both rounds")
assert.deepEqual(clients.alarms, [time])
const asked = received(inner.prompts)
for (const round of [1, 3]) assert.deepEqual(asked[round]?.results, ['Done'])
