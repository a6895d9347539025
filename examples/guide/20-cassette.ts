/** A conversation on a cassette: recorded once, replayed offline, and what a changed program is told. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatClient, tool } from 'toolwright'
import { cassette, CassetteError, scriptedModel } from 'toolwright/testing'

const folder = mkdtempSync(join(tmpdir(), 'cassettes-'))
const file = join(folder, 'oven.cassette.json')
let runs = 0

/** In a test the model would be a real one: `model: () => openai('gpt-5.4')`. */
async function ask(question: string, mode: 'record' | 'replay'): Promise<string> {
  const oven = tool({
    name: 'oven',
    description: 'Heat the oven',
    execute: () => `${++runs} oven is hot`,
  })
  const model = () => scriptedModel([{ toolCalls: [{ name: 'oven' }] }, 'You can bake now.'])
  const tape = cassette(file, { model, tools: [oven], mode })
  const client = ChatClient.create(tape.model, { tools: tape.tools })
  const answer = await client.prompt(question).call().content()
  await tape.finish()
  return answer
}

assert.equal(await ask('Heat the oven.', 'record'), 'You can bake now.')
assert.equal(await ask('Heat the oven.', 'replay'), 'You can bake now.')
assert.equal(runs, 1)

const error = await ask('Heat the pan.', 'replay').catch((thrown: unknown) => thrown)
assert.ok(error instanceof CassetteError && error.code === 'cassette-mismatch')
console.log(error.message.replace(folder, '.'))
assert.deepEqual(error.differences, [
  { path: '$.messages[0].content', recorded: '"Heat the oven."', received: '"Heat the pan."' },
])
rmSync(folder, { recursive: true })
