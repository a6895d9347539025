/**
 * Mirrors the quick start's second try: the same question without the tool. The model is told of
 * none.
 */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

const model = scriptedModel([
  'I am an AI and do not have access to real-time information. Please provide the current date.',
])
const run = ChatClient.create(model).prompt('What day is tomorrow?').call()
console.log(await run.content())

const [only, ...more] = received(model.prompts)
assert.deepEqual(only?.messages, [{ role: 'user', content: 'What day is tomorrow?' }])
assert.deepEqual(only?.tools, [])
assert.deepEqual(more, [])
assert.equal((await run.result()).rounds.length, 1)
