/**
 * Mirrors the bean `new StaticToolCallbackResolver(toolCallbacks)`: names found in a fixed list of
 * tools.
 */
import assert from 'node:assert/strict'
import { ChatClient, staticResolver, toolsOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const resolver = staticResolver(toolsOf(new DateTimeTools()))

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
])
await ChatClient.create(model, { resolver })
  .prompt('What day is tomorrow?')
  .toolNames('getCurrentDateTime')
  .call()
  .content()

const [first, second] = received(model.prompts)
assert.deepEqual(first?.tools, ['getCurrentDateTime'], 'what is not named is not offered')
assert.deepEqual(second?.results, ['2015-10-20 07:28:00 UTC'])
