/**
 * Tools of a program for every MCP client: here over HTTP on this machine, asked by the client of the official SDK. Setting
 * an alarm asks the person at that client first. `server.stdio()` serves clients that start this program themselves.
 */
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { serveTools } from '@toolwright/mcp'
import { Tool } from 'toolwright'
import { z } from 'zod'

class DateTimeTools {
  @Tool({ description: "Get the date and time in the user's timezone", hints: { readOnly: true } })
  getCurrentDateTime(): string {
    return '2026-07-28T10:15:30+02:00'
  }

  @Tool({
    description: 'Set a user alarm for the given time',
    input: z.object({ time: z.string().describe('Time in ISO-8601 format') }),
    approval: true,
  })
  setAlarm({ time }: { time: string }): string {
    return `Alarm set for ${time}`
  }
}

await using server = serveTools(new DateTimeTools(), { name: 'clock', version: '1.0.0' })
const { url } = await server.listen({ port: 0 })

const client = new Client(
  { name: 'any-client', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
)
client.setRequestHandler('elicitation/create', ({ params }) => {
  console.log(params.message.split('\n')[0])
  return { action: 'accept', content: { approve: true } }
})
await client.connect(new StreamableHTTPClientTransport(new URL(url)))

const { tools } = await client.listTools()
console.log(tools.map(({ name }) => name).join(', '))

const now = await client.callTool({ name: 'getCurrentDateTime' })
console.log(now.content)
const alarm = await client.callTool({ name: 'setAlarm', arguments: { time: '10:25' } })
console.log(alarm.content)
assert.deepEqual(alarm.content, [{ type: 'text', text: 'Alarm set for 10:25' }])
await client.close()
