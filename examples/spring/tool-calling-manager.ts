/**
 * Mirrors the bean `ToolCallingManager.builder().build()`: a manager of your own settings, given
 * to the client. Its two methods can be used by hand too.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool, toolCallingManager } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

const tick = tool({ name: 'tick', description: 'Tick once', execute: () => 'tick' })
const manager = toolCallingManager({ limits: { callsTotal: 2 }, onLimit: 'tell-model' })

const model = scriptedModel([
  { toolCalls: [{ name: 'tick' }, { name: 'tick' }, { name: 'tick' }] },
  'Two ticks, no more.',
])
await ChatClient.create(model, { manager }).prompt('Tick thrice').tools(tick).call().content()

const results = received(model.prompts)[1]?.results ?? []
assert.deepEqual(results.slice(0, 2), ['tick', 'tick'])
assert.match(JSON.stringify(results[2]), /error.*2/)
assert.deepEqual(await manager.resolveToolDefinitions({ tools: [tick] }), [tick.definition])
