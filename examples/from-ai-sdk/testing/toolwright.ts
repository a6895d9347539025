/** A test of a program with a tool: what the model was told, what the tool got, and a script that is too short. */
import assert from 'node:assert/strict'
import { ChatClient, textOf, tool, type ChatModel } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const asked: string[] = []
const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => {
    asked.push(city)
    return { celsius: -3 }
  },
})
const advice = (model: ChatModel, city: string): Promise<string> =>
  ChatClient.create(model).prompt(`What do I wear in ${city}?`).tools(weather).call().content()

const model = scriptedModel([
  { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
  (prompt) => `Dress for ${textOf(prompt.messages.at(-1)!)}.`,
])
assert.equal(await advice(model, 'Oslo'), 'Dress for {"celsius":-3}.')
assert.deepEqual(asked, ['Oslo'])
assert.equal(model.prompts.length, 2)

const tooShort = scriptedModel([{ toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }])
console.log(await advice(tooShort, 'Oslo').catch(String))
