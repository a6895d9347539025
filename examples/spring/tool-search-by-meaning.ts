/**
 * Mirrors `new VectorToolIndex(vectorStore)`: tools found by what they mean. Any embedding model will
 * do; this one knows two subjects.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool, type EmbeddingModel } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { embeddingToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import { received } from './shared/received.ts'

const about = (subject: RegExp, text: string): number => (subject.test(text) ? 1 : 0.01)
const embeddingModel: EmbeddingModel = {
  provider: 'example',
  model: 'two-subjects',
  embed: async (texts) =>
    texts.map((text) => [about(/weather|umbrella|rain/i, text), about(/money|bill/i, text)]),
}
const weather = tool({ name: 'weather', description: 'Rain or sun?', execute: () => 'Rain' })
const bill = tool({ name: 'bill', description: 'Ask somebody for money', execute: () => 'ok' })

const model = scriptedModel([
  { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['do I need an umbrella'] } }] },
  'Let me see.',
])
const index = embeddingToolIndex({ model: embeddingModel })
await ChatClient.create(model, { tools: [weather, bill], advisors: [toolSearchAdvisor({ index })] })
  .prompt('Shall I take an umbrella?')
  .call()
  .content()

const asked = received(model.prompts)
assert.deepEqual(asked[1]?.tools, ['toolSearchTool', 'weather'])
assert.deepEqual(asked[1]?.results, ['{"tools":["weather"]}'])
