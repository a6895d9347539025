/** How much of a conversation a model reads: so many tokens, or a summary of what was before. */
import assert from 'node:assert/strict'
import {
  ChatClient,
  chatMemoryAdvisor,
  inMemoryRepository,
  summarisingMemory,
  tokenWindowMemory,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const repository = inMemoryRepository()
const summaries = scriptedModel([{ text: 'Ada likes soup.', usage: { outputTokens: 5 } }])
let spent = 0
const memory = summarisingMemory({
  model: summaries,
  keepTurns: 1,
  repository,
  onSummary: (report) => (spent += report.response?.usage.outputTokens ?? 0),
})
const client = ChatClient.create(scriptedModel(['Hello.', 'Noted.']), {
  advisors: [chatMemoryAdvisor(memory)],
})
await client.prompt('I am Ada, and I like soup.').conversation('c').call().content()
await client.prompt('And bread.').conversation('c').call().content()

const read = await memory.get('c')
console.log(read[0])
assert.match(JSON.stringify(read[0]), /Ada likes soup\./)
assert.equal(read.length, 3)
assert.equal(spent, 5)
// Nothing was replaced: the turns and the summary are in the repository.
assert.equal((await repository.find('c')).length, 5)

// Without a model: the newest turns that fit into so many tokens.
const byTokens = tokenWindowMemory({ maxTokens: 20 })
for (const dish of ['soup', 'bread', 'cake'])
  await byTokens.add('c', [
    { role: 'user', content: `Is there ${dish}?` },
    { role: 'assistant', content: 'Yes.' },
  ])
assert.deepEqual((await byTokens.get('c'))[0], { role: 'user', content: 'Is there cake?' })
