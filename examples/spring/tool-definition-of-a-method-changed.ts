/**
 * Mirrors
 * `ToolDefinitions.builder(method).name(...).description(...).inputSchema(JsonSchemaGenerator...)`:
 * name, description and schema said explicitly, the method left as it is.
 */
import assert from 'node:assert/strict'
import { ChatClient, methodTool, toJsonSchema } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { inTimeZone } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class DateTimeTools {
  getCurrentDateTime({ timeZone }: { timeZone: string }): string {
    return inTimeZone(timeZone)
  }
}

const currentDateTime = methodTool({
  object: new DateTimeTools(),
  method: 'getCurrentDateTime',
  name: 'currentDateTime',
  description: "Get the current date and time in the user's timezone",
  inputSchema: toJsonSchema(z.object({ timeZone: z.string().describe('IANA name') })),
})

const model = scriptedModel([
  { toolCalls: [{ name: 'currentDateTime', arguments: { timeZone: 'Asia/Tokyo' } }] },
  'It is afternoon in Tokyo.',
])
await ChatClient.create(model).prompt('How late is it?').tools(currentDateTime).call().content()

const [first, second] = received(model.prompts)
assert.deepEqual(first?.definitions, [
  {
    name: 'currentDateTime',
    description: "Get the current date and time in the user's timezone",
    inputSchema: {
      type: 'object',
      properties: { timeZone: { type: 'string', description: 'IANA name' } },
      required: ['timeZone'],
      additionalProperties: false,
    },
  },
])
assert.deepEqual(second?.results, ['2015-10-20 16:28:00 Asia/Tokyo'])
