/**
 * Refunds that survive the machine. `ask` starts two and ends while they wait for somebody; another process, `decide`, finds them
 * in the database and approves. Of one the customer changes her mind: `cancel` takes back what was done.
 * `DATABASE_URL=postgres://… npx tsx refund.ts` runs it on a database that has no such runs yet.
 */
import assert from 'node:assert/strict'
import { durableRuns, type DurableRuns } from '@toolwright/dbos'
import { ChatClient, textOf, tool, type Prompt } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { runAgain } from '../database/shared/processes.ts'
import { shopDatabase } from './shared/shop-database.ts'

const input = z.object({ order: z.number() })
const refund = tool({
  name: 'refund',
  description: 'Refund an order',
  input,
  approval: true,
  // The bank knows the key: however often it is sent, the money moves once.
  effect: 'keyed',
  execute({ order }, { idempotencyKey }) {
    console.log(`  bank: refund, key ${idempotencyKey}`)
    return `order ${order} is refunded`
  },
  undo({ order }) {
    console.log(`  bank: the refund of order ${order} is taken back`)
  },
})
const apologise = tool({
  name: 'apologise',
  description: 'Send a letter',
  input,
  approval: true,
  execute: ({ order }) => `a letter about order ${order} is sent`,
})

/** Stands for a language model: refunds, apologises, and says what was done. */
function answer({ messages }: Prompt) {
  const order = Number(/\d+/.exec(textOf(messages[0]!)))
  const done = messages.filter(({ role }) => role === 'tool').map((message) => textOf(message))
  const name = ['refund', 'apologise'][done.length]
  if (name === undefined) return `Done: ${done.join(', ')}.`
  return { toolCalls: [{ id: `${name}-${order}`, name, arguments: { order } }] }
}

const support = ChatClient.create(scriptedModel([answer, answer, answer, answer]), {
  tools: [refund, apologise],
})

async function ask(durable: DurableRuns): Promise<void> {
  for (const order of [7, 9]) {
    const input = { prompt: `Refund order ${order}` }
    const run = await durable.start('support', input, { runId: `order-${order}` })
    const { status, pending } = await run.result()
    console.log(`${run.runId}: ${status} at ${pending?.[0]?.toolName}`)
  }
}

async function decide(durable: DurableRuns): Promise<void> {
  const { runs } = await durable.list({ status: 'suspended' })
  for (const { runId, pending } of runs) {
    const [call] = pending!
    const run = await durable.decide(runId, { [call!.callId]: 'approve' })
    for await (const event of run.events())
      if (event.type === 'tool-result')
        console.log(`  ${event.toolCall.name}: ${event.response.content}`)
    const { status, response } = await run.result()
    console.log(`${runId}: ${status}${status === 'done' ? `. ${textOf(response)}` : ''}`)
  }
}

async function cancel(durable: DurableRuns): Promise<void> {
  const run = await durable.attach('order-9')
  const { undone, notUndone } = await run.cancel({ undo: true })
  console.log(`undone: ${undone.map(({ toolName }) => toolName).join(', ')}`)
  console.log(`left: ${notUndone.length}`)
}

const [url, role] = process.argv.slice(2)
if (url !== undefined) {
  await using durable = await durableRuns({ url, clients: { support } })
  await { ask, decide, cancel }[role as 'ask' | 'decide' | 'cancel'](durable)
} else {
  await using database = await shopDatabase()
  if (database) {
    runAgain(database.url, 'ask')
    runAgain(database.url, 'decide')
    assert.match(runAgain(database.url, 'cancel'), /taken back\nundone: refund\nleft: 0\n$/)
    assert.match(runAgain(database.url, 'decide'), /^order-7: done/m)
  }
}
