/**
 * Mirrors "ToolCallback Beans": tools defined once, in one place, and handed to whoever needs
 * them. A module of tools is the configuration class, `import` is `@Autowired`; a record names the
 * tools by its keys.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'
import { askForWeather, weatherIn, weatherRequest } from './shared/weather.ts'

const weatherTools = {
  currentWeather: tool({
    description: 'Get the weather in location',
    input: weatherRequest,
    execute: weatherIn,
  }),
}

const model = scriptedModel([askForWeather, 'It is 30 °C.', askForWeather, 'Still 30 °C.'])
const question = "What's the weather like in Copenhagen?"
await ChatClient.create(model).prompt(question).tools(weatherTools).call().content()
await ChatClient.create(model, { tools: [weatherTools] })
  .prompt(question)
  .call()
  .content()

const [first, second, third, fourth] = received(model.prompts)
assert.deepEqual(first?.tools, ['currentWeather'])
assert.deepEqual(third?.tools, ['currentWeather'])
for (const after of [second, fourth]) assert.deepEqual(after?.results, ['{"temp":30,"unit":"C"}'])
