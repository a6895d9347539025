/** Mirrors `ToolDefinitions.from(method)`: what a model would be told of one method. */
import assert from 'node:assert/strict'
import { ChatClient, definitionOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const definition = definitionOf(new DateTimeTools(), 'getCurrentDateTime')

const model = scriptedModel(['Good.'])
await ChatClient.create(model).prompt('Good day').tools(new DateTimeTools()).call().content()

assert.deepEqual(definition, {
  name: 'getCurrentDateTime',
  description: "Get the current date and time in the user's timezone",
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
})
assert.deepEqual(received(model.prompts)[0]?.definitions[0], definition)
