/** Mirrors `@Tool(returnDirect = true)`: the result is the answer; the model is not asked again. */
import assert from 'node:assert/strict'
import { ChatClient, Tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { customerRepository, type Customer } from './shared/customers.ts'
import { received } from './shared/received.ts'

class CustomerTools {
  @Tool({
    description: 'Retrieve customer information',
    input: z.object({ id: z.number().int() }),
    returnDirect: true,
  })
  getCustomerInfo({ id }: { id: number }): Customer {
    return customerRepository.findById(id)
  }
}

const model = scriptedModel([{ toolCalls: [{ name: 'getCustomerInfo', arguments: { id: 42 } }] }])
const run = ChatClient.create(model)
  .prompt('Tell me more about the customer with ID 42')
  .tools(new CustomerTools())
  .call()

assert.equal(await run.content(), '{"id":42,"name":"Ada","email":"ada@acme.test"}')
const { results } = await run.chatResponse()
assert.equal(results[0]?.finishReason, 'return-direct')
assert.deepEqual(results[0]?.metadata, { callId: 'call_1', toolName: 'getCustomerInfo' })
assert.equal(received(model.prompts).length, 1, 'the model never reads the result')
