/**
 * Mirrors the bean `new DelegatingToolCallbackResolver(List.of(staticToolCallbackResolver))`:
 * several resolvers are asked in turn, the first that knows the name wins.
 */
import assert from 'node:assert/strict'
import { ChatClient, delegatingResolver, staticResolver, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'
import { weatherRegistry } from './shared/weather-registry.ts'

const lunch = tool({ name: 'lunch', description: 'From the list', execute: () => 'Fish' })
const resolver = delegatingResolver([staticResolver([lunch]), weatherRegistry()])

const model = scriptedModel([{ toolCalls: [{ name: 'lunch' }] }, 'Fish.'])
const client = ChatClient.create(model, { resolver })
await client.prompt('Lunch outside?').toolNames('lunch', 'currentWeather').call().content()
await assert.rejects(
  client.prompt('Lunch?').toolNames('lunsh').call().content(),
  /No tool is called "lunsh".*lunch/,
)

const [first, second] = received(model.prompts)
assert.deepEqual(
  first?.definitions.map(({ name, description }) => [name, description]),
  [
    ['lunch', 'From the list'],
    ['currentWeather', 'Get the weather in location'],
  ],
)
assert.deepEqual(second?.results, ['Fish'])
