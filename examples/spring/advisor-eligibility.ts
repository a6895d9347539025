/**
 * Mirrors `toolExecutionEligibilityChecker`: whether an answer's calls are to be run. This one
 * runs them only when the model also says that it stopped for them.
 */
import assert from 'node:assert/strict'
import { ChatClient, hasToolCalls, toolCallsOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const now = { toolCalls: [{ name: 'getCurrentDateTime' }] }
const model = scriptedModel([
  { ...now, finishReason: 'tool-calls' },
  { ...now, text: 'It is morning.', finishReason: 'stop' },
])
const client = ChatClient.create(model, {
  toolCalling: {
    eligible: (response) =>
      hasToolCalls(response) && response.results[0]?.finishReason === 'tool-calls',
  },
})
const run = client.prompt('What time is it?').tools(new DateTimeTools()).call()

assert.equal(await run.content(), 'It is morning.')
assert.equal(toolCallsOf(await run.chatResponse()).length, 1, 'the second call was not run')
const asked = received(model.prompts)
assert.equal(asked.length, 2)
assert.deepEqual(asked[1]?.results, ['2015-10-20 07:28:00 UTC'])
