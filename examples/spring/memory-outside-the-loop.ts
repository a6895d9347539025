/**
 * Mirrors `MessageChatMemoryAdvisor.builder(chatMemory).build()` at its default order, outside the
 * loop: history is loaded once, the user's message and the final answer are stored, tool messages
 * stay in the run.
 */
import assert from 'node:assert/strict'
import { ChatClient, chatMemoryAdvisor, messageWindowMemory } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const memory = messageWindowMemory()
const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
  'You asked for the day of tomorrow.',
])
const client = ChatClient.create(model, {
  tools: [new DateTimeTools()],
  advisors: [chatMemoryAdvisor(memory)],
})
await client.prompt('What day is tomorrow?').conversation('c-1').call().content()
await client.prompt('What did I ask?').conversation('c-1').call().content()

const asked = received(model.prompts)
assert.deepEqual(asked[1]?.results, ['2015-10-20 07:28:00 UTC'], 'inside, the loop has its history')
const exchange = [
  { role: 'user', content: 'What day is tomorrow?' },
  { role: 'assistant', content: 'Tomorrow is 2015-10-21.' },
  { role: 'user', content: 'What did I ask?' },
]
assert.deepEqual(asked[2]?.messages, exchange)
assert.deepEqual((await memory.get('c-1')).slice(0, 3), exchange)
