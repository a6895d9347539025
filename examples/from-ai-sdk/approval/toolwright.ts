/** A payment waits for consent; another process, which has only what was stored, gives it and goes on. */
import assert from 'node:assert/strict'
import { ChatClient, tool, type RunState } from 'toolwright'
import { z } from 'zod'
import { handedOver, inAnotherProcess, isTheOther } from '../shared/another-process.ts'
import { toolwrightModel } from '../shared/models.ts'

const pay = tool({
  name: 'pay',
  description: 'Pay an invoice',
  input: z.object({ invoice: z.string(), amount: z.number() }),
  approval: true,
  execute: ({ invoice, amount }) => console.log(`  ${amount} is paid for ${invoice}`),
})
const clientOf = (...steps: Parameters<typeof toolwrightModel>[0]) =>
  ChatClient.create(toolwrightModel(steps), {
    tools: [pay],
    stateSecret: 'shared by both processes',
  })

if (!isTheOther()) {
  const client = clientOf({ call: 'pay', input: '{"invoice":"A-1","amount":250}' })
  const { pending, state } = await client.prompt('Pay invoice A-1').call().result()
  console.log('waiting for', pending![0]!.toolName, pending![0]!.input)
  const stored = JSON.stringify(state)
  console.log('approved:')
  const printed = inAnotherProcess(stored)
  console.log(printed.trimEnd())
  console.log('with another amount in what was stored:')
  const forged = inAnotherProcess(stored.replaceAll('250', '9250'))
  console.log(forged.trimEnd())
  assert.match(printed, /250 is paid for A-1[^]*resumed before/)
  assert.doesNotMatch(forged, /is paid/)
} else {
  const state = JSON.parse(handedOver()) as RunState
  const client = clientOf('The invoice is paid.', 'The invoice is paid again.')
  const decide = { [state.pending[0]!.callId]: 'approve' } as const
  for (const time of ['first', 'second']) {
    const answer = await client.resume(state, decide).call().content().catch(String)
    console.log(`  ${time} time: ${answer}`)
  }
}
