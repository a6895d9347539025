/** A model of Anthropic, over the Messages API. With ANTHROPIC_API_KEY set, the real provider answers; without it, a stand-in on loopback. */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { anthropic } from 'toolwright/anthropic'
import { providerOrStandIn } from './shared/stand-in.ts'
import { question, weather } from './shared/weather.ts'

const provider = await providerOrStandIn('anthropic', process.env['ANTHROPIC_API_KEY'])
const model = anthropic('claude-haiku-4-5', provider.options)

const answer = await ChatClient.create(model).prompt(question).tools(weather).call().content()

console.log(answer)
assert.match(answer, /21/)
await provider.close()
