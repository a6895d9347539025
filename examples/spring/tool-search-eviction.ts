/**
 * Mirrors the eviction strategies: `LruEvictionStrategy`, `NeverEvictStrategy`, `AlwaysEvictStrategy`,
 * `TtlEvictionStrategy`, `CompositeEvictionStrategy`, and `advisor.evictSession(id)`.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import {
  always,
  anyOf,
  keywordToolIndex,
  lru,
  never,
  toolSearchAdvisor,
  ttl,
} from 'toolwright/tool-search'
import { received } from './shared/received.ts'

const MINUTES = 60_000
const strategies = { lru: lru(1), never: never(), always: always(), ttl: ttl(30 * MINUTES) }
const composite = anyOf(ttl(30 * MINUTES), lru(200))
const email = tool({ name: 'email', description: 'Send an email', execute: () => 'ok' })
const search = { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['email'] } }] }

/** What the model is offered when Ann comes back after Bob, and after an hour. */
async function comingBack(eviction: typeof composite): Promise<readonly (readonly string[])[]> {
  const clock = manualClock()
  const model = scriptedModel([
    search,
    'Found.',
    'Hello Bob.',
    'Hello again.',
    search,
    'Found.',
    'Hi.',
  ])
  const advisor = toolSearchAdvisor({ index: keywordToolIndex(), eviction })
  const client = ChatClient.create(model, { tools: [email], advisors: [advisor], clock })
  const ask = (name: string) => client.prompt('Hi').conversation(name).call().content()
  for (const name of ['ann', 'bob', 'ann', 'ann']) await ask(name)
  await clock.advance(60 * MINUTES)
  await ask('ann')
  await advisor.evictSession('ann')
  const asked = received(model.prompts).map(({ tools }) => tools)
  return [asked[3]!, asked[6]!]
}

const [found, forgotten] = [['toolSearchTool', 'email'], ['toolSearchTool']]
assert.deepEqual(await comingBack(strategies.never), [found, found])
assert.deepEqual(await comingBack(strategies.lru), [forgotten, found])
assert.deepEqual(await comingBack(strategies.always), [forgotten, forgotten])
assert.deepEqual(await comingBack(strategies.ttl), [found, found])
assert.deepEqual(await comingBack(composite), [found, found])
