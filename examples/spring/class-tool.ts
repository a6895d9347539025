/**
 * Mirrors `@Tool` on methods, of the instance or static. The name defaults to the method's, the
 * description to the name in words: give a description, or models use the tool wrongly or not at
 * all.
 */
import assert from 'node:assert/strict'
import { ChatClient, Tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { inTimeZone } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class DateTimeTools {
  @Tool({ description: "Get the current date and time in the user's timezone" })
  getCurrentDateTime(): string {
    return inTimeZone('UTC')
  }

  @Tool()
  getWeekOfYear(): number {
    return 43
  }

  @Tool({ name: 'today', description: 'Get the current date' })
  static currentDate(): string {
    return inTimeZone('UTC').slice(0, 10)
  }
}

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }, { name: 'getWeekOfYear' }, { name: 'today' }] },
  'It is the morning of the 20th, in week 43.',
])
await ChatClient.create(model).prompt('What day is it?').tools(new DateTimeTools()).call().content()

const [first, second] = received(model.prompts)
assert.deepEqual(
  first?.definitions.map(({ name, description }) => [name, description]),
  [
    ['getCurrentDateTime', "Get the current date and time in the user's timezone"],
    ['getWeekOfYear', 'get week of year'],
    ['today', 'Get the current date'],
  ],
)
assert.deepEqual(second?.results, ['2015-10-20 07:28:00 UTC', '43', '2015-10-20'])
