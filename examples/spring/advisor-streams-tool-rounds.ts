/**
 * Mirrors `streamToolCallResponses`: whether the text of rounds that call tools belongs to the answer. `true`
 * streams the text of every round, `false` only the final answer, held back until its round turns out to be the
 * last. Unset, a stream shows everything as it comes, and the final response has the answer only.
 */
import assert from 'node:assert/strict'
import { ChatClient, textOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const script = [
  { text: 'Let me look.', toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
]
const ask = async (toolCalling: { readonly streamToolCallResponses?: boolean }) => {
  const model = scriptedModel(script)
  const run = ChatClient.create(model, { toolCalling })
    .prompt('What day is tomorrow?')
    .tools(new DateTimeTools())
    .stream()
  let shown = ''
  for await (const text of run.content()) shown += text
  assert.deepEqual(received(model.prompts)[1]?.results, ['2015-10-20 07:28:00 UTC'])
  return { shown, answer: textOf(await run.chatResponse()) }
}

const answer = 'Tomorrow is 2015-10-21.'
const everything = `Let me look.\n\n${answer}`
assert.deepEqual(await ask({}), { shown: everything, answer })
assert.deepEqual(await ask({ streamToolCallResponses: true }), {
  shown: everything,
  answer: everything,
})
assert.deepEqual(await ask({ streamToolCallResponses: false }), { shown: answer, answer })
