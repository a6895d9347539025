/**
 * Mirrors `OllamaChatModel.builder().options(... .toolCallbacks(dateTimeTools))` with the tools of
 * a class. Everybody who uses the model shares its default tools; tools of a prompt replace them.
 */
import assert from 'node:assert/strict'
import { toolsOf } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { recordedProvider } from './shared/recorded-provider.ts'

const provider = recordedProvider()
const model = openaiCompatible('qwen3', {
  baseUrl: 'http://127.0.0.1:11434/v1',
  transport: provider.transport,
  options: { tools: [new DateTimeTools()] },
})
const messages = [{ role: 'user', content: 'What day is tomorrow?' }] as const
const [now] = toolsOf(new DateTimeTools())
await model.call({ messages })
await model.call({ messages, options: { tools: [now!] } })

assert.deepEqual(provider.tools(), [['getCurrentDateTime', 'setAlarm'], ['getCurrentDateTime']])
