/** A payment waits for consent; another process, which has only what was stored, gives it and goes on. */
import assert from 'node:assert/strict'
import { generateText, stepCountIs, tool, type ModelMessage } from 'ai'
import { z } from 'zod'
import { handedOver, inAnotherProcess, isTheOther } from '../shared/another-process.ts'
import { aiSdkModel, type Step } from '../shared/models.ts'

const pay = tool({
  description: 'Pay an invoice',
  inputSchema: z.object({ invoice: z.string(), amount: z.number() }),
  needsApproval: true,
  execute: ({ invoice, amount }) => console.log(`  ${amount} is paid for ${invoice}`),
})
const ask = (messages: ModelMessage[], ...steps: Step[]) =>
  generateText({
    model: aiSdkModel(steps),
    messages,
    tools: { pay },
    stopWhen: stepCountIs(20),
    experimental_toolApprovalSecret: 'shared by both processes',
  })

if (!isTheOther()) {
  const messages: ModelMessage[] = [{ role: 'user', content: 'Pay invoice A-1' }]
  const result = await ask(messages, { call: 'pay', input: '{"invoice":"A-1","amount":250}' })
  const request = result.content.find((part) => part.type === 'tool-approval-request')!
  console.log('waiting for', request.toolCall.toolName, request.toolCall.input)
  const { approvalId } = request
  const stored = JSON.stringify({
    approvalId,
    messages: [...messages, ...result.response.messages],
  })
  console.log('approved:')
  const printed = inAnotherProcess(stored)
  console.log(printed.trimEnd())
  console.log('with another amount in what was stored:')
  const forged = inAnotherProcess(stored.replaceAll('250', '9250'))
  console.log(forged.trimEnd())
  assert.match(printed, /250 is paid for A-1[^]*250 is paid for A-1/)
  assert.doesNotMatch(forged, /is paid/)
} else {
  const stored = JSON.parse(handedOver()) as { approvalId: string; messages: ModelMessage[] }
  const { approvalId } = stored
  const approval = { type: 'tool-approval-response', approvalId, approved: true } as const
  const messages: ModelMessage[] = [...stored.messages, { role: 'tool', content: [approval] }]
  for (const time of ['first', 'second']) {
    // The message of the error has an id in it that is another one each time.
    const answer = await ask(messages, 'The invoice is paid.').then(
      ({ text }) => text,
      (error: Error) => error.name,
    )
    console.log(`  ${time} time: ${answer}`)
  }
}
