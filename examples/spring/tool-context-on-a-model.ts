/**
 * Mirrors `ToolCallingChatOptions.builder().toolContext(Map.of("tenantId", "acme"))` and
 * `chatModel.call(prompt)`: the context waits in the options for whoever runs the calls; it never
 * goes over the wire.
 */
import assert from 'node:assert/strict'
import { tool, toolCallingManager, type ChatResponse, type Prompt } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { z } from 'zod'
import { customerRepository } from './shared/customers.ts'
import { recordedProvider } from './shared/recorded-provider.ts'

const getCustomerInfo = tool({
  name: 'getCustomerInfo',
  description: 'Retrieve customer information',
  input: z.object({ id: z.number().int() }),
  execute: ({ id }, context) => customerRepository.findById(id, String(context.get('tenantId'))),
})

const provider = recordedProvider()
const model = openaiCompatible('qwen3', {
  baseUrl: 'http://127.0.0.1:11434/v1',
  transport: provider.transport,
})
const prompt: Prompt = {
  messages: [{ role: 'user', content: 'Tell me more about the customer with ID 42' }],
  options: { tools: [getCustomerInfo], toolContext: { tenantId: 'globex' } },
}
await model.call(prompt)
assert.deepEqual(provider.tools(), [['getCustomerInfo']])
assert.doesNotMatch(JSON.stringify(provider.sent), /tenantId|globex/)

const call = { type: 'tool-call', id: 'call_1', name: 'getCustomerInfo', arguments: '{"id":42}' }
const response = {
  results: [
    { message: { role: 'assistant', content: [call] }, finishReason: 'tool-calls', metadata: {} },
  ],
  usage: {},
  metadata: {},
} as ChatResponse
const { responses } = await toolCallingManager().executeToolCalls(prompt, response)
assert.equal(responses[0]?.content, '{"id":42,"name":"Grace"}')
