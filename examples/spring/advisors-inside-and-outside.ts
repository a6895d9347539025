/**
 * Mirrors "other advisors in the chain can intercept and observe each tool call iteration": above
 * the loop's order an advisor stands inside and sees every round, below it stands outside and sees
 * the run once.
 */
import assert from 'node:assert/strict'
import { advisor, ChatClient, ORDER } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const seen: string[] = []
const watch = (name: string, order: number) =>
  advisor({
    name,
    order,
    before: ({ prompt }) => void seen.push(`${name}: ${prompt.messages.at(-1)?.role}`),
    after: ({ response }) => void seen.push(`${name}: ${response.results[0]?.finishReason}`),
  })

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
])
await ChatClient.create(model, {
  advisors: [watch('inside', ORDER.toolCalling + 1), watch('outside', ORDER.toolCalling - 1)],
})
  .prompt('What day is tomorrow?')
  .tools(new DateTimeTools())
  .call()
  .content()

assert.deepEqual(seen, [
  'outside: user',
  ...['inside: user', 'inside: tool-calls'],
  ...['inside: tool', 'inside: stop'],
  'outside: stop',
])
assert.deepEqual(received(model.prompts)[1]?.results, ['2015-10-20 07:28:00 UTC'])
