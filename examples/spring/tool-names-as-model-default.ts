/**
 * Mirrors `OllamaChatModel.builder().defaultOptions(... .toolNames("currentWeather"))`: shared by
 * all its users.
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
  options: { toolNames: ['currentWeather'] },
})
const messages = [{ role: 'user', content: "What's the weather like in Copenhagen?" }] as const
await model.call({ messages })
await model.call({ messages, options: { toolNames: ['lunch'] } })
await model.call({ messages, options: { tools: [] } })

assert.deepEqual(provider.tools(), [['currentWeather'], ['lunch'], []])
