/**
 * Mirrors `@ToolParam(required = false)` and `@Nullable`: everything is required unless optional,
 * at every depth. A model must send what is required: of a value it does not know, it makes one
 * up.
 */
import assert from 'node:assert/strict'
import { ChatClient, Tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

const customer = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string().optional(),
  address: z.object({ city: z.string(), street: z.string().optional() }).optional(),
})

class CustomerTools {
  readonly updated: z.infer<typeof customer>[] = []

  @Tool({ description: 'Update customer information', input: customer })
  updateCustomerInfo(update: z.infer<typeof customer>): void {
    this.updated.push(update)
  }
}

const model = scriptedModel([
  { toolCalls: [{ name: 'updateCustomerInfo', arguments: { id: 42, email: 'a@b.test' } }] },
  { toolCalls: [{ name: 'updateCustomerInfo', arguments: { id: 42, name: 'Ada' } }] },
  'Updated.',
])
const tools = new CustomerTools()
await ChatClient.create(model).prompt('Customer 42 is Ada').tools(tools).call().content()

const [first, second, third] = received(model.prompts)
const schema = first?.definitions[0]?.inputSchema
assert.deepEqual(schema?.required, ['id', 'name'])
assert.deepEqual((schema?.properties?.['address'] as typeof schema)?.required, ['city'])
assert.match(JSON.stringify(second?.results), /error.*name/, 'what is required must be there')
assert.deepEqual(third?.results, ['Done'])
assert.deepEqual(tools.updated, [{ id: 42, name: 'Ada' }])
