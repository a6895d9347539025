/**
 * A model of the AI SDK in a conversation with tools, called and streamed. The server is the fault server on
 * loopback; with the address and the key of a real one the rest stays as it is.
 */
import assert from 'node:assert/strict'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { fromAiSdk } from '@toolwright/ai-sdk'
import { faultServer } from '@toolwright/fault-server'
import { ChatClient, tool } from 'toolwright'
import { z } from 'zod'

const call = { name: 'weather', arguments: ['{"city":', '"Oslo"}'] }
const turns = [{ reasoning: 'I have to look.', toolCalls: [call] }, { text: ['It is ', 'cold.'] }]
const server = await faultServer({ dialect: 'openai-compatible', turns: [...turns, ...turns] })

const provider = createOpenAICompatible({ name: 'local', baseURL: server.baseUrl })
const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, celsius: -3 }),
})
const client = ChatClient.create(fromAiSdk(provider('any')), { tools: [weather] })

const answer = await client.prompt('How is the weather in Oslo?').call().content()
console.log(answer)

let streamed = ''
for await (const text of client.prompt('And now?').stream().content()) streamed += text
console.log(streamed)

await server.close()
assert.deepEqual([answer, streamed], ['It is cold.', 'It is cold.'])
assert.deepEqual(server.violations, [])
