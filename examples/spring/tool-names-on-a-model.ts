/**
 * Mirrors `ToolCallingChatOptions.builder().toolNames("currentWeather")` and
 * `chatModel.call(prompt)`: the model's own resolver finds the tool; an unknown name is an error
 * before anything is sent.
 */
import assert from 'node:assert/strict'
import { openaiCompatible } from 'toolwright/openai'
import { recordedProvider } from './shared/recorded-provider.ts'
import { weatherRegistry } from './shared/weather-registry.ts'

const provider = recordedProvider()
const model = openaiCompatible('qwen3', {
  baseUrl: 'http://127.0.0.1:11434/v1',
  transport: provider.transport,
  resolver: weatherRegistry(),
})
const messages = [{ role: 'user', content: "What's the weather like in Copenhagen?" }] as const
await model.call({ messages, options: { toolNames: ['currentWeather'] } })
await assert.rejects(
  model.call({ messages, options: { toolNames: ['currentWether'] } }),
  /No tool is called "currentWether".*currentWeather/,
)

assert.deepEqual(provider.tools(), [['currentWeather']])
