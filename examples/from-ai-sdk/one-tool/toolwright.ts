/** One tool: the model asks for the weather, gets it, and answers. */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { z } from 'zod'
import { toolwrightModel } from '../shared/models.ts'

const model = toolwrightModel([{ call: 'weather', input: '{"city":"Oslo"}' }, 'Cold: -3 °C.'])

const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: z.object({ city: z.string().describe('The name of a city') }),
  execute: ({ city }) => ({ city, celsius: -3 }),
})

const answer = await ChatClient.create(model)
  .prompt('How is the weather in Oslo?')
  .tools(weather)
  .call()
  .content()

console.log(answer)
assert.equal(answer, 'Cold: -3 °C.')
