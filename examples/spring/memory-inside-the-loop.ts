/**
 * Mirrors `.disableInternalConversationHistory()` with the memory advisor inside the loop (order +
 * 400): memory keeps every step. `.disableMemory()` of 1.x with a memory outside would send tool
 * results without their calls: here that is an error.
 */
import assert from 'node:assert/strict'
import {
  advisor,
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

const roles = (messages: readonly { role: string }[]) => messages.map(({ role }) => role)
const sentByLoop: string[][] = []
const spy = advisor({
  name: 'spy',
  order: ORDER.first + 350,
  before: ({ prompt }) => void sentByLoop.push(roles(prompt.messages)),
})

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
  'A Wednesday.',
])
const client = ChatClient.create(model, { advisors: [inside, loop, spy], system: 'Be brief.' })
for (const question of ['What day is tomorrow?', 'And which weekday?'])
  await client.prompt(question).tools(new DateTimeTools()).conversation('c-1').call().content()

const newest = [
  ['system', 'user'],
  ['system', 'tool'],
  ['system', 'user'],
]
assert.deepEqual(sentByLoop, newest)
const [, second, third] = received(model.prompts)
assert.deepEqual(roles(second?.messages ?? []), ['system', 'user', 'assistant', 'tool'])
assert.deepEqual(second?.results, ['2015-10-20 07:28:00 UTC'])
const kept = ['user', 'assistant', 'tool', 'assistant', 'user']
assert.deepEqual(roles(third?.messages ?? []), ['system', ...kept])
assert.deepEqual(roles(await memory.get('c-1')), [...kept, 'assistant'])

assert.throws(
  () => ChatClient.create(model, { advisors: [outside, loop] }),
  /no memory advisor stands inside the loop/,
)
