/**
 * A model that Ollama serves. With OLLAMA_MODEL set, e.g. to qwen3, the server on this machine answers; without
 * it, a stand-in on loopback.
 */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { ollama } from 'toolwright/ollama'
import { providerOrStandIn } from './shared/stand-in.ts'
import { question, weather } from './shared/weather.ts'

const provider = await providerOrStandIn('ollama', process.env['OLLAMA_MODEL'])
const model = ollama(process.env['OLLAMA_MODEL'] ?? 'qwen3', provider.options)

const answer = await ChatClient.create(model).prompt(question).tools(weather).call().content()

console.log(answer)
assert.match(answer, /21/)
await provider.close()
