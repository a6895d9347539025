/** Mirrors "define a ToolCallback from a ChatClient, to build a modular agentic application". */
import assert from 'node:assert/strict'
import { ChatClient, clientTool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const secretaryModel = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Today is Tuesday.',
])
const secretary = ChatClient.create(secretaryModel, {
  system: 'You know everything about dates.',
  tools: [new DateTimeTools()],
})

const model = scriptedModel([
  { toolCalls: [{ name: 'secretary', arguments: { prompt: 'What day is it?' } }] },
  'The shop is open: it is Tuesday.',
])
await ChatClient.create(model)
  .prompt('Is the shop open?')
  .tools(clientTool(secretary, { name: 'secretary', description: 'Ask about dates and times' }))
  .call()
  .content()

const [askedToSecretary] = received(secretaryModel.prompts)
assert.equal(askedToSecretary?.newest, 'What day is it?')
assert.ok(!askedToSecretary?.everything.includes('shop'), 'each has its own conversation')
const [first, second] = received(model.prompts)
assert.deepEqual(first?.tools, ['secretary'])
assert.deepEqual(second?.results, ['Today is Tuesday.'])
