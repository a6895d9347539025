/** The loop by hand: ask once, look at the calls, run them through the one executor, ask again. */
import assert from 'node:assert/strict'
import {
  agentRegistry,
  requestAgent,
  runCalls,
  type AgentConfig,
  type AgentMessage,
} from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'

const paid: number[] = []
const registry = agentRegistry()
const pay = registry.tool('pay', {
  type: 'object',
  description: 'Pays an amount. Returns a receipt.',
  properties: { amount: { type: 'number' } },
  required: ['amount'],
})
pay.activity(({ amount }) => `receipt ${paid.push(amount)}`, { approval: true })

const model = scriptedModel([
  '{ "meta": {}, "calls": [{ "_tool": "pay", "amount": 250 }], "output": null }',
  '{ "meta": {}, "calls": [], "output": "Paid." }',
])
const config: AgentConfig = { model, registry }
let context: readonly AgentMessage[] = [
  { type: 'tool', tool: pay },
  { type: 'text', text: 'Pay the bill of 250' },
]

const first = await requestAgent(config, { type: 'string' }, context)
const waiting = await runCalls(config, first.calls, context)
assert.deepEqual(waiting.pending?.map(({ toolName, input }) => [toolName, input]), [['pay', { amount: 250 }]]) // prettier-ignore
assert.deepEqual(paid, [])

const decisions = { [waiting.pending![0]!.callId]: 'approve' as const }
const resume = { state: waiting.state!, decisions }
const ran = await runCalls({ ...config, resume }, first.calls, context)
assert.equal(ran.responses[0]!.content, 'receipt 1')

context = ran.messages
const { output } = await requestAgent(config, { type: 'string' }, context)
console.log(output)
assert.equal(output, 'Paid.')
assert.deepEqual(paid, [250])
