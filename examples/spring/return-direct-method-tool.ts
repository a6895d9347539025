/** Mirrors `ToolMetadata.builder().returnDirect(true)` given to `MethodToolCallback.builder()`. */
import assert from 'node:assert/strict'
import { ChatClient, methodTool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

class Library {
  search(): string {
    return 'Page 12: tools are functions with a schema.'
  }
}
const search = methodTool({
  object: new Library(),
  method: 'search',
  description: 'Search the library',
  returnDirect: true,
})

const model = scriptedModel([{ toolCalls: [{ name: 'search' }] }])
const answer = await ChatClient.create(model)
  .prompt('What is a tool?')
  .tools(search)
  .call()
  .content()

assert.ok(search.metadata.returnDirect)
assert.equal(answer, 'Page 12: tools are functions with a schema.')
assert.equal(received(model.prompts).length, 1)
