/**
 * Mirrors `.disableInternalConversationHistory()` with the memory advisor inside the loop (order +
 * 400): memory keeps every step. `.disableMemory()` of 1.x with a memory outside would send tool
 * results without their calls: here that is an error.
 */
import assert from 'node:assert/strict'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  ORDER,
  toolCallingAdvisor,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const memory = messageWindowMemory()
const loop = toolCallingAdvisor({ conversationHistory: false, order: ORDER.first + 300 })
const inside = chatMemoryAdvisor(memory, { order: ORDER.first + 400 })
const outside = chatMemoryAdvisor(memory, { order: ORDER.first + 200 })

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
])
await ChatClient.create(model, { advisors: [inside, loop], system: 'Be brief.' })
  .prompt('What day is tomorrow?')
  .tools(new DateTimeTools())
  .conversation('c-1')
  .call()
  .content()

const [, second] = received(model.prompts)
const roles = (messages: readonly { role: string }[]) => messages.map(({ role }) => role)
assert.deepEqual(roles(second?.messages ?? []), ['system', 'user', 'assistant', 'tool'])
assert.deepEqual(second?.results, ['2015-10-20 07:28:00 UTC'])
assert.deepEqual(roles(await memory.get('c-1')), ['user', 'assistant', 'tool', 'assistant'])

assert.throws(
  () => ChatClient.create(model, { advisors: [outside, loop] }),
  /no memory advisor stands inside the loop/,
)
