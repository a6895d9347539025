/**
 * Mirrors `ToolMetadata.builder().returnDirect(true)` given to
 * `FunctionToolCallback.builder(...)`.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'
import { askForWeather, weatherIn, weatherRequest } from './shared/weather.ts'

const currentWeather = tool({
  name: 'currentWeather',
  description: 'Get the weather in location',
  input: weatherRequest,
  execute: weatherIn,
  returnDirect: true,
})

const model = scriptedModel([askForWeather, { toolCalls: [{ name: 'currentWeather' }] }, 'Where?'])
const client = ChatClient.create(model, { tools: [currentWeather] })
const direct = await client.prompt("What's the weather like in Copenhagen?").call().content()
const failed = await client.prompt("What's the weather like?").call().content()

assert.equal(direct, '{"temp":30,"unit":"C"}')
assert.equal(failed, 'Where?', 'a failed call is for the model to mend')
const asked = received(model.prompts)
assert.equal(asked.length, 3)
assert.match(JSON.stringify(asked[2]?.results), /error.*location/)
