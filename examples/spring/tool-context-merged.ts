/**
 * Mirrors `toolContext` in default and in runtime options: merged key by key, the request's values
 * win.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { received } from './shared/received.ts'

const seen: unknown[] = []
const look = tool({
  name: 'look',
  description: 'Look around',
  execute: (_input, context) => void seen.push(context.values),
})

const model = scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'I looked.'], {
  options: { toolContext: { tenantId: 'of the model', region: 'eu', locale: 'en' } },
})
await ChatClient.create(model, { toolContext: { tenantId: 'of the client', locale: 'da' } })
  .prompt('Look around')
  .tools(look)
  .toolContext({ tenantId: 'of the request' })
  .call()
  .content()

assert.deepEqual(seen, [{ tenantId: 'of the request', region: 'eu', locale: 'da' }])
for (const { everything } of received(model.prompts)) assert.doesNotMatch(everything, /tenant/)
