/**
 * Mirrors `ToolCallResultConverter` and
 * `@Tool(resultConverter = CustomToolCallResultConverter.class)`: one function from what the tool
 * returned to what the model reads.
 */
import assert from 'node:assert/strict'
import { ChatClient, Tool, type ToolCallResultConverter } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { customerRepository, type Customer } from './shared/customers.ts'
import { received } from './shared/received.ts'

const asSentence: ToolCallResultConverter<Customer> = ({ id, name }, { definition }) =>
  `${definition.name}: customer ${id} is called ${name}.`

class CustomerTools {
  @Tool({
    description: 'Retrieve customer information',
    input: z.object({ id: z.number().int() }),
    resultConverter: asSentence,
  })
  getCustomerInfo({ id }: { id: number }): Customer {
    return customerRepository.findById(id)
  }
}

const model = scriptedModel([
  { toolCalls: [{ name: 'getCustomerInfo', arguments: { id: 42 } }] },
  'That is Ada.',
])
await ChatClient.create(model)
  .prompt('Who is customer 42?')
  .tools(new CustomerTools())
  .call()
  .content()

const [, second] = received(model.prompts)
assert.deepEqual(second?.results, ['getCustomerInfo: customer 42 is called Ada.'])
assert.ok(!second?.everything.includes('ada@acme.test'), 'the model reads what the converter says')
