/**
 * Mirrors implementing `ToolCallbackResolver`: tools found by name when a request asks for them,
 * wherever they are. It is asked before the model is; what it does not know is an error.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool, type ToolCallbackResolver } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

const CAPITALS: { readonly [country: string]: string } = { Denmark: 'Copenhagen', Japan: 'Tokyo' }
const resolver: ToolCallbackResolver = {
  async resolve(name) {
    const country = name.replace(/^capitalOf/, '')
    const capital = CAPITALS[country]
    if (!capital) return undefined
    return tool({ name, description: `Get the capital of ${country}`, execute: () => capital })
  },
  names: () => Object.keys(CAPITALS).map((country) => `capitalOf${country}`),
}

const model = scriptedModel([{ toolCalls: [{ name: 'capitalOfJapan' }] }, 'Tokyo.'])
const client = ChatClient.create(model, { resolver })
await client.prompt('What is the capital of Japan?').toolNames('capitalOfJapan').call().content()
await assert.rejects(
  client.prompt('And of Denmark?').toolNames('capitalOfDenmrk').call().content(),
  /No tool is called "capitalOfDenmrk".*capitalOfDenmark/,
)

const asked = received(model.prompts)
assert.deepEqual(asked[0]?.tools, ['capitalOfJapan'])
assert.deepEqual(asked[1]?.results, ['Tokyo'])
assert.equal(asked.length, 2)
