/** Mirrors `.toolNames("currentWeather")` of a request: the named tool, in this request only. */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'
import { weatherRegistry } from './shared/weather-registry.ts'
import { askForWeather } from './shared/weather.ts'

const model = scriptedModel([askForWeather, 'It is 30 °C.', 'I cannot know.'])
const question = ChatClient.create(model, { resolver: weatherRegistry() }).prompt(
  "What's the weather like in Copenhagen?",
)
await question.toolNames('currentWeather').call().content()
await question.call().content()

const [first, second, nextRequest] = received(model.prompts)
assert.deepEqual(first?.tools, ['currentWeather'])
assert.deepEqual(second?.results, ['{"temp":30,"unit":"C"}'])
assert.deepEqual(nextRequest?.tools, [])
