/** A model of Google, over the Gemini API. With GEMINI_API_KEY set, the real provider answers; without it, a stand-in on loopback. */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { google } from 'toolwright/google'
import { providerOrStandIn } from './shared/stand-in.ts'
import { question, weather } from './shared/weather.ts'

const provider = await providerOrStandIn('google', process.env['GEMINI_API_KEY'])
const model = google('gemini-2.5-flash', provider.options)

const answer = await ChatClient.create(model).prompt(question).tools(weather).call().content()

console.log(answer)
assert.match(answer, /21/)
await provider.close()
