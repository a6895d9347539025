/**
 * Mirrors
 * `ToolCallingAdvisor.builder().toolCallingManager(...).advisorOrder(HIGHEST_PRECEDENCE + 300)`
 * (in 1.x `ToolCallAdvisor`) among the `defaultAdvisors`: the loop is an advisor, and you may
 * bring your own.
 */
import assert from 'node:assert/strict'
import { ChatClient, ORDER, toolCallingAdvisor, toolCallingManager } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const loop = toolCallingAdvisor({
  manager: toolCallingManager({ limits: { rounds: 3 } }),
  order: ORDER.first + 300,
})
assert.equal(loop.order, ORDER.toolCalling, 'which is the default')

const now = { toolCalls: [{ name: 'getCurrentDateTime' }] }
const model = scriptedModel([now, 'Tomorrow is 2015-10-21.', now, now, now])
const client = ChatClient.create(model, { advisors: [loop] })
const question = client.prompt('What day is tomorrow?').tools(new DateTimeTools())

assert.equal(await question.call().content(), 'Tomorrow is 2015-10-21.')
const { status } = await question.call().result()
assert.equal(status, 'limit', 'the loop is the given one: three rounds')

const asked = received(model.prompts)
assert.deepEqual(asked[1]?.results, ['2015-10-20 07:28:00 UTC'])
assert.equal(asked.length, 5)
assert.throws(
  () => ChatClient.create(model, { advisors: [loop, toolCallingAdvisor()] }),
  /more than one/,
)
