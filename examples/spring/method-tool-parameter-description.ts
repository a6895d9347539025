/** Mirrors `@ToolParam(description = ...)` on a method that `MethodToolCallback` makes a tool. */
import assert from 'node:assert/strict'
import { ChatClient, methodTool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

class AlarmClock {
  readonly alarms: string[] = []

  setAlarm({ time }: { time: string }): void {
    this.alarms.push(time)
  }
}

const alarmClock = new AlarmClock()
const setAlarm = methodTool({
  object: alarmClock,
  method: 'setAlarm',
  description: 'Set a user alarm for the given time',
  input: z.object({ time: z.string().describe('Time in ISO-8601 format') }),
})

const model = scriptedModel([
  { toolCalls: [{ name: 'setAlarm', arguments: { time: '2015-10-21T07:28:00' } }] },
  'The alarm is set.',
])
await ChatClient.create(model).prompt('Wake me at 7:28').tools(setAlarm).call().content()

const [first, second] = received(model.prompts)
assert.deepEqual(first?.definitions[0]?.inputSchema.properties, {
  time: { type: 'string', description: 'Time in ISO-8601 format' },
})
assert.deepEqual(alarmClock.alarms, ['2015-10-21T07:28:00'])
assert.deepEqual(second?.results, ['Done'])
