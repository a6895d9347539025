/**
 * Mirrors `@ToolParam(description = ...)` on a parameter of a `@Tool` method: a description in the
 * schema.
 */
import assert from 'node:assert/strict'
import { ChatClient, Tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

class DateTimeTools {
  readonly alarms: string[] = []

  @Tool({
    description: 'Set a user alarm for the given time',
    input: z.object({ time: z.string().describe('Time in ISO-8601 format') }),
  })
  setAlarm({ time }: { time: string }): void {
    this.alarms.push(time)
  }
}

const model = scriptedModel([
  { toolCalls: [{ name: 'setAlarm', arguments: { time: '2015-10-21T07:28:00' } }] },
  'Done.',
])
const tools = new DateTimeTools()
await ChatClient.create(model).prompt('Wake me at 7:28').tools(tools).call().content()

assert.deepEqual(received(model.prompts)[0]?.definitions[0]?.inputSchema, {
  type: 'object',
  properties: { time: { type: 'string', description: 'Time in ISO-8601 format' } },
  required: ['time'],
  additionalProperties: false,
})
assert.deepEqual(tools.alarms, ['2015-10-21T07:28:00'])
