/** Methods of a class as tools: instance and static ones, with the state of their instance. */
import assert from 'node:assert/strict'
import { ChatClient, Tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

class AlarmTools {
  readonly alarms: string[] = []

  @Tool({
    description: 'Set a user alarm for the given time',
    input: z.object({ time: z.iso.datetime().describe('Time in ISO-8601 format') }),
  })
  setAlarm({ time }: { time: string }): string {
    this.alarms.push(time)
    return `Alarm set for ${time}`
  }

  @Tool({ description: "Get the current date and time in the user's timezone" })
  static currentTime(): string {
    return '2026-01-01T05:50:00Z'
  }
}

const model = scriptedModel([
  { toolCalls: [{ name: 'currentTime' }] },
  { toolCalls: [{ name: 'setAlarm', arguments: { time: '2026-01-01T06:00:00Z' } }] },
  'I will wake you at six.',
])
const tools = new AlarmTools()
const client = ChatClient.create(model)

console.log(await client.prompt('Wake me in ten minutes').tools(tools).call().content())

const offered = model.prompts[0]?.options?.tools as readonly { definition: { name: string } }[]
assert.deepEqual(
  offered.map(({ definition }) => definition.name),
  ['setAlarm', 'currentTime'],
)
assert.deepEqual(tools.alarms, ['2026-01-01T06:00:00Z'])
