/** Every type of event, in one stream that ends waiting for consent, and in the resumed one. */
import assert from 'node:assert/strict'
import { advisor, ChatClient, tool, type ChatEvent } from 'toolwright'
import { countingIds, scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: z.object({ city: z.string() }),
  *execute({ city }) {
    yield `asking the station of ${city}`
    return { city, celsius: -3 }
  },
})
const book = tool({
  name: 'book',
  description: 'Book a cabin',
  input: z.object({ nights: z.number() }),
  approval: true,
  execute: ({ nights }) => `${nights} nights are booked`,
})
const toolCall = (id: string, name: string, input: object) =>
  ({ type: 'tool-call', id, name, arguments: JSON.stringify(input) }) as const
const model = scriptedModel([
  {
    parts: [
      { type: 'reasoning', text: 'First the weather.', providerData: { signature: 'c2lnbmVk' } },
      { type: 'text', text: 'Let me see.' },
      toolCall('call_1', 'weather', { city: 'Oslo' }),
    ],
    usage: { inputTokens: 40, outputTokens: 12, totalTokens: 52 },
  },
  { parts: [toolCall('call_2', 'book', { nights: 2 })] },
  'Booked. Dress warmly.',
])
const quota = advisor({
  name: 'quota',
  before: ({ emit, phase }) => {
    const message = 'You have 3 questions left today.'
    if (phase === 'start') emit({ type: 'notice', code: 'quota', message, data: { left: 3 } })
  },
})

const client = ChatClient.create(model, {
  tools: [weather, book],
  advisors: [quota],
  ids: countingIds(),
})

const types = new Set<string>()
/** Prints an event on one line; responses and state, which are long, by the part that matters here. */
function show({ type, runId: _runId, ...event }: ChatEvent): void {
  types.add(type)
  const line = JSON.stringify({ type, ...event }, (key, value: unknown) =>
    key === 'response' && 'results' in Object(value)
      ? { ...Object(value), results: '[…]' }
      : key === 'state'
        ? '{…}'
        : value,
  )
  console.log(line)
}

const run = client.prompt('A cabin near Oslo?').stream()
for await (const event of run) show(event)
const { state, pending } = await run.result()

console.log('resumed:')
for await (const event of client.resume(state!, { [pending![0]!.callId]: 'approve' }).stream())
  show(event)

assert.equal(types.size, 13)
