/**
 * Mirrors `ChatClient.builder(chatModel).defaultTools(toolCallback)`. Default tools are offered in
 * every request of everybody who uses the client; tools of a request replace them, `addTools`
 * keeps them.
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
const lunch = tool({ name: 'lunch', description: 'What is for lunch', execute: () => 'Soup' })

const model = scriptedModel([askForWeather, 'It is 30 °C.', 'Hm.', 'Hm.'])
const client = ChatClient.create(model, { tools: [currentWeather] })
await client.prompt("What's the weather like in Copenhagen?").call().content()
await client.prompt('What is for lunch?').tools(lunch).call().content()
await client.prompt('Shall we have lunch outside?').addTools(lunch).call().content()

const [byDefault, afterTheCall, replaced, added] = received(model.prompts)
assert.deepEqual(byDefault?.tools, ['currentWeather'])
assert.deepEqual(afterTheCall?.results, ['{"temp":30,"unit":"C"}'])
assert.deepEqual(replaced?.tools, ['lunch'])
assert.deepEqual(added?.tools, ['currentWeather', 'lunch'])
