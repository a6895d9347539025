/** An answer as typed data, with tools on the way: checked by a schema, and asked for again when it does not fit. */
import assert from 'node:assert/strict'
import { ChatClient, textOf, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const trains = tool({
  name: 'trains',
  description: 'Trains between two cities',
  input: z.object({ from: z.string(), to: z.string() }),
  execute: () => 'ICE 73 at 08:04, ICE 75 at 10:04',
})
const Trip = z.object({ train: z.string(), leaves: z.iso.time().describe('Departure, HH:MM') })
const model = scriptedModel([
  { toolCalls: [{ name: 'trains', arguments: { from: 'Berlin', to: 'Basel' } }] },
  'Sure!\n```json\n{ "train": "ICE 73", "leaves": "early" }\n```',
  '{ "train": "ICE 73", "leaves": "08:04" }',
])

const run = ChatClient.create(model).prompt('First train to Basel?').tools(trains).call()
const trip = await run.entity(Trip)
console.log(`${trip.train} leaves at ${trip.leaves}`)

assert.deepEqual(trip, { train: 'ICE 73', leaves: '08:04' })
// The model was told what was wrong, and where.
assert.match(textOf(model.prompts[2]!.messages.at(-1)!), /\$\.leaves: /)
const { messages, rounds } = await run.result()
assert.equal(rounds.length, 3)
// The conversation holds the question as it was asked and the answer that fits, nothing in between.
assert.deepEqual(
  messages.map((message) => message.role),
  ['user', 'assistant', 'tool', 'assistant'],
)
assert.equal(textOf(messages[0]!), 'First train to Basel?')
