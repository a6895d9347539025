/** A question of a server in a durable run and in a store of waiting runs: what is recorded is JSON, and replays ask nothing. */
import { openDatabase, sqlRunStore } from '@toolwright/sql'
import { ChatClient, type Durability } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { afterEach, expect, test } from 'vitest'
import { mcpTools, type McpTools } from '@toolwright/mcp'
import { MODES, rawServer, toldBy, type RawServer } from './servers.ts'

const open: McpTools[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((tools) => tools.close()))
})

/** Keeps what steps gave, as text, as a database would. */
function journaled(journal: Map<string, string>): Durability {
  return {
    runId: () => 'order-7',
    async step<T>(key: string, run: () => Promise<T>): Promise<T> {
      const known = journal.get(key)
      if (known !== undefined) return JSON.parse(known) as T
      const text = JSON.stringify(await run())
      journal.set(key, text)
      return JSON.parse(text) as T
    },
  }
}

test.each(MODES)('%s', async (mode) => {
  const server = rawServer('asks')
  const database = await openDatabase(':memory:')
  const runStore = sqlRunStore(database)
  const journal = new Map<string, string>()
  const life = (server: RawServer): ChatClient => {
    const tools = mcpTools(server, { name: 'shop', trust: 'trusted' })
    open.push(tools)
    const toolCalls = [{ name: 'write', arguments: { words: 'hi' } }]
    return ChatClient.create(scriptedModel([{ toolCalls }, 'Done.', 'Done.']), {
      tools: [tools],
      stateSecret: 'a secret that several processes know',
      durability: journaled(journal),
      runStore,
    })
  }
  const go = (request: ReturnType<ChatClient['prompt']>) =>
    toldBy(mode === 'call' ? request.call() : request.stream())

  await go(life(server).prompt('Go'))
  await open.pop()!.close()
  const { result } = await go(life(server).prompt('Go'))
  expect(server.ran().filter((line) => line === 'call')).toHaveLength(1)
  expect(result.pending).toMatchObject([{ kind: 'question', question: { message: 'Which size?' } }])

  const { runs } = await runStore.list({ limit: 10 })
  const { callId } = runs[0]!.pending[0]!
  const after = await go(life(server).resume(runs[0]!.state, { [callId]: { answer: { size: 5 } } }))
  expect(after.told[0]).toMatchObject({
    content: 'write: {"action":"accept","content":{"size":5}}',
  })
  await database.close()
})
