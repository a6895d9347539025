/**
 * Mirrors the hook methods of `ToolCallingAdvisor` (`doInitializeLoop`, `doBeforeCall`,
 * `doAfterCall`, `doGetNextInstructionsForToolCall`, `doFinalizeLoop`): options instead of a
 * subclass.
 */
import assert from 'node:assert/strict'
import { ChatClient, toolCallingAdvisor, type Message } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const hooks: string[] = []
const reminder: Message = { role: 'user', content: 'Answer in one word.' }
const loop = toolCallingAdvisor({
  onLoopStart: () => void hooks.push('start'),
  beforeRound: (request) => void hooks.push(`before round ${request.round}`),
  afterRound: (_response, state) => void hooks.push(`after round ${state.rounds.length}`),
  nextMessages: (messages) => [...messages, reminder],
  onLoopEnd: (answer) => void hooks.push(`end after ${answer.rounds.length}`),
})

const model = scriptedModel([{ toolCalls: [{ name: 'getCurrentDateTime' }] }, 'Wednesday.'])
await ChatClient.create(model, { advisors: [loop] })
  .prompt('What day is tomorrow?')
  .tools(new DateTimeTools())
  .call()
  .content()

const [first, second] = received(model.prompts)
assert.deepEqual(hooks, [
  'start',
  ...['before round 1', 'after round 1'],
  ...['before round 2', 'after round 2'],
  'end after 2',
])
assert.equal(first?.newest, 'What day is tomorrow?')
assert.equal(second?.newest, 'Answer in one word.')
assert.deepEqual(second?.results, ['2015-10-20 07:28:00 UTC'])
