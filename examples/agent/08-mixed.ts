/** A mixed agent: a method of a class, a schema with an activity and a latent tool, in one answer and one executor. */
import assert from 'node:assert/strict'
import { Tool } from 'toolwright'
import { agentRegistry, runAgent } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

class Bank {
  readonly rate = 11
  @Tool({ description: 'Returns kroner.', input: z.object({ euros: z.number() }) })
  toKroner({ euros }: { euros: number }): number {
    return euros * this.rate
  }
}
const registry = agentRegistry()
const of = { type: 'string' } as const
registry.tool('price', { type: 'object', description: 'Returns euros.', properties: { of } })
registry.tool('slogan', { type: 'object', properties: { of, _output: { type: 'string' } } })
registry.activity('price', () => 20)

const calls = [
  { _tool: 'toKroner', euros: '†data.euros', _reasoningForCall: 'Readers pay in kroner' },
  { _tool: 'price', of: 'book', _outputPath: '†data.euros' },
  { _tool: 'slogan', of: 'book', _output: 'Read on!' },
]
const model = scriptedModel([
  JSON.stringify({ meta: {}, calls, output: null }),
  JSON.stringify({ meta: {}, calls: [], output: { text: 'Read on! 220 kr' } }),
])
const config = { model, registry, tools: [new Bank()] }
const { output, messages } = await runAgent(config, z.object({ text: z.string() }), [
  { type: 'tool', tool: 'price' },
  { type: 'tool', tool: 'slogan' },
  { type: 'text', text: 'Advertise the book' },
])
console.log(output.text)
const data = messages.flatMap((message) => ('data' in message ? [message.data] : []))
assert.deepEqual(data.at(-1), { tool: 'toKroner', result: 220 })
assert.equal(data.length, 3)
