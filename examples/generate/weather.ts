/** A function without a schema; its DTO's comments reach the model. */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { currentWeatherTool } from './shared/weather-service.tools.ts'

const request = { location: 'Copenhagen, Denmark', unit: 'C' }
const model = scriptedModel([
  { toolCalls: [{ name: 'currentWeather', arguments: { request: { ...request, unit: 'K' } } }] },
  { toolCalls: [{ name: 'currentWeather', arguments: { request } }] },
  'It is 30 °C in Copenhagen.',
])
const { messages } = await ChatClient.create(model)
  .prompt("What's the weather like in Copenhagen?")
  .tools(currentWeatherTool)
  .call()
  .result()

const read = messages.flatMap((message) => (message.role === 'tool' ? message.responses : []))
assert.match(
  String(read[0]?.content),
  /request\.unit/,
  'a unit that does not exist is told by its path',
)
assert.equal(read[1]?.content, '{"temp":30,"unit":"C"}')
console.log(read[1]?.content)
