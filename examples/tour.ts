/**
 * A short tour: real tools, the real loop, a scripted model. Run it with `npx tsx examples/tour.ts`.
 * The script reads what the tools answered, so a broken tool would show.
 */
import assert from 'node:assert/strict'
import { ChatClient, textOf, tool, type Prompt } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { z } from 'zod'

const lastResult = (prompt: Prompt): string => textOf(prompt.messages.at(-1)!)

console.log('toolwright tour: real tools, the real loop, a scripted model\n')

// 1. The seeds' question: wake me in ten minutes.
const alarms: string[] = []
const now = tool({
  name: 'getCurrentDateTime',
  description: "Get the current date and time in the user's timezone",
  execute: () => new Date().toISOString(),
})
const setAlarm = tool({
  name: 'setAlarm',
  description: 'Set a user alarm for the given time',
  input: z.object({ time: z.iso.datetime().describe('Time in ISO-8601 format') }),
  execute: ({ time }) => void alarms.push(time),
})
const inTenMinutes = (prompt: Prompt): string =>
  new Date(Date.parse(lastResult(prompt)) + 600_000).toISOString()

const model = scriptedModel([
  { toolCalls: [{ name: 'getCurrentDateTime' }] },
  { toolCalls: [{ name: 'setAlarm', arguments: { time: 'soon' } }] },
  (prompt) => {
    console.log(`  the model reads   ${lastResult(prompt)}`)
    const clock = prompt.messages.find((message) => message.role === 'tool')!
    return {
      toolCalls: [{ name: 'setAlarm', arguments: { time: inTenMinutes({ messages: [clock] }) } }],
    }
  },
  () => `Your alarm is set for ${alarms[0]}.`,
])

console.log('1  "Set an alarm 10 minutes from now" (the model first sends a bad time)')
const run = ChatClient.create(model)
  .prompt('Can you set an alarm 10 minutes from now?')
  .tools(now, setAlarm)
  .stream()
for await (const event of run) {
  if (event.type === 'tool-call') {
    console.log(`  the model calls   ${event.toolCall.name}(${event.toolCall.arguments})`)
  }
  if (event.type === 'tool-result') {
    const mark = event.response.isError ? 'refused' : 'answered'
    console.log(
      `  toolwright says   ${mark}: ${textOf({ role: 'tool', responses: [event.response] })}`,
    )
  }
}
console.log(`  answer            ${textOf(await run.chatResponse())}\n`)
assert.equal(alarms.length, 1, 'the alarm was set once, with the corrected time')

// 2. Approval: the run stops, becomes a value, and goes on when somebody decides.
const sent: string[] = []
const sendMail = tool({
  name: 'sendMail',
  description: 'Send a mail',
  input: z.object({ to: z.email(), text: z.string() }),
  hints: { destructive: true },
  execute: ({ to, text }) => {
    sent.push(`${to}: ${text}`)
    return 'sent'
  },
})
const office = ChatClient.create(
  scriptedModel([
    { toolCalls: [{ name: 'sendMail', arguments: { to: 'ada@example.org', text: 'Hello' } }] },
    (prompt) => `Done: ${lastResult(prompt)}.`,
  ]),
  { tools: [sendMail] },
)
console.log('2  "Say hello to Ada" (the tool is destructive, so somebody must approve)')
const waiting = await office.prompt('Say hello to Ada').call().result()
assert.equal(waiting.status, 'suspended')
assert.deepEqual(sent, [])
const [call] = waiting.pending!
console.log(
  `  suspended         ${call!.toolName} ${JSON.stringify(call!.input)} — ${call!.reason}`,
)
console.log(`  as a value        ${JSON.stringify(waiting.state).length} bytes of signed JSON`)
const stored = JSON.parse(JSON.stringify(waiting.state)) as NonNullable<typeof waiting.state>
const answer = await office
  .resume(stored, { [call!.callId]: 'approve' })
  .call()
  .content()
console.log(`  approved          ${answer}`)
assert.deepEqual(sent, ['ada@example.org: Hello'])

console.log('\nNext: README.md, docs/guide, examples/guide.')
