/** Tools by name: a registry finds them, and the compiler knows its names. */
import assert from 'node:assert/strict'
import { ChatClient, textOf, tool, toolRegistry, type ToolCallback } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const currentWeather = tool({
  description: 'Get the current weather of a city',
  input: z.object({ city: z.string().describe('The name of a city') }),
  execute: ({ city }) => `21 °C in ${city}`,
})
const registry = toolRegistry({ currentWeather })
  // Made when it is first wanted, once.
  .register('forecast', async () => tool({ execute: () => 'rain' }))
  .register('add', {
    description: 'Add two numbers',
    input: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => a + b,
  })

const model = scriptedModel([
  { toolCalls: [{ name: 'currentWeather', arguments: { city: 'Copenhagen' } }] },
  (prompt) => `I looked it up: ${textOf(prompt.messages.at(-1)!)}`,
])
const client = ChatClient.create(model, { resolver: registry })
const request = client.prompt('How warm is it in Copenhagen?').toolNames('currentWeather')

console.log(await request.call().content())
assert.equal(textOf(model.prompts[1]!.messages.at(-1)!), '21 °C in Copenhagen')
const offered = model.prompts[0]!.options!.tools as readonly ToolCallback[]
assert.deepEqual(
  offered.map((each) => each.definition.name),
  ['currentWeather'],
)

// @ts-expect-error a misspelt name does not compile; in JavaScript it is an error before the model is asked
const misspelt = client.prompt('Go').toolNames('curentWeather').call().content()
await assert.rejects(misspelt, /Did you mean "currentWeather"/)
