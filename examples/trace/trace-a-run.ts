/** Traces a run into a file, and reads the file again: who did what, and what the round waited for. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { readTrace, traceFile } from 'toolwright/trace'

const path = join(mkdtempSync(join(tmpdir(), 'trace-')), 'run.jsonl')

const weather = tool({
  name: 'weather',
  description: 'Tell the weather',
  execute: () => sleep(50, 'Sunny'),
})
const calendar = tool({
  name: 'calendar',
  description: 'Look into the calendar',
  execute: () => 'Nothing today',
})
const model = scriptedModel([
  { toolCalls: [{ name: 'weather' }, { name: 'calendar' }], usage: { inputTokens: 120 } },
  { text: 'Go for a walk.', usage: { inputTokens: 160, outputTokens: 6 } },
])

const client = ChatClient.create(model, { observer: traceFile(path), tools: [weather, calendar] })
await client.prompt('What shall I do today?').call().content()

const [run] = readTrace(readFileSync(path, 'utf8')).runs
for (const { number, calls, waitedFor } of run!.legs[0]!.rounds) {
  const last = calls.find(({ id }) => id === waitedFor)
  console.log(`round ${number}: ${calls.map(({ name }) => name).join(', ') || 'answered'}`)
  if (last) console.log(`  waited for ${last.name}`)
}
console.log(run!.status, run!.usage.inputTokens, 'tokens in')

assert.equal(run!.legs[0]!.rounds[0]!.waitedFor, 'call_1')
// Without `content: true` no word of it is in the file.
assert.doesNotMatch(readFileSync(path, 'utf8'), /Sunny|walk|today/)
