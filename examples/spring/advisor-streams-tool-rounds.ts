/**
 * Mirrors `streamToolCallResponses`: whether the text of rounds that call tools belongs to the
 * answer. A stream shows it as it comes either way; only with `true` is it part of the final
 * response.
 */
import assert from 'node:assert/strict'
import { ChatClient, textOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const script = [
  { text: 'Let me look. ', toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
]
const ask = async (streamToolCallResponses: boolean) => {
  const model = scriptedModel(script)
  const run = ChatClient.create(model, { toolCalling: { streamToolCallResponses } })
    .prompt('What day is tomorrow?')
    .tools(new DateTimeTools())
    .stream()
  let shown = ''
  for await (const text of run.content()) shown += text
  return { model, shown, answer: textOf(await run.chatResponse()) }
}

const onlyTheAnswer = await ask(false)
const everything = await ask(true)

for (const { shown, model } of [onlyTheAnswer, everything]) {
  assert.equal(shown, 'Let me look. Tomorrow is 2015-10-21.')
  assert.deepEqual(received(model.prompts)[1]?.results, ['2015-10-20 07:28:00 UTC'])
}
assert.equal(onlyTheAnswer.answer, 'Tomorrow is 2015-10-21.')
assert.equal(everything.answer, 'Let me look. Tomorrow is 2015-10-21.')
