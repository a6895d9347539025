/** One tool: the model asks for the weather, gets it, and answers. */
import assert from 'node:assert/strict'
import { generateText, stepCountIs, tool } from 'ai'
import { z } from 'zod'
import { aiSdkModel } from '../shared/models.ts'

const model = aiSdkModel([{ call: 'weather', input: '{"city":"Oslo"}' }, 'Cold: -3 °C.'])

const weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string().describe('The name of a city') }),
  execute: ({ city }) => ({ city, celsius: -3 }),
})

const { text } = await generateText({
  model,
  prompt: 'How is the weather in Oslo?',
  tools: { weather },
  stopWhen: stepCountIs(20),
})

console.log(text)
assert.equal(text, 'Cold: -3 °C.')
