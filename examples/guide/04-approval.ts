/** A call that needs consent suspends the run. The state is signed JSON: store it, decide later, go on elsewhere. */
import assert from 'node:assert/strict'
import { ChatClient, tool, type RunState } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const paid: number[] = []
const pay = tool({
  name: 'pay',
  description: 'Pay an invoice',
  input: z.object({ invoice: z.string(), amount: z.number() }),
  approval: ({ amount }) => amount > 100,
  preview: ({ invoice, amount }) => `Pays ${amount} for ${invoice}.`,
  execute: ({ amount }) => {
    paid.push(amount)
    return 'paid'
  },
})
const model = scriptedModel([
  { toolCalls: [{ name: 'pay', arguments: { invoice: 'A-1', amount: 250 } }] },
  'The invoice is paid.',
])
const client = ChatClient.create(model, {
  tools: [pay],
  stateSecret: 'a secret shared by both processes',
})

const first = await client.prompt('Pay invoice A-1').call().result()
console.log(first.status, first.pending)
assert.equal(first.status, 'suspended')
assert.deepEqual(paid, [])

const stored = JSON.stringify(first.state)
const [waiting] = first.pending!
const resumed = client.resume(JSON.parse(stored) as RunState, { [waiting!.callId]: 'approve' })
console.log(await resumed.call().content())
assert.deepEqual(paid, [250])
