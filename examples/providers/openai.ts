/** A model of OpenAI, over the Responses API. With OPENAI_API_KEY set, the real provider answers; without it, a stand-in on loopback. */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { openai } from 'toolwright/openai'
import { providerOrStandIn } from './shared/stand-in.ts'
import { question, weather } from './shared/weather.ts'

const provider = await providerOrStandIn('openai', process.env['OPENAI_API_KEY'])
const model = openai('gpt-5.4-mini', provider.options)

const answer = await ChatClient.create(model).prompt(question).tools(weather).call().content()

console.log(answer)
assert.match(answer, /21/)
await provider.close()
