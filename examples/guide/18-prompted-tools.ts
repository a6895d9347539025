/**
 * Tools for a model that has none: it is told about them in its system message, and its calls are read from what it
 * writes. Here the model follows a script.
 */
import assert from 'node:assert/strict'
import { ChatClient, promptedTools, textOf, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, celsius: -3 }),
})

const plain = scriptedModel(
  [
    'Let me look.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    'It is cold in Oslo.',
  ],
  { capabilities: { tools: false } },
)

const client = ChatClient.create(promptedTools(plain), { tools: [weather] })
const run = client.prompt('How is the weather in Oslo?').stream()
for await (const event of run) {
  if (event.type === 'text-delta') console.log(event.text.trim())
  if (event.type === 'tool-execution-start') console.log('runs weather', event.input)
}

// The model has read the definition of the tool and its result; it was offered no tools.
const [first, second] = plain.prompts
assert.match(textOf(first!.messages[0]!), /"name":"weather","description":"The weather of a city"/)
assert.deepEqual(first!.options?.tools, [])
assert.match(textOf(second!.messages.at(-1)!), /<tool_result name="weather">\n.*"celsius":-3/)
