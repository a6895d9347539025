/**
 * Mirrors `AdvisorParams.toolCallingAdvisorAutoRegister(false)` for one call, and the property
 * `spring.ai.chat.client.tool-calling.enabled=false` for a client: calls come back unexecuted.
 */
import assert from 'node:assert/strict'
import { ChatClient, toolCallsOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const time = '2015-10-21T07:28:00Z'
const alarm = { toolCalls: [{ name: 'setAlarm', arguments: { time } }] }
const model = scriptedModel([alarm, alarm])
const tools = new DateTimeTools()

const oneCall = ChatClient.create(model)
  .prompt('Wake me at 7:28')
  .tools(tools)
  .toolCalling(false)
  .call()
const wholeClient = ChatClient.create(model, { toolCalling: false })
  .prompt('Wake me at 7:28')
  .tools(tools)
  .call()

for (const run of [oneCall, wholeClient]) {
  const response = await run.chatResponse()
  assert.deepEqual(toolCallsOf(response)[0]?.name, 'setAlarm')
  assert.equal(response.results[0]?.finishReason, 'tool-calls')
}
assert.deepEqual(tools.alarms, [])
const asked = received(model.prompts)
assert.equal(asked.length, 2, 'each was asked once')
for (const each of asked) assert.deepEqual(each.tools, ['getCurrentDateTime', 'setAlarm'])
