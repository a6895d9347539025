/** Mirrors `MethodToolCallback.builder()` for a static method: `toolObject` is left out. */
import assert from 'node:assert/strict'
import { ChatClient, methodTool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { inTimeZone } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class DateTimeTools {
  static readonly timeZone = 'UTC'

  static getCurrentDateTime(): string {
    return inTimeZone(DateTimeTools.timeZone)
  }
}

const getCurrentDateTime = methodTool({
  method: DateTimeTools.getCurrentDateTime,
  description: "Get the current date and time in the user's timezone",
})

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
])
await ChatClient.create(model)
  .prompt('What day is tomorrow?')
  .tools(getCurrentDateTime)
  .call()
  .content()

const [first, second] = received(model.prompts)
assert.deepEqual(first?.tools, ['getCurrentDateTime'])
assert.deepEqual(second?.results, ['2015-10-20 07:28:00 UTC'])
