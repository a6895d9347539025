/**
 * Mirrors `.tools(toolCallback)` with a `MethodToolCallback`: offered in this request only, beside
 * others.
 */
import assert from 'node:assert/strict'
import { ChatClient, methodTool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { clock, DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class Calendar {
  weekday(): string {
    return new Date(clock.now()).toLocaleDateString('en-GB', { weekday: 'long' })
  }
}
const weekday = methodTool({
  object: new Calendar(),
  method: 'weekday',
  description: 'Get the day of the week',
})

const model = scriptedModel([{ toolCalls: [{ name: 'weekday' }] }, 'Wednesday.', 'I cannot know.'])
const question = ChatClient.create(model).prompt('What day is tomorrow?')
await question.tools(weekday, new DateTimeTools()).call().content()
await question.call().content()

const [first, second, nextRequest] = received(model.prompts)
assert.deepEqual(first?.tools, ['weekday', 'getCurrentDateTime', 'setAlarm'])
assert.deepEqual(second?.results, ['Tuesday'])
assert.deepEqual(nextRequest?.tools, [])
