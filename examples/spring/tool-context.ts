/**
 * Mirrors `ToolContext` as a parameter of a tool method and
 * `.toolContext(Map.of("tenantId", "acme"))`: data of the application for the tools. The model
 * neither sees nor chooses it.
 */
import assert from 'node:assert/strict'
import { ChatClient, Tool, type ToolContext } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { customerRepository, type Customer } from './shared/customers.ts'
import { received } from './shared/received.ts'

class CustomerTools {
  @Tool({
    description: 'Retrieve customer information',
    input: z.object({ id: z.number().int() }),
    context: z.object({ tenantId: z.string() }),
  })
  getCustomerInfo({ id }: { id: number }, context: ToolContext<{ tenantId: string }>): Customer {
    return customerRepository.findById(id, context.get('tenantId'))
  }
}

const model = scriptedModel([
  { toolCalls: [{ name: 'getCustomerInfo', arguments: { id: 42 } }] },
  'Customer 42 is Grace.',
])
await ChatClient.create(model)
  .prompt('Tell me more about the customer with ID 42')
  .tools(new CustomerTools())
  .toolContext({ tenantId: 'globex' })
  .call()
  .content()

const [first, second] = received(model.prompts)
assert.deepEqual(Object.keys(first?.definitions[0]?.inputSchema.properties ?? {}), ['id'])
assert.deepEqual(second?.results, ['{"id":42,"name":"Grace"}'])
assert.doesNotMatch(second?.everything ?? '', /tenantId|globex/)
