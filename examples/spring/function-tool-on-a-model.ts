/**
 * Mirrors `ToolCallingChatOptions.builder().toolCallbacks(toolCallback)` and
 * `chatModel.call(prompt)`: a model called directly is told of the tool and returns its calls
 * unexecuted.
 */
import assert from 'node:assert/strict'
import { tool, toolCallsOf, type ChatOptions } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'
import { askForWeather, weatherIn, weatherRequest } from './shared/weather.ts'

const asked: string[] = []
const currentWeather = tool({
  name: 'currentWeather',
  description: 'Get the weather in location',
  input: weatherRequest,
  execute: (request) => {
    asked.push(request.location)
    return weatherIn(request)
  },
})

const options: ChatOptions = { tools: [currentWeather] }
const model = scriptedModel([askForWeather])
const response = await model.call({
  messages: [{ role: 'user', content: "What's the weather like in Copenhagen?" }],
  options,
})

assert.deepEqual(received(model.prompts)[0]?.tools, ['currentWeather'])
const [call] = toolCallsOf(response)
assert.equal(call?.arguments, '{"location":"Copenhagen","unit":"C"}')
assert.deepEqual(asked, [], 'nothing was executed')
