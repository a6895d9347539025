import { ChatClient, textOf } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { AlarmTools } from './alarm-tools__EXT__'
import { addMinutesTool, alarmTools } from './alarm-tools.tools__EXT__'

const time = '2026-05-04T06:00:00Z'
const alarms = [{ time, days: [1, 2], label: 'Up' }]

export async function run(): Promise<string> {
  const model = scriptedModel([
    { toolCalls: [{ name: 'setAlarm', arguments: { time: 'soon' } }] },
    { toolCalls: [{ name: 'setAlarm', arguments: { time } }] },
    { toolCalls: [{ name: 'replaceAlarms', arguments: { alarms } }] },
    { toolCalls: [{ name: 'addMinutes', arguments: { first: 1, second: 2 } }] },
    'Done.',
  ])
  const service = new AlarmTools()
  const client = ChatClient.create(model, { tools: [alarmTools(service), addMinutesTool] })
  const { messages } = await client.prompt('Wake me').call().result()
  const read = messages.filter((message) => message.role === 'tool').map((one) => textOf(one))
  const sizes = service.alarms.map((alarm) => alarm.days.size)
  return [/time/.test(read[0] ?? ''), read[2], read[3], sizes.join()].join(' ')
}

console.log(await run())
