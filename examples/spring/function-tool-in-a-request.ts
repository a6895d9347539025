/**
 * Mirrors `ChatClient.create(chatModel).prompt(...).tools(toolCallback)`: offered in this request
 * only.
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
})

const model = scriptedModel([askForWeather, 'It is 30 °C.', 'I cannot know.'])
const client = ChatClient.create(model)
const question = client.prompt("What's the weather like in Copenhagen?")
await question.tools(currentWeather).call().content()
await question.call().content()

const [first, second, nextRequest] = received(model.prompts)
assert.deepEqual(first?.tools, ['currentWeather'])
assert.deepEqual(second?.results, ['{"temp":30,"unit":"C"}'])
assert.deepEqual(nextRequest?.tools, [])
