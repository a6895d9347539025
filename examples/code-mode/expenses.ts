/**
 * Expenses of forty people: who spent too much gets a letter, and somebody has to approve the mailing. The model writes one
 * program; it makes 42 calls, and the model reads one line. `ask` ends while the program waits; another process, `decide`, goes
 * on with it from a file.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { codeMode } from '@toolwright/code-mode'
import { ChatClient, textOf, tool, type RunState } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { runAgain, temporaryFile } from '../database/shared/processes.ts'

const PEOPLE = Array.from({ length: 40 }, (_none, at) => `person-${at + 1}`)
const person = z.object({ person: z.enum(PEOPLE) })

const listPeople = tool({
  name: 'listPeople',
  description: 'All people, by name',
  output: z.array(z.string()),
  execute: () => PEOPLE,
})
const getExpenses = tool({
  name: 'getExpenses',
  description: 'What somebody spent this quarter, item by item',
  input: person,
  output: z.array(z.object({ item: z.string(), amount: z.number() })),
  execute: ({ person: name }) => {
    const number = PEOPLE.indexOf(name) + 1
    return ['travel', 'meals', 'hotel'].map((item, at) => ({ item, amount: number * (at + 1) }))
  },
})
const sendLetters = tool({
  name: 'sendLetters',
  description: 'Send each of these people a letter about their expenses',
  input: z.object({ people: z.array(z.string()), limit: z.number() }),
  approval: true,
  preview: ({ people }) => `${people.length} letters, to ${people.join(', ')}`,
  execute: ({ people, limit }) => {
    console.log(`  post: ${people.length} letters about more than ${limit}`)
    return { sent: people.length }
  },
})

/** Stands for what a language model would write. */
const PROGRAM = `
const limit: number = 225
const people = await tools.listPeople({})
const totals = await Promise.all(
  people.map(async (person) => {
    const items = await tools.getExpenses({ person })
    return { person, total: items.reduce((sum, { amount }) => sum + amount, 0) }
  }),
)
const over = totals.filter(({ total }) => total > limit)
console.log(over.length, 'of', people.length, 'are over the limit')
const { sent } = await tools.sendLetters({ people: over.map(({ person }) => person), limit })
return { over: over.length, highest: Math.max(...totals.map(({ total }) => total)), sent }
`.trim()

const client = ChatClient.create(
  scriptedModel([
    ({ messages }) => {
      const last = messages.at(-1)!
      if (last.role === 'tool') return `The program says: ${textOf(last)}`
      return { toolCalls: [{ name: 'runProgram', arguments: { code: PROGRAM } }] }
    },
  ]),
  {
    tools: [codeMode({ tools: [listPeople, getExpenses, sendLetters] })],
    stateSecret: 'the same in both processes',
  },
)

async function ask(file: string): Promise<void> {
  const run = client.prompt('Who spent more than 225? Write to them.').stream()
  let calls = 0
  for await (const event of run) {
    if (event.type === 'tool-result' && event.parentCallId !== undefined) calls += 1
    if (event.type === 'tool-progress') console.log(`  ${JSON.stringify(event.progress)}`)
  }
  const { status, pending, state } = await run.result()
  const [letters] = pending!
  console.log(`${status} after ${calls} calls, at line ${letters!.line}: ${letters!.callId}`)
  console.log(`  ${String(letters!.preview)}`)
  writeFileSync(file, JSON.stringify({ state, callId: letters!.callId }))
}

async function decide(file: string): Promise<void> {
  const waiting = JSON.parse(readFileSync(file, 'utf8')) as { state: RunState; callId: string }
  const { state, callId } = waiting
  console.log(
    await client
      .resume(state, { [callId]: 'approve' })
      .call()
      .content(),
  )
}

const [file, role] = process.argv.slice(2)
if (file !== undefined) await (role === 'ask' ? ask(file) : decide(file))
else {
  const shared = temporaryFile('waiting.json')
  assert.match(runAgain(shared, 'ask'), /^suspended after 41 calls, at line 11: call_1\/41$/m)
  const decided = runAgain(shared, 'decide')
  assert.match(decided, /^ {2}post: 3 letters about more than 225\n/)
  assert.match(decided, /"over":3,"highest":240,"sent":3/)
}
