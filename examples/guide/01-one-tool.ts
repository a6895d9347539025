/** One tool: the model asks for it, toolwright checks and runs it, the model answers. */
import assert from 'node:assert/strict'
import { ChatClient, textOf, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const weather = tool({
  name: 'currentWeather',
  description: 'Get the current weather of a city',
  input: z.object({
    city: z.string().describe('The name of a city'),
    unit: z.enum(['C', 'F']).optional().describe('Unit of temperature, C by default'),
  }),
  execute: ({ city, unit = 'C' }) => ({ city, temperature: unit === 'C' ? 21 : 70, unit }),
})

// The model's part, played from a script; with a key this would be openaiCompatible(...) or anthropic(...).
const model = scriptedModel([
  { toolCalls: [{ name: 'currentWeather', arguments: { city: 'Copenhagen' } }] },
  (prompt) => `I looked it up: ${textOf(prompt.messages.at(-1)!)}`,
])

const answer = await ChatClient.create(model)
  .prompt('How warm is it in Copenhagen?')
  .tools(weather)
  .call()
  .content()

console.log(answer)
assert.equal(answer, 'I looked it up: {"city":"Copenhagen","temperature":21,"unit":"C"}')
