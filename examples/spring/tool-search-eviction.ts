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
  type EvictionStrategy,
} from 'toolwright/tool-search'
import { received } from './shared/received.ts'

const MINUTES = 60_000
const email = tool({ name: 'email', description: 'Send an email', execute: () => 'ok' })
const search = { toolCalls: [{ name: 'toolSearchTool', arguments: { queries: ['email'] } }] }

/** Whether Ann is still offered what she found: after Bob came, after an hour, and once told to forget. */
async function remembers(eviction: EvictionStrategy): Promise<readonly boolean[]> {
  const clock = manualClock()
  const index = keywordToolIndex()
  const advisor = toolSearchAdvisor({ index, eviction })
  const offered: boolean[] = []
  const ask = async (name: string, script: Parameters<typeof scriptedModel>[0]) => {
    const model = scriptedModel(script)
    const client = ChatClient.create(model, { tools: [email], advisors: [advisor], clock })
    await client.prompt('Hi').conversation(name).call().content()
    return received(model.prompts)[0]?.tools.includes('email') ?? false
  }
  await ask('ann', [search, 'Found.'])
  await ask('bob', ['Hello Bob.'])
  offered.push(await ask('ann', [search, 'Found.']))
  await clock.advance(60 * MINUTES)
  await ask('bob', ['Hello again.'])
  offered.push(await ask('ann', [search, 'Found.']))
  await advisor.evictSession('ann')
  offered.push(await ask('ann', ['Who are you?']))
  return offered
}

const hour = 60 * MINUTES
assert.deepEqual(await remembers(never()), [true, true, false])
assert.deepEqual(await remembers(lru(1)), [false, false, false])
assert.deepEqual(await remembers(lru(2)), [true, true, false])
assert.deepEqual(await remembers(always()), [false, false, false])
assert.deepEqual(await remembers(ttl(hour)), [true, false, false])
assert.deepEqual(await remembers(ttl(hour + 1)), [true, true, false])
assert.deepEqual(await remembers(anyOf(ttl(hour), lru(200))), [true, false, false])
assert.deepEqual(await remembers(anyOf(ttl(hour + 1), lru(1))), [false, false, false])
