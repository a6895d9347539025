/**
 * Mirrors `OllamaChatModel.builder().options(... .toolCallbacks(toolCallback))` with a
 * `MethodToolCallback`.
 */
import assert from 'node:assert/strict'
import { ChatClient, methodTool, tool } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { recordedProvider } from './shared/recorded-provider.ts'

class Bell {
  ring(): string {
    return 'ding'
  }
}
const ring = methodTool({ object: new Bell(), method: 'ring', description: 'Ring the bell' })
const lunch = tool({ name: 'lunch', description: 'What is for lunch', execute: () => 'Soup' })

const provider = recordedProvider()
const model = openaiCompatible('qwen3', {
  baseUrl: 'http://127.0.0.1:11434/v1',
  transport: provider.transport,
  options: { tools: [ring] },
})
const messages = [{ role: 'user', content: 'Ring!' }] as const
await model.call({ messages })
await model.call({ messages, options: { tools: [lunch] } })
await ChatClient.create(model, { tools: [lunch] })
  .prompt('Ring!')
  .call()
  .content()

assert.deepEqual(provider.tools(), [['ring'], ['lunch'], ['lunch']])
