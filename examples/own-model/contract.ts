/** A model of your own keeps the contract of all models: the suite says so, and a client can use it. */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { chatModelContract, failedCases } from 'toolwright/testing'
import { engineModel } from './shared/engine-model.ts'
import { scriptedEngine } from './shared/scripted-engine.ts'

const suite = chatModelContract({
  seesRequests: true,
  // The engine does not tell what it thought.
  reasoning: false,
  create(turns, options) {
    const engine = scriptedEngine(turns)
    return {
      model: engineModel(engine, options),
      sent: () => engine.requests.map((request) => JSON.stringify(request)),
    }
  },
})
const failures = await failedCases(suite)
for (const { name, error } of failures) console.error(name, error)
console.log(`${suite.length - failures.length} of ${suite.length} cases passed`)
assert.deepEqual(failures, [])

const time = tool({ name: 'time', description: 'What time is it', execute: () => '12:00' })
const engine = scriptedEngine([
  { toolCalls: [{ id: 'call_1', name: 'time', arguments: ['{}'] }] },
  { text: ['It is ', 'noon.'] },
])
const answer = await ChatClient.create(engineModel(engine))
  .prompt('What time is it?')
  .tools(time)
  .call()
  .content()
console.log(answer)
assert.equal(answer, 'It is noon.')
