/**
 * Mirrors `ChatClient.builder(chatModel).defaultToolNames("currentWeather")`: in every request of
 * every user of the client. Names or tools of a request replace them, `addToolNames` keeps them.
 */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'
import { weatherRegistry } from './shared/weather-registry.ts'
import { askForWeather } from './shared/weather.ts'

const model = scriptedModel([askForWeather, 'It is 30 °C.', 'Hm.', 'Hm.'])
const client = ChatClient.create(model, {
  resolver: weatherRegistry(),
  toolNames: ['currentWeather'],
})
await client.prompt("What's the weather like in Copenhagen?").call().content()
await client.prompt('What is for lunch?').toolNames('lunch').call().content()
await client.prompt('Shall we have lunch outside?').addToolNames('lunch').call().content()

const [byDefault, afterTheCall, replaced, added] = received(model.prompts)
assert.deepEqual(byDefault?.tools, ['currentWeather'])
assert.deepEqual(afterTheCall?.results, ['{"temp":30,"unit":"C"}'])
assert.deepEqual(replaced?.tools, ['lunch'])
assert.deepEqual(added?.tools, ['currentWeather', 'lunch'])
