/**
 * Mirrors `record WeatherRequest(@ToolParam(description = ...) String location, Unit unit)` of a
 * function bean.
 */
import assert from 'node:assert/strict'
import { ChatClient, toolRegistry } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

const registry = toolRegistry()
registry.register('currentWeather', {
  description: 'Get the weather in location',
  input: z.object({
    location: z.string().describe('The name of a city or a country'),
    unit: z.enum(['C', 'F']),
  }),
  execute: () => ({ temp: 30 }),
})

const model = scriptedModel(['I would have to ask.'])
await ChatClient.create(model, { resolver: registry })
  .prompt("What's the weather like in Copenhagen?")
  .toolNames('currentWeather')
  .call()
  .content()

assert.deepEqual(received(model.prompts)[0]?.definitions[0]?.inputSchema, {
  type: 'object',
  properties: {
    location: { type: 'string', description: 'The name of a city or a country' },
    unit: { type: 'string', enum: ['C', 'F'] },
  },
  required: ['location', 'unit'],
  additionalProperties: false,
})
