/**
 * Mirrors the quick start, "Information Retrieval": a class with a `@Tool` method, given to
 * `ChatClient.create(chatModel).prompt(...).tools(new DateTimeTools())`. `LocaleContextHolder` is
 * the request's tool context: the tool asks for the key it needs, the model never sees it.
 */
import assert from 'node:assert/strict'
import { ChatClient, Tool, type ToolContext } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { inTimeZone } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class DateTimeTools {
  @Tool({
    description: "Get the current date and time in the user's timezone",
    input: 'none',
    context: z.object({ timeZone: z.string() }),
  })
  getCurrentDateTime(_input: object, context: ToolContext<{ timeZone: string }>): string {
    return inTimeZone(context.values.timeZone)
  }
}

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
])
const response = await ChatClient.create(model)
  .prompt('What day is tomorrow?')
  .tools(new DateTimeTools())
  .toolContext({ timeZone: 'Asia/Tokyo' })
  .call()
  .content()
console.log(response)

const [first, second] = received(model.prompts)
assert.deepEqual(first?.definitions, [
  {
    name: 'getCurrentDateTime',
    description: "Get the current date and time in the user's timezone",
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
])
assert.ok(!first?.everything.includes('Tokyo'), 'the model is not told the context')
assert.deepEqual(second?.results, ['2015-10-20 16:28:00 Asia/Tokyo'])
