/**
 * Mirrors `ToolCallbacks.from(new DateTimeTools())`: the callbacks of a class, to be counted,
 * chosen or called by hand. `tools()` takes them as it takes the instance.
 */
import assert from 'node:assert/strict'
import { ChatClient, toolsOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const dateTimeTools = toolsOf(new DateTimeTools())
const readingOnly = dateTimeTools.filter(({ definition }) => definition.name.startsWith('get'))

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  'Tomorrow is 2015-10-21.',
])
await ChatClient.create(model).prompt('What day is tomorrow?').tools(readingOnly).call().content()

const [first, second] = received(model.prompts)
assert.equal(dateTimeTools.length, 2)
assert.deepEqual(first?.tools, ['getCurrentDateTime'])
assert.deepEqual(second?.results, ['2015-10-20 07:28:00 UTC'])
assert.equal(await dateTimeTools[0]?.call('{}'), '2015-10-20 07:28:00 UTC')
