/**
 * A run on an engine of one's own: the first process is killed while a tool runs. The second goes on from the file and finds a
 * call whose outcome nobody knows; the third is told what happened, and finishes.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatClient, textOf, tool, type Decisions, type Prompt } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { runAgain } from '../database/shared/processes.ts'
import { FileDurability } from './shared/file-durability.ts'

const reserve = tool({
  name: 'reserve',
  description: 'Reserve what was ordered',
  effect: 'keyed',
  execute: (_input, { idempotencyKey }) => (console.log(`  reserve ${idempotencyKey}`), 'reserved'),
})
const ship = tool({
  name: 'ship',
  description: 'Hand the parcel over',
  effect: 'once',
  execute: () => (
    console.log('  ship, and the process dies'),
    process.kill(process.pid, 'SIGKILL')
  ),
})

/** Stands for a language model: it reads what was done and calls the next tool. */
function answer({ messages }: Prompt) {
  const results = messages.filter(({ role }) => role === 'tool')
  console.log(`  model, round ${results.length + 1}`)
  const name = ['reserve', 'ship'][results.length]
  return name === undefined
    ? `Order 7: ${textOf(messages.at(-1)!)}.`
    : { toolCalls: [{ id: `call_${name}`, name, arguments: {} }] }
}

async function work(path: string, decisions?: Decisions): Promise<void> {
  const client = ChatClient.create(scriptedModel([answer, answer, answer]), {
    tools: [reserve, ship],
    durability: new FileDurability(path, 'order-7'),
    stateSecret: 'the same in every process',
  })
  // The same question: what was recorded is not done again, so it leads to where the run stands.
  const found = await client.prompt('Deliver order 7').call().result()
  const result = decisions ? await client.resume(found.state!, decisions).call().result() : found
  const [waiting] = result.pending ?? []
  console.log(
    `  ${result.status}: ${waiting ? `${waiting.toolName}, ${waiting.kind}` : textOf(result.response)}`,
  )
}

const [path, decisions] = process.argv.slice(2)
if (path !== undefined)
  await work(path, decisions ? (JSON.parse(decisions) as Decisions) : undefined)
else {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-example-'))
  const file = join(folder, 'order-7.jsonl')
  console.log('first process')
  runAgain(file)
  console.log('second process')
  assert.match(runAgain(file), /^ {2}suspended: ship, unknown-outcome\n$/)
  console.log('third process')
  const told = runAgain(file, JSON.stringify({ call_ship: { result: 'it was handed over' } }))
  assert.match(told, /^ {2}model, round 3\n {2}done: Order 7: it was handed over\.\n$/)
  rmSync(folder, { recursive: true })
}
