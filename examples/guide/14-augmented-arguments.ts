/** Extra arguments: the model says why it calls a tool; the program reads it, the tool never sees it. */
import assert from 'node:assert/strict'
import { augmentTools, ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const received: unknown[] = []
const weather = tool({
  name: 'weather',
  description: 'The current weather of a city',
  input: z.object({ city: z.string() }),
  execute: (input) => (received.push(input), 'rain'),
})

const thoughts: string[] = []
const thinking = augmentTools(weather, {
  input: z.object({
    innerThought: z.string().describe('Your step-by-step reasoning for calling this tool'),
    confidence: z.enum(['low', 'medium', 'high']).optional(),
  }),
  onArguments: ({ toolDefinition, arguments: { innerThought } }) =>
    void thoughts.push(`${toolDefinition.name}: ${innerThought}`),
})

const call = { city: 'Bergen', innerThought: 'They plan a walk.', confidence: 'high' }
const model = scriptedModel([{ toolCalls: [{ name: 'weather', arguments: call }] }, 'Take a coat.'])
const client = ChatClient.create(model, { tools: [thinking] })
const answer = await client.prompt('Walk in Bergen?').call().content()

console.log(answer, thoughts)
assert.deepEqual(thoughts, ['weather: They plan a walk.'])
assert.deepEqual(received, [{ city: 'Bergen' }])
