/** `ToolContext` may stand anywhere among the parameters; the model neither sees nor chooses it. */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { CustomerTools } from './shared/customer-tools.ts'
import { customerTools } from './shared/customer-tools.tools.ts'

const model = scriptedModel([
  { toolCalls: [{ name: 'updateCustomerInfo', arguments: { id: 42, name: 'Grace Hopper' } }] },
  { toolCalls: [{ name: 'getCustomerInfo', arguments: { id: 42 } }] },
  'Done.',
])
const { messages } = await ChatClient.create(model)
  .prompt('Customer 42 is called Grace Hopper now')
  .tools(customerTools(new CustomerTools()))
  .toolContext({ tenantId: 'globex' })
  .call()
  .result()

const read = messages.flatMap((message) => (message.role === 'tool' ? message.responses : []))
assert.equal(read[0]?.content, 'Updated customer 42: Grace Hopper')
assert.equal(read[1]?.content, '{"id":42,"name":"Grace"}')
const [get, update] = customerTools(new CustomerTools())
assert.deepEqual(Object.keys(get?.definition.inputSchema.properties ?? {}), ['id'])
assert.deepEqual(update?.definition.inputSchema.required, ['id', 'name'])
console.log(read[1]?.content)
