/** Cached results once ignored the tool context: one user's result was told to another. */
import { expect, it } from 'vitest'
import { ChatClient, tool, type ToolCallback } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const reading = (seen: unknown[], context?: { type: 'object'; properties: object }): ToolCallback =>
  tool({
    name: 'balance',
    cache: { ttlMs: 60_000 },
    ...(context && { context: context as { type: 'object' } }),
    execute(_input, { values }) {
      seen.push({ ...values })
      return `balance of ${String((values as { user?: string }).user)}`
    },
  })

async function ask(client: ChatClient, context: Record<string, unknown>): Promise<string> {
  const { messages } = await client.prompt('Go').toolContext(context).call().result()
  const told = messages.findLast((message) => message.role === 'tool')!
  return told.responses[0]!.content as string
}

const script = () =>
  Array.from({ length: 12 }, (_, n) => (n % 2 ? 'Ok.' : { toolCalls: [{ name: 'balance' }] }))

it('two users never share a cached result; one user does with himself', async () => {
  const seen: unknown[] = []
  const client = ChatClient.create(scriptedModel(script()), { tools: [reading(seen)] })
  expect(await ask(client, { user: 'ada' })).toBe('balance of ada')
  expect(await ask(client, { user: 'bob' })).toBe('balance of bob')
  expect(await ask(client, { user: 'ada' })).toBe('balance of ada')
  expect(seen).toEqual([{ user: 'ada' }, { user: 'bob' }])
})

it('objects are told apart by which they are, and values by their kind', async () => {
  const seen: unknown[] = []
  const client = ChatClient.create(scriptedModel(script()), { tools: [reading(seen)] })
  const connection = { id: 1 }
  for (const user of [connection, { id: 1 }, connection, 1, '1']) await ask(client, { user })
  expect(seen).toHaveLength(4)
})

it('what a tool cannot see does not divide its cache', async () => {
  const seen: unknown[] = []
  const tools = [reading(seen, { type: 'object', properties: { user: { type: 'string' } } })]
  const client = ChatClient.create(scriptedModel(script()), { tools })
  await ask(client, { user: 'ada', request: 1 })
  await ask(client, { user: 'ada', request: 2 })
  expect(seen).toEqual([{ user: 'ada' }])
})
