/**
 * A model of any server that speaks Chat Completions. With BASE_URL and MODEL set, that server answers (API_KEY,
 * if it has one); without them, a stand-in on loopback.
 */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { openaiCompatible } from 'toolwright/openai'
import { providerOrStandIn } from './shared/stand-in.ts'
import { question, weather } from './shared/weather.ts'

const { BASE_URL: baseUrl = '', MODEL: name = 'qwen3', API_KEY: apiKey } = process.env
const provider = await providerOrStandIn('openai-compatible', baseUrl)
const model = openaiCompatible(name, { baseUrl, ...(apiKey && { apiKey }), ...provider.options })

const answer = await ChatClient.create(model).prompt(question).tools(weather).call().content()

console.log(answer)
assert.match(answer, /21/)
await provider.close()
