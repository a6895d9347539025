/**
 * Mirrors "Dynamic specification: @Bean": functions under a name, found when a request asks for
 * them. The bean's name is the tool's, `@Description` its description.
 */
import assert from 'node:assert/strict'
import { ChatClient, toolRegistry } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'
import { askForWeather, weatherIn, weatherRequest } from './shared/weather.ts'

const registry = toolRegistry()
registry.register('currentWeather', {
  description: 'Get the weather in location',
  input: weatherRequest,
  execute: weatherIn,
})
registry.register('rollDice', { execute: () => 4 })

const model = scriptedModel([askForWeather, 'It is 30 °C.'])
await ChatClient.create(model, { resolver: registry })
  .prompt("What's the weather like in Copenhagen?")
  .toolNames('currentWeather', 'rollDice')
  .call()
  .content()

const [first, second] = received(model.prompts)
assert.deepEqual(
  first?.definitions.map(({ name, description }) => [name, description]),
  [
    ['currentWeather', 'Get the weather in location'],
    ['rollDice', 'roll dice'],
  ],
)
assert.deepEqual(second?.results, ['{"temp":30,"unit":"C"}'])
