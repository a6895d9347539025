/**
 * Mirrors a `Consumer` in a `FunctionToolCallback`: an input, no result. The model is told `Done`.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

const notes: string[] = []
const takeNote = tool({
  name: 'takeNote',
  description: 'Write down something to remember',
  input: z.object({ text: z.string() }),
  execute: ({ text }) => {
    notes.push(text)
  },
})

const model = scriptedModel([
  { toolCalls: [{ name: 'takeNote', arguments: { text: 'Buy milk' } }] },
  'I wrote it down.',
])
await ChatClient.create(model).prompt('Remember to buy milk').tools(takeNote).call().content()

assert.deepEqual(notes, ['Buy milk'])
assert.deepEqual(received(model.prompts)[1]?.results, ['Done'])
