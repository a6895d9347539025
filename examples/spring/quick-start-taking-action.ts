/**
 * Mirrors the quick start, "Taking Actions": two tools of one class. The model first asks for the
 * time, counts ten minutes on, and sets the alarm.
 */
import assert from 'node:assert/strict'
import { ChatClient, Tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { clock } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class DateTimeTools {
  readonly alarms: Date[] = []

  @Tool({ description: 'Get the current date and time in UTC' })
  getCurrentDateTime(): string {
    return new Date(clock.now()).toISOString()
  }

  @Tool({
    description: 'Set a user alarm for the given time, provided in ISO-8601 format',
    input: z.object({ time: z.iso.datetime() }),
  })
  setAlarm({ time }: { time: string }): void {
    this.alarms.push(new Date(time))
  }
}

const inTenMinutes = (time: unknown): string =>
  new Date(Date.parse(String(time)) + 10 * 60_000).toISOString()

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  (prompt) => {
    const [time] = received([prompt])[0]?.results ?? []
    return { toolCalls: [{ name: 'setAlarm', arguments: { time: inTenMinutes(time) } }] }
  },
  'The alarm is set.',
])
const tools = new DateTimeTools()
await ChatClient.create(model)
  .prompt('Can you set an alarm 10 minutes from now?')
  .tools(tools)
  .call()
  .content()

const [first, second, third] = received(model.prompts)
assert.deepEqual(first?.tools, ['getCurrentDateTime', 'setAlarm'])
assert.deepEqual(second?.results, ['2015-10-20T07:28:00.000Z'])
assert.deepEqual(tools.alarms, [new Date('2015-10-20T07:38:00Z')])
assert.deepEqual(third?.results, ['Done'])
