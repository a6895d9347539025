/**
 * Mirrors `MethodToolCallback.builder()` with `toolDefinition`, `toolMethod` and `toolObject`: a
 * method of a class that knows nothing of tools becomes one.
 */
import assert from 'node:assert/strict'
import { ChatClient, methodTool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { inTimeZone } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class DateTimeTools {
  readonly #timeZone = 'Europe/Copenhagen'

  getCurrentDateTime(): string {
    return inTimeZone(this.#timeZone)
  }
}

const getCurrentDateTime = methodTool({
  object: new DateTimeTools(),
  method: 'getCurrentDateTime',
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
assert.deepEqual(first?.definitions, [
  {
    name: 'getCurrentDateTime',
    description: "Get the current date and time in the user's timezone",
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
])
assert.deepEqual(second?.results, ['2015-10-20 09:28:00 Europe/Copenhagen'])
