/**
 * Mirrors "Framework-Controlled Tool Execution": you give tools and a question, the client does
 * the rest. What was exchanged with the model is there afterwards.
 */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
])
const run = ChatClient.create(model)
  .prompt('What day is tomorrow?')
  .tools(new DateTimeTools())
  .call()
console.log(await run.content())

const [first, second] = received(model.prompts)
assert.deepEqual(first?.tools, ['getCurrentDateTime', 'setAlarm'])
assert.deepEqual(
  second?.messages.map((message) => message.role),
  ['user', 'assistant', 'tool'],
)
assert.deepEqual(second?.results, ['2015-10-20 07:28:00 UTC'])
const { messages } = await run.result()
assert.deepEqual(messages.slice(0, 3), second?.messages, 'the exchange is not hidden')
