/**
 * Mirrors the rule for several calls at once: only when all of them return direct do the results
 * go to the caller; otherwise they all go to the model.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

const direct = (name: string) =>
  tool({ name, description: `Say ${name}`, returnDirect: true, execute: () => name })
const usual = tool({ name: 'three', description: 'Say three', execute: () => 'three' })
const client = (...calls: string[]) => {
  const model = scriptedModel([{ toolCalls: calls.map((name) => ({ name })) }, 'Counted.'])
  return {
    model,
    answer: ChatClient.create(model, { tools: [direct('one'), direct('two'), usual] })
      .prompt('Count')
      .call()
      .content(),
  }
}

const allDirect = client('one', 'two')
assert.equal(await allDirect.answer, 'one\n\ntwo')
assert.equal(received(allDirect.model.prompts).length, 1)

const mixed = client('one', 'three')
assert.equal(await mixed.answer, 'Counted.')
assert.deepEqual(received(mixed.model.prompts)[1]?.results, ['one', 'three'])
