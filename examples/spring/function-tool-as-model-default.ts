/**
 * Mirrors `OllamaChatModel.builder().options(... .toolCallbacks(toolCallback))`. Default tools of
 * a model are offered in every request of everybody who uses it; tools of a prompt replace them.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { recordedProvider } from './shared/recorded-provider.ts'
import { weatherIn, weatherRequest } from './shared/weather.ts'

const currentWeather = tool({
  name: 'currentWeather',
  description: 'Get the weather in location',
  input: weatherRequest,
  execute: weatherIn,
})
const lunch = tool({ name: 'lunch', description: 'What is for lunch', execute: () => 'Soup' })

const provider = recordedProvider()
const model = openaiCompatible('qwen3', {
  baseUrl: 'http://127.0.0.1:11434/v1',
  transport: provider.transport,
  options: { tools: [currentWeather] },
})
const messages = [{ role: 'user', content: "What's the weather like in Copenhagen?" }] as const
await model.call({ messages })
await model.call({ messages, options: { tools: [lunch] } })
await ChatClient.create(model).prompt(messages).call().content()

assert.deepEqual(provider.tools(), [['currentWeather'], ['lunch'], ['currentWeather']])
