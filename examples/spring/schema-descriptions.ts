/**
 * Mirrors `@ToolParam(description = ...)`, `@JsonClassDescription` and `@JsonPropertyDescription`:
 * descriptions in the schema, at every depth. They are all a model has to fill the arguments well.
 */
import assert from 'node:assert/strict'
import { ChatClient, Tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

const alarm = z.object({
  time: z.iso.datetime().describe('Time in ISO-8601 format'),
  repeat: z
    .object({ days: z.array(z.string().describe('Day of the week, in English')) })
    .describe('When it rings again'),
})

class DateTimeTools {
  readonly alarms: unknown[] = []

  @Tool({ description: 'Set a user alarm for the given time', input: alarm })
  setAlarm(input: z.infer<typeof alarm>): void {
    this.alarms.push(input)
  }
}

const wanted = { time: '2015-10-21T07:28:00Z', repeat: { days: ['Monday'] } }
const model = scriptedModel([
  { toolCalls: [{ name: 'setAlarm', arguments: wanted }] },
  'The alarm is set.',
])
const tools = new DateTimeTools()
await ChatClient.create(model).prompt('Wake me on Mondays').tools(tools).call().content()

const [definition] = received(model.prompts)[0]?.definitions ?? []
const said = JSON.stringify(definition?.inputSchema)
for (const description of [
  'Time in ISO-8601 format',
  'When it rings again',
  'Day of the week, in English',
])
  assert.ok(said.includes(`"description":"${description}"`), description)
assert.deepEqual(tools.alarms, [wanted])
