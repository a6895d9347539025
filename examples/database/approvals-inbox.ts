/**
 * An inbox of approvals: `ask` runs until it needs somebody and ends. Another process, `decide`, finds in the database
 * what waits, decides and goes on with the runs.
 */
import assert from 'node:assert/strict'
import { openDatabase, sqlRunStore, type Database } from '@toolwright/sql'
import { ChatClient, textOf, tool, type Prompt } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { runAgain, temporaryDatabase } from './shared/processes.ts'

const pay = tool({
  name: 'pay',
  description: 'Pay an invoice',
  input: z.object({ amount: z.number() }),
  approval: true,
  preview: ({ amount }) => `Pays ${amount}.`,
  execute: ({ amount }) => `${amount} is paid.`,
})

/** Stands for a language model: calls the tool, then tells what came of it. */
function step({ messages }: Prompt) {
  const last = messages.at(-1)!
  if (last.role === 'tool') return `I asked, and: ${last.responses[0]!.content}`
  return { toolCalls: [{ name: 'pay', arguments: { amount: Number(/\d+/.exec(textOf(last))) } }] }
}

const clientOn = (database: Database) =>
  ChatClient.create(scriptedModel([step, step]), {
    tools: [pay],
    runStore: sqlRunStore(database),
    stateSecret: 'the same in both processes',
  })

async function ask(database: Database): Promise<void> {
  const client = clientOn(database)
  for (const amount of [20, 9000]) {
    const key = { tenant: 'acme', conversation: `invoice of ${amount}` }
    const { status } = await client.prompt(`Pay ${amount}`).conversation(key).call().result()
    console.log(`invoice of ${amount}: ${status}`)
  }
}

async function decide(database: Database): Promise<void> {
  const client = clientOn(database)
  const { runs } = await sqlRunStore(database).list({ tenant: 'acme' })
  console.log(`${runs.length} wait`)
  for (const { pending, state } of runs) {
    const [call] = pending
    const { amount } = call!.input as { amount: number }
    const decision = amount < 1000 ? 'approve' : { deny: 'too much' }
    const answer = await client
      .resume(state, { [call!.callId]: decision })
      .call()
      .content()
    console.log(`  ${String(call!.preview)} ${answer}`)
  }
}

const [address, role] = process.argv.slice(2)
if (address !== undefined) {
  await using database = await openDatabase(address)
  await (role === 'ask' ? ask(database) : decide(database))
} else {
  const shared = temporaryDatabase()
  runAgain(shared, 'ask')
  assert.match(runAgain(shared, 'decide'), /^2 wait\n.*20 is paid.*\n.*too much/)
  assert.equal(runAgain(shared, 'decide'), '0 wait\n')
}
