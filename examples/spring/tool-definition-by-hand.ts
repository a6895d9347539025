/**
 * Mirrors `ToolDefinition.builder()` with a JSON Schema written by hand: the schema is a literal,
 * the types of the arguments follow from it.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool, type ToolDefinition } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'
import { askForWeather } from './shared/weather.ts'

const currentWeather = tool({
  name: 'currentWeather',
  description: 'Get the weather in location',
  input: {
    type: 'object',
    properties: {
      location: { type: 'string' },
      unit: { type: 'string', enum: ['C', 'F'] },
    },
    required: ['location', 'unit'],
  },
  execute: ({ location, unit }) => `30 ${unit} in ${location.toUpperCase()}`,
})
const definition: ToolDefinition = currentWeather.definition

const model = scriptedModel([askForWeather, 'It is 30 °C.'])
await ChatClient.create(model)
  .prompt("What's the weather like in Copenhagen?")
  .tools(currentWeather)
  .call()
  .content()

const [first, second] = received(model.prompts)
assert.deepEqual(first?.definitions, [definition])
assert.deepEqual(definition.inputSchema, {
  type: 'object',
  properties: { location: { type: 'string' }, unit: { type: 'string', enum: ['C', 'F'] } },
  required: ['location', 'unit'],
  additionalProperties: false,
})
assert.deepEqual(second?.results, ['30 C in COPENHAGEN'])
