/** Inside the loop a memory sees every round: tool calls and results are remembered for the next question. */
import assert from 'node:assert/strict'
import { ChatClient, chatMemoryAdvisor, messageWindowMemory, ORDER, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

let looks = 0
const stock = tool({
  name: 'stock',
  description: 'How many chairs are left',
  execute: () => (looks++, '3 chairs, 2 of them red'),
})
const model = scriptedModel([
  { toolCalls: [{ name: 'stock' }] },
  'Three chairs are left.',
  // The result of the first question is still there, so the tool need not be called again.
  (prompt) => {
    const result = prompt.messages.find((message) => message.role === 'tool')
    return `Red ones: ${/(\d) of them red/.exec(JSON.stringify(result))?.[1] ?? 'unknown'}`
  },
])
const memory = messageWindowMemory()
const client = ChatClient.create(model, {
  tools: [stock],
  advisors: [chatMemoryAdvisor(memory, { order: ORDER.toolCalling + 1 })],
})

await client.prompt('How many chairs?').conversation('shop').call().content()
const answer = await client.prompt('How many are red?').conversation('shop').call().content()

console.log(answer)
assert.equal(answer, 'Red ones: 2')
assert.equal(looks, 1)
const roles = (await memory.get('shop')).map((message) => message.role)
assert.deepEqual(roles, ['user', 'assistant', 'tool', 'assistant', 'user', 'assistant'])
