/**
 * Mirrors `FunctionToolCallback.builder("currentWeather", new WeatherService())` with its
 * `inputType`: a function and the schema of its input become a tool.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

const weatherRequest = z.object({ location: z.string(), unit: z.enum(['C', 'F']) })

class WeatherService {
  apply({ unit }: z.infer<typeof weatherRequest>) {
    return { temp: 30, unit }
  }
}
const service = new WeatherService()

const currentWeather = tool({
  name: 'currentWeather',
  description: 'Get the weather in location',
  input: weatherRequest,
  execute: (request) => service.apply(request),
})

const model = scriptedModel([
  { toolCalls: [{ name: 'currentWeather', arguments: { location: 'Copenhagen', unit: 'C' } }] },
  'It is 30 °C in Copenhagen.',
])
await ChatClient.create(model)
  .prompt("What's the weather like in Copenhagen?")
  .tools(currentWeather)
  .call()
  .content()

const [first, second] = received(model.prompts)
assert.deepEqual(first?.definitions, [
  {
    name: 'currentWeather',
    description: 'Get the weather in location',
    inputSchema: {
      type: 'object',
      properties: { location: { type: 'string' }, unit: { type: 'string', enum: ['C', 'F'] } },
      required: ['location', 'unit'],
      additionalProperties: false,
    },
  },
])
assert.deepEqual(second?.results, ['{"temp":30,"unit":"C"}'])
