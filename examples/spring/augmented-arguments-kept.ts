/**
 * Mirrors `removeExtraArgumentsAfterProcessing(false)`: the tool gets the extra arguments too. The
 * consumer gets the definition, the raw input and the extra arguments either way
 * (`AugmentedArgumentEvent`).
 */
import assert from 'node:assert/strict'
import { augmentTools, ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { received } from './shared/received.ts'

const taken: unknown[] = []
const takeNote = tool({
  name: 'takeNote',
  description: 'Write down something to remember',
  input: z.object({ text: z.string() }),
  execute: (input) => void taken.push(input),
})
const sent = { text: 'Buy milk', intent: 'shopping' }

for (const keepArguments of [true, false]) {
  const told: unknown[] = []
  const augmented = augmentTools(takeNote, {
    input: z.object({ intent: z.string().describe('What the user is up to') }),
    keepArguments,
    onArguments: ({ toolDefinition, rawInput, arguments: { intent } }) =>
      void told.push([toolDefinition.name, JSON.parse(rawInput), intent]),
  })
  const model = scriptedModel([{ toolCalls: [{ name: 'takeNote', arguments: sent }] }, 'Noted.'])
  await ChatClient.create(model).prompt('Remember the milk').tools(augmented).call().content()

  assert.deepEqual(told, [['takeNote', sent, 'shopping']])
  const [first, second] = received(model.prompts)
  assert.deepEqual(first?.definitions[0]?.inputSchema.required, ['text', 'intent'])
  assert.deepEqual(second?.results, ['Done'])
}
assert.deepEqual(taken, [sent, { text: 'Buy milk' }])
