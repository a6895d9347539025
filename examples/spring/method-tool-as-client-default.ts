/**
 * Mirrors `.defaultTools(toolCallback)` with a `MethodToolCallback`: in every request of every
 * user of the client.
 */
import assert from 'node:assert/strict'
import { ChatClient, methodTool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

class Stock {
  readonly #left = new Map([['anvil', 3]])

  count(): number {
    return this.#left.get('anvil') ?? 0
  }
}
const count = methodTool({
  object: new Stock(),
  method: 'count',
  name: 'countAnvils',
  description: 'How many anvils are left',
})

const model = scriptedModel([{ toolCalls: [{ name: 'countAnvils' }] }, 'Three.', 'OK.', 'OK.'])
const client = ChatClient.create(model, { tools: [count] })
await client.prompt('How many anvils are left?').call().content()
await client.prompt('And what time is it?').call().content()
await client.prompt('Wake me at 7').tools(new DateTimeTools()).call().content()

const [first, second, third, replaced] = received(model.prompts)
assert.deepEqual(first?.tools, ['countAnvils'])
assert.deepEqual(second?.results, ['3'])
assert.deepEqual(third?.tools, ['countAnvils'])
assert.deepEqual(replaced?.tools, ['getCurrentDateTime', 'setAlarm'])
