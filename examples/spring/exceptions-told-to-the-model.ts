/**
 * Mirrors the default `ToolExecutionExceptionProcessor`: the message goes to the model, which can
 * mend it. Spring always throws checked exceptions and errors; here `rethrow` names the classes
 * that end the run.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { customerRepository } from './shared/customers.ts'
import { received } from './shared/received.ts'

class DatabaseDown extends Error {}
const getCustomerInfo = tool({
  name: 'getCustomerInfo',
  description: 'Retrieve customer information',
  input: z.object({ id: z.number().int() }),
  execute: ({ id }) => {
    if (id === 13) throw new DatabaseDown('no route to host')
    return customerRepository.findById(id).name
  },
})
const ask = (id: number) => ({ toolCalls: [{ name: 'getCustomerInfo', arguments: { id } }] })

const model = scriptedModel([ask(7), ask(42), 'You mean Ada, number 42.', ask(13)])
const client = ChatClient.create(model, { tools: [getCustomerInfo], rethrow: [DatabaseDown] })
await client.prompt('Who is customer 7?').call().content()
await assert.rejects(client.prompt('And 13?').call().content(), DatabaseDown)

const asked = received(model.prompts)
assert.deepEqual(asked[1]?.results, [{ error: 'There is no customer 7' }])
assert.deepEqual(asked[2]?.results, ['Ada'])
assert.equal(asked.length, 4)
