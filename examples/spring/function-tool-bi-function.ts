/**
 * Mirrors a `BiFunction<Request, ToolContext, Response>` in a `FunctionToolCallback`: input and
 * context.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { customerRepository } from './shared/customers.ts'
import { received } from './shared/received.ts'

const findCustomer = tool({
  name: 'findCustomer',
  description: 'Retrieve customer information',
  input: z.object({ id: z.number().int() }),
  context: z.object({ tenantId: z.string() }),
  execute: ({ id }, context) => customerRepository.findById(id, context.values.tenantId),
})

const model = scriptedModel([
  { toolCalls: [{ name: 'findCustomer', arguments: { id: 42 } }] },
  'That is Grace.',
])
await ChatClient.create(model)
  .prompt('Who is customer 42?')
  .tools(findCustomer)
  .toolContext({ tenantId: 'globex' })
  .call()
  .content()

const [first, second] = received(model.prompts)
assert.deepEqual(Object.keys(first?.definitions[0]?.inputSchema.properties ?? {}), ['id'])
assert.deepEqual(second?.results, ['{"id":42,"name":"Grace"}'])
