/** Calls that tools make, where they are shown, kept and decided: a page, a run store, a trace, an agent, a cassette. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  inMemoryRunStore,
  RunSuspendedError,
  tool,
  withToolExecution,
  type PendingRun,
  type ToolCallback,
} from 'toolwright'
import { runAgent } from 'toolwright/agent'
import { scriptedModel } from 'toolwright/testing'
import { readTrace, type TraceFile } from 'toolwright/trace'
import { tracing } from '../../trace/trace-folder.ts'
import { answering, SUMMARY } from '../agent/agent-stage.ts'
import { scenario } from '../scenario.ts'
import { asks, fanOut } from './program.ts'

const look = tool({ name: 'look', execute: () => 'seen' })
const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
const program = (): ToolCallback => fanOut([look, pay])
const WAITS = { callId: 'p/1', parentCallId: 'p', line: 2, toolName: 'pay', kind: 'approval' }

describe('a call that a tool made and that waits', () => {
  it('is shown to a page with where it was made, without what the state keeps of it', async () => {
    const client = ChatClient.create(scriptedModel([asks('look', 'pay')]), { tools: [program()] })
    const text = await new Response(client.prompt('Go').stream().toReadableStream()).text()
    const lines = text.trim().split('\n').map((line) => JSON.parse(line) as { type: string; pending?: unknown }) // prettier-ignore
    const { pending } = lines.find(({ type }) => type === 'suspended')!
    expect(pending).toEqual([{ ...WAITS, input: {}, reason: 'The call needs approval.' }])
  })

  it('is in the run store, and goes on from there', async () => {
    const saved: PendingRun[] = []
    const store = inMemoryRunStore()
    const runStore = { use: store.use.bind(store), save: async (run: PendingRun) => void saved.push(run) } // prettier-ignore
    const options = { tools: [program()], runStore, stateSecret: 'a secret of many words' }
    await ChatClient.create(scriptedModel([asks('look', 'pay', 'pay')]), options)
      .prompt('Go')
      .call()
      .result()
    expect(saved[0]!.pending).toMatchObject([WAITS, { callId: 'p/2' }])
    expect(JSON.stringify(saved[0]!.pending)).not.toContain('made')
    const other = ChatClient.create(scriptedModel(['Done.']), options)
    const { state } = JSON.parse(JSON.stringify(saved[0])) as PendingRun
    const next = await other.resume(state, { 'p/1': 'approve' }).call().result()
    expect(next.pending).toMatchObject([{ callId: 'p/2', parentCallId: 'p' }])
    expect(saved).toHaveLength(2)
  })

  let trace: TraceFile
  scenario('is in a trace, inside the call that made it', {
    script: [asks('look', 'pay', 'nobody'), 'Done.'],
    tools: () => [program()],
    client: ({ clock }) => ({ observer: (trace = tracing({ clock })) }),
    resume: [() => ({ 'p/1': 'approve' })],
    check() {
      const [run] = readTrace(readFileSync(trace.path, 'utf8')).runs
      const [first, second] = run!.legs
      expect(first!.pending).toEqual([WAITS])
      const calls = (leg: typeof first): unknown =>
        leg!.rounds.flatMap(({ calls: own }) =>
          own.map(({ id, status, calls: made, events }) => [
            id,
            status,
            made.map((each) => [each.id, each.status, each.attempts]),
            events,
          ]),
        )
      expect(calls(first)).toEqual([
        ['p', 'suspended', [['p/0', 'done', 1], ['p/2', 'refused', 0]], []], // prettier-ignore
      ])
      expect(calls(second)).toEqual([['p', 'done', [['p/1', 'done', 1]], []]])
    },
  })

  it('is decided in an agent, whose other calls wait for nothing of it', async () => {
    const calls = [{ _tool: 'program', calls: [{ name: 'look' }, { name: 'pay' }] }, { _tool: 'look' }] // prettier-ignore
    const config = {
      model: answering({ calls }, { output: { summary: 'done' } }),
      tools: [program(), look],
      stateSecret: 'a secret of many words',
    }
    const context = [{ type: 'text', text: 'Go' } as const]
    const thrown = await runAgent(config, SUMMARY, context).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(RunSuspendedError)
    const { pending, state } = (thrown as RunSuspendedError).result!
    expect(pending).toMatchObject([{ toolName: 'pay', line: 2, parentCallId: 'call_1_1' }])
    expect(Object.keys(state!.nestedTools!)).toEqual(['call_1_1'])
    const resume = {
      state: JSON.parse(JSON.stringify(state)) as typeof state & object,
      decisions: { [pending![0]!.callId]: 'approve' as const },
    }
    const { output, messages, errors } = await runAgent({ ...config, resume }, SUMMARY, context)
    expect(output).toEqual({ summary: 'done' })
    expect(errors).toEqual([])
    const results = JSON.stringify(messages)
    expect(results).toContain('["seen","paid"]')
    // Results of calls inside are the tool's, not the agent's.
    expect(results.match(/"tool":"look"/g)).toHaveLength(1)
  })
})

describe('a tool that calls tools', () => {
  it('runs in a model that executes tools itself', async () => {
    const model = withToolExecution(scriptedModel([asks('look', 'look'), 'Done.']))
    const { results } = await model.call({
      messages: [{ role: 'user', content: 'Go' }],
      options: { tools: [program()] },
    })
    expect(results[0]!.message.content).toBe('Done.')
  })
})
