/** A second model steps in when the first fails, also in the middle of a conversation. */
import assert from 'node:assert/strict'
import { ChatClient, fallbackModel, ProviderError, textOf, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const stock = tool({
  name: 'stock',
  description: 'How many bicycles are in stock',
  execute: () => 3,
})

// The first model asks for the tool, and is gone when its result is there.
const down = new ProviderError('provider-unavailable', 'Overloaded.', { provider: 'first' })
const first = scriptedModel([{ toolCalls: [{ name: 'stock' }] }, { error: down }])
const second = scriptedModel([
  (prompt) => `There are ${textOf(prompt.messages.at(-1)!)} bicycles left.`,
])

const client = ChatClient.create(fallbackModel([first, second]), { tools: [stock] })
const run = client.prompt('How many bicycles do we have?').stream()
for await (const event of run) if (event.type === 'notice') console.log(event.message)
const { response } = await run.result()

console.log(textOf(response))
assert.equal(textOf(response), 'There are 3 bicycles left.')
// The second saw the whole conversation, the first one's call included.
assert.deepEqual(
  second.prompts[0]!.messages.map((message) => message.role),
  ['user', 'assistant', 'tool'],
)
