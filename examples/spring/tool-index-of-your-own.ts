/**
 * Mirrors implementing `ToolIndex`: four methods, each scoped by the session, held to the contract by
 * the suite that the built-in indexes pass too.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel, toolIndexContract } from 'toolwright/testing'
import { toolSearchAdvisor, type ToolIndex, type ToolReference } from 'toolwright/tool-search'
import { received } from './shared/received.ts'

const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/\w+/g) ?? []

function wordIndex(sessions = new Map<string, Map<string, ToolReference>>()): ToolIndex {
  return {
    async index(session, references) {
      const tools = sessions.get(session) ?? new Map<string, ToolReference>()
      for (const reference of references) tools.set(reference.name, reference)
      sessions.set(session, tools)
    },
    async remove(session, names) {
      for (const name of names) sessions.get(session)?.delete(name)
    },
    async search({ session, query, maxResults = 10 }) {
      if (!(maxResults >= 1)) throw new RangeError('maxResults must be at least 1')
      const asked = new Set(wordsOf(query))
      const found = [...(sessions.get(session)?.values() ?? [])]
        .map(({ name, description }) => ({
          name,
          summary: description.split(/(?<=\.)\s/)[0]!,
          score: wordsOf(`${name} ${description}`).filter((word) => asked.has(word)).length,
        }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
      return { references: found.slice(0, maxResults), total: found.length }
    },
    async clear(session) {
      sessions.delete(session)
    },
  }
}

for (const { name, run } of toolIndexContract({ create: () => wordIndex() }))
  await assert.doesNotReject(run(), name)

const sessions = new Map<string, Map<string, ToolReference>>()
const tools = ['setAlarm', 'setTimer', 'stop'].map((name) => tool({ name, execute: () => 'ok' }))
const model = scriptedModel([
  { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['set'] } }] },
  'There are two.',
])
const advisors = [toolSearchAdvisor({ index: wordIndex(sessions) })]
const client = ChatClient.create(model, { tools, advisors })
await client.prompt('What can you set?').conversation('ann').call().content()

assert.deepEqual(received(model.prompts)[1]?.tools, ['toolSearchTool', 'setAlarm', 'setTimer'])
assert.deepEqual([...sessions.keys()], ['ann'])
assert.deepEqual([...sessions.get('ann')!.keys()], ['setAlarm', 'setTimer', 'stop'])
