/**
 * Mirrors `ChatClient.builder(chatModel).defaultTools(new DateTimeTools())`. Everybody who uses
 * the client shares its default tools: one user's alarms are in the same object as another's.
 */
import assert from 'node:assert/strict'
import { ChatClient } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DateTimeTools } from './shared/date-time-tools.ts'
import { received } from './shared/received.ts'

const alarmAt = (time: string) => ({ toolCalls: [{ name: 'setAlarm', arguments: { time } }] })
const model = scriptedModel([
  ...[alarmAt('2015-10-21T06:00:00Z'), 'Set.'],
  ...[alarmAt('2015-10-21T09:00:00Z'), 'Set.'],
])
const shared = new DateTimeTools()
const client = ChatClient.create(model, { tools: [shared] })
await client.prompt('Ada: wake me at 6').call().content()

const ownedByGrace = new DateTimeTools()
await client.prompt('Grace: wake me at 9').tools(ownedByGrace).call().content()

const asked = received(model.prompts)
assert.deepEqual(asked[0]?.tools, ['getCurrentDateTime', 'setAlarm'])
assert.deepEqual(asked[2]?.tools, ['getCurrentDateTime', 'setAlarm'], 'replaced, not doubled')
assert.deepEqual(shared.alarms, ['2015-10-21T06:00:00Z'])
assert.deepEqual(ownedByGrace.alarms, ['2015-10-21T09:00:00Z'])
