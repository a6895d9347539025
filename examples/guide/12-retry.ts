/** Asking again, only while nothing has been shown: the tool that ran is never run twice. */
import assert from 'node:assert/strict'
import { ChatClient, ProviderError, retryAdvisor, tool } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'

const busy = {
  error: new ProviderError('provider-unavailable', 'Busy.', { provider: 'demo', retryable: true }),
}
let booked = 0
const book = tool({ name: 'book', description: 'Book a seat', execute: () => `seat ${++booked}` })
const model = scriptedModel([
  busy,
  { toolCalls: [{ name: 'book' }] },
  busy,
  busy,
  'Seat 1 is yours.',
])

const clock = manualClock()
const client = ChatClient.create(model, { tools: [book], advisors: [retryAdvisor({ clock })] })
const answer = client.prompt('Book a seat').call().content()
await clock.advance(60_000)

console.log(await answer)
assert.equal(booked, 1)
assert.equal(model.prompts.length, 5)
