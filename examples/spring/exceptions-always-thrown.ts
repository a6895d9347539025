/**
 * Mirrors `new DefaultToolExecutionExceptionProcessor(true)` and the property
 * `spring.ai.tools.throw-exception-on-error=true`: a tool's exception ends the run.
 */
import assert from 'node:assert/strict'
import { ChatClient, defaultExceptionProcessor, ToolExecutionError } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { CustomerTools } from './shared/customer-tools.ts'
import { received } from './shared/received.ts'

const unknown = { toolCalls: [{ name: 'getCustomerInfo', arguments: { id: 7 } }] }
const sameThings = [
  { exceptionProcessor: defaultExceptionProcessor({ alwaysThrow: true }) },
  { throwOnError: true },
]

for (const settings of sameThings) {
  const model = scriptedModel([unknown])
  const client = ChatClient.create(model, { tools: [new CustomerTools()], ...settings })
  await assert.rejects(client.prompt('Who is customer 7?').call().content(), (error) => {
    assert.ok(error instanceof ToolExecutionError)
    assert.equal(error.toolName, 'getCustomerInfo')
    assert.equal((error.cause as Error).message, 'There is no customer 7')
    return true
  })
  assert.equal(received(model.prompts).length, 1, 'the model was not asked again')
}
