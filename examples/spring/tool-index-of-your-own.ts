/**
 * Mirrors implementing `ToolIndex`: four methods, each scoped by the session, held to the contract by
 * the suite that the built-in indexes pass too.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { toolSearchAdvisor, type ToolIndex, type ToolReference } from 'toolwright/tool-search'
import { received } from './shared/received.ts'

const sessions = new Map<string, Map<string, ToolReference>>()
const index: ToolIndex = {
  async index(session, references) {
    const tools = sessions.get(session) ?? new Map<string, ToolReference>()
    for (const reference of references) tools.set(reference.name, reference)
    sessions.set(session, tools)
  },
  async remove(session, names) {
    for (const name of names) sessions.get(session)?.delete(name)
  },
  async search({ session, query, maxResults = 10 }) {
    const tools = [...(sessions.get(session)?.values() ?? [])]
    const found = tools.filter(({ name }) => name.startsWith(query))
    const references = found.map(({ name, description }) => ({
      name,
      score: 1,
      summary: description,
    }))
    return { references: references.slice(0, maxResults), total: found.length }
  },
  async clear(session) {
    sessions.delete(session)
  },
}

const [setAlarm, setTimer, stop] = ['setAlarm', 'setTimer', 'stop'].map((name) =>
  tool({ name, execute: () => 'ok' }),
)
const model = scriptedModel([
  { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['set'] } }] },
  'There are two.',
])
const tools = [setAlarm!, setTimer!, stop!]
const client = ChatClient.create(model, { tools, advisors: [toolSearchAdvisor({ index })] })
await client.prompt('What can you set?').conversation('ann').call().content()

assert.deepEqual(received(model.prompts)[1]?.tools, ['toolSearchTool', 'setAlarm', 'setTimer'])
assert.deepEqual([...sessions.keys()], ['ann'])
