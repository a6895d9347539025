/** A process that traces runs into a file, as the JSON in its first argument says. */
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChatClient, tool, type RunState } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { traceFile } from 'toolwright/trace'

export interface TracingTask {
  readonly path: string
  /** `fill`: until the file takes no more; `hang`: never ends. */
  readonly act: 'many' | 'suspend' | 'resume' | 'fill' | 'hang'
  readonly stateFile: string
}

const { path, act, stateFile } = JSON.parse(process.argv[2]!) as TracingTask
const observer = traceFile(path, { content: true })
const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
const echo = tool({ name: 'echo', execute: () => 'x'.repeat(2000) })
const hang = tool({ name: 'hang', execute: () => sleep(3_600_000) })
const call = (name: string) => ({ toolCalls: [{ name }] })
const options = {
  observer,
  tools: [pay, echo, hang],
  stateSecret: 'shared by both of the processes',
  limits: { identicalCalls: 'unlimited' },
} as const
const client = (...steps: Parameters<typeof scriptedModel>[0]) =>
  ChatClient.create(scriptedModel(steps), options)

async function many(runs: number): Promise<void> {
  for (let run = 0; run < runs; run++)
    await client(call('echo'), 'Done.').prompt(`Go ${run}`).call().content()
}

async function fill(): Promise<void> {
  const run = client(...Array.from({ length: 20 }, () => call('echo')), 'Done.')
    .prompt('Go')
    .stream()
  const codes: string[] = []
  for await (const event of run) if (event.type === 'notice') codes.push(event.code)
  process.stdout.write(JSON.stringify({ status: (await run.result()).status, codes }))
}

if (act === 'many') await many(50)
if (act === 'fill') await fill()
if (act === 'hang') await client(call('hang')).prompt('Go').call().content()
if (act === 'suspend') {
  const { state } = await client(call('pay')).prompt('Go').call().result()
  writeFileSync(stateFile, JSON.stringify(state))
}
if (act === 'resume') {
  const state = JSON.parse(readFileSync(stateFile, 'utf8')) as RunState
  await client('Paid.').resume(state, { call_1: 'approve' }).call().result()
}
