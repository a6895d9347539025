/** A class without a schema: `toolwright generate examples/generate` wrote `shared/date-time-tools.tools.ts`. */
import assert from 'node:assert/strict'
import { ChatClient, textOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { dateTimeTools } from './shared/date-time-tools.tools.ts'

const inTenMinutes = (now: string): string =>
  new Date(Date.parse(JSON.parse(now) as string) + 600_000).toISOString()

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  ({ messages }) => {
    const time = inTenMinutes(textOf(messages.at(-1)!))
    return { toolCalls: [{ name: 'setAlarm', arguments: { time } }] }
  },
  ({ messages }) => textOf(messages.at(-1)!),
])
const service = new DateTimeTools()
const answer = await ChatClient.create(model)
  .prompt('Can you set an alarm 10 minutes from now?')
  .tools(dateTimeTools(service))
  .call()
  .content()

const [alarm] = service.alarms
assert.ok(alarm instanceof Date, 'the method got a Date, as it says')
assert.equal(answer, `Alarm set for ${alarm.toISOString()}`)
console.log(answer)
