/**
 * Mirrors
 * `ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new DateTimeTools()))` and
 * `chatModel.call(prompt)`: definitions are sent, calls come back unexecuted.
 */
import assert from 'node:assert/strict'
import { toolCallsOf, toolsOf, type ChatOptions, type Prompt } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const time = '2015-10-21T07:28:00Z'
const model = scriptedModel([{ toolCalls: [{ name: 'setAlarm', arguments: { time } }] }])

const tools = new DateTimeTools()
const options: ChatOptions = { tools: toolsOf(tools) }
const prompt: Prompt = { messages: [{ role: 'user', content: 'Wake me at 7:28' }], options }
const response = await model.call(prompt)

assert.deepEqual(received(model.prompts)[0]?.tools, ['getCurrentDateTime', 'setAlarm'])
assert.deepEqual(
  toolCallsOf(response).map((call) => [call.name, call.arguments]),
  [['setAlarm', `{"time":"${time}"}`]],
)
assert.deepEqual(tools.alarms, [], 'nothing was executed')
