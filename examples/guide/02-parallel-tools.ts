/** Calls of one answer run at the same time; the results keep the order of the calls, failures included. */
import assert from 'node:assert/strict'
import { ChatClient, tool, type Message } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

let running = 0
let most = 0
const lookUp = tool({
  name: 'lookUp',
  description: 'Look up one stock price',
  input: z.object({ symbol: z.string() }),
  execute: async ({ symbol }) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, symbol === 'SLOW' ? 20 : 1))
    running--
    if (symbol === 'NONE') throw new Error('no such symbol')
    return `${symbol} 42`
  },
})
const calls = ['SLOW', 'NONE', 'FAST'].map((symbol) => ({ name: 'lookUp', arguments: { symbol } }))
const model = scriptedModel([{ toolCalls: calls }, 'Two of three were found.'])

const { messages } = await ChatClient.create(model).prompt('Prices?').tools(lookUp).call().result()

const results = messages.find(
  (message): message is Extract<Message, { role: 'tool' }> => message.role === 'tool',
)!
for (const response of results.responses)
  console.log(response.isError ? 'error ' : 'result', response.content)
assert.deepEqual(
  results.responses.map((response) => response.content),
  ['SLOW 42', 'no such symbol', 'FAST 42'],
)
assert.equal(most, 3, 'all three ran at the same time')
