/**
 * Mirrors the constant `CURRENT_WEATHER_TOOL` of `@Bean(CURRENT_WEATHER_TOOL)`. No constant is
 * needed: the registry's names are checked when the request is compiled, and again before the
 * model is asked.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool, toolRegistry } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'
import { askForWeather, weatherIn, weatherRequest } from './shared/weather.ts'

const currentWeather = tool({
  description: 'Get the weather in location',
  input: weatherRequest,
  execute: weatherIn,
})
const registry = toolRegistry({ currentWeather })

const model = scriptedModel([askForWeather, 'It is 30 °C.'])
const client = ChatClient.create(model, { resolver: registry })
const question = client.prompt("What's the weather like in Copenhagen?")
await question.toolNames('currentWeather').call().content()

await assert.rejects(
  // @ts-expect-error a name the registry does not have does not compile
  question.toolNames('currentWether').call().content(),
  /No tool is called "currentWether".*currentWeather/,
)

const asked = received(model.prompts)
assert.deepEqual(asked[0]?.tools, ['currentWeather'])
assert.deepEqual(asked[1]?.results, ['{"temp":30,"unit":"C"}'])
assert.equal(asked.length, 2, 'the model was not asked with the wrong name')
