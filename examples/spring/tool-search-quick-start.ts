/**
 * Mirrors `ToolSearchToolCallingAdvisor.builder().toolIndex(toolIndex).maxResults(5)`: tools are
 * registered, the model sees the search tool, and what it finds from the next round on.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { keywordToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import { received } from './shared/received.ts'

const currentWeather = tool({
  name: 'currentWeather',
  description: 'Get the weather in a location',
  execute: () => '15 C, rain',
})
const bookFlight = tool({ name: 'bookFlight', description: 'Book a flight', execute: () => 'ok' })

const model = scriptedModel([
  { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['weather'] } }] },
  { toolCalls: [{ name: 'currentWeather' }] },
  'It rains in Amsterdam.',
])
const chatClient = ChatClient.create(model, {
  tools: [currentWeather, bookFlight],
  advisors: [toolSearchAdvisor({ index: keywordToolIndex(), maxResults: 5 })],
})
const answer = await chatClient.prompt("What's the weather in Amsterdam?").call().content()

const asked = received(model.prompts)
assert.deepEqual(
  asked.map(({ tools }) => tools),
  [['toolSearchTool'], ['toolSearchTool', 'currentWeather'], ['toolSearchTool', 'currentWeather']],
)
assert.deepEqual(asked[2]?.results, ['15 C, rain'])
assert.equal(answer, 'It rains in Amsterdam.')
