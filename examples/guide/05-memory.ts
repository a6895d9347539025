/** Memory is an advisor. Outside the loop it keeps what was said; the tools' messages stay inside the run. */
import assert from 'node:assert/strict'
import { ChatClient, chatMemoryAdvisor, messageWindowMemory, textOf, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const memory = messageWindowMemory({ maxMessages: 20 })
const model = scriptedModel([
  'Hello Ada.',
  { toolCalls: [{ name: 'lunch' }] },
  (prompt) => {
    const remembered = prompt.messages.some((message) => textOf(message) === 'My name is Ada.')
    return remembered ? 'Soup, Ada.' : 'Soup, stranger.'
  },
])
const lunch = tool({ name: 'lunch', description: 'What is for lunch', execute: () => 'soup' })
const client = ChatClient.create(model, { tools: [lunch], advisors: [chatMemoryAdvisor(memory)] })

await client.prompt('My name is Ada.').conversation('table 4').call().content()
const answer = await client.prompt('What is for lunch?').conversation('table 4').call().content()

console.log(answer)
assert.equal(answer, 'Soup, Ada.')
const kept = await memory.get('table 4')
assert.deepEqual(
  kept.map((message) => message.role),
  ['user', 'assistant', 'user', 'assistant'],
)
