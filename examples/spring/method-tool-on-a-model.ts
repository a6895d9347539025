/**
 * Mirrors `ToolCallingChatOptions.builder().toolCallbacks(toolCallback)` with a
 * `MethodToolCallback`.
 */
import assert from 'node:assert/strict'
import { hasToolCalls, methodTool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

class Bell {
  rung = 0

  ring(): void {
    this.rung += 1
  }
}
const bell = new Bell()
const ring = methodTool({ object: bell, method: 'ring', description: 'Ring the bell' })

const model = scriptedModel([{ toolCalls: [{ name: 'ring' }] }])
const response = await model.call({
  messages: [{ role: 'user', content: 'Ring!' }],
  options: { tools: [ring] },
})

assert.deepEqual(
  received(model.prompts)[0]?.definitions.map(({ name, description }) => [name, description]),
  [['ring', 'Ring the bell']],
)
assert.ok(hasToolCalls(response))
assert.equal(bell.rung, 0, 'nothing was executed')
