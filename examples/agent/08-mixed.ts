/** A mixed agent: a function, a pure schema with an activity, and a latent tool, all in one answer and one executor. */
import assert from 'node:assert/strict'
import { tool } from 'toolwright'
import { agentRegistry, runAgent } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const convert = tool({
  name: 'convert',
  description: 'Converts euros to kroner. Returns a number.',
  input: z.object({ euros: z.number().positive() }),
  execute: ({ euros }) => euros * 11,
})
const registry = agentRegistry()
registry.activity('price', () => 20)
const context = [
  {
    type: 'tool' as const,
    tool: {
      price: {
        type: 'object' as const,
        description: 'Returns the price in euros.',
        properties: { of: { type: 'string' } },
      },
      slogan: {
        type: 'object' as const,
        properties: { about: { type: 'string' }, _output: { type: 'string' } },
      },
    },
  },
  { type: 'text' as const, text: 'Advertise the book' },
]
const calls = [
  { _tool: 'price', of: 'book', _outputPath: '†data.euros' },
  { _tool: 'convert', euros: '†data.euros', _reasoningForCall: 'Readers pay in kroner' },
  { _tool: 'slogan', about: 'book', _output: 'Read on!' },
]
const model = scriptedModel([
  JSON.stringify({ meta: {}, calls, output: null }),
  JSON.stringify({ meta: {}, calls: [], output: { text: 'Read on! 220 kr' } }),
])
const config = { model, registry, tools: [convert], reasoning: 'optional' as const }
const { output, errors, messages } = await runAgent(config, z.object({ text: z.string() }), context)
console.log(output.text)
assert.deepEqual([output, errors], [{ text: 'Read on! 220 kr' }, []])
assert.ok(messages.some((each) => 'data' in each && JSON.stringify(each.data).includes('220')))
