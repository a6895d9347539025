/** What stands around an agent as around any run: memory, observers, class tools, providers of tools. */
import { describe, expect, it } from 'vitest'
import {
  chatMemoryAdvisor,
  messageWindowMemory,
  Tool,
  type Observation,
  type Observer,
  type ToolCallbackProvider,
} from 'toolwright'
import { agentRegistry, type ToolSchema } from 'toolwright/agent'
import { z } from 'zod'
import {
  appended,
  noticesOf,
  play,
  registryWith,
  SUMMARY,
  textRead,
  type Answer,
} from './agent-stage.ts'

const note: ToolSchema = { type: 'object', properties: { text: { type: 'string' } } }
const DONE: Answer = { output: { summary: 'done' } }
const context = [
  { type: 'tool' as const, tool: { note } },
  { type: 'text' as const, text: 'Go' },
]
const noting = () => registryWith({ note: ({ text }) => `noted ${String(text)}` })

describe('an agent', () => {
  it('is observed like any run: turns, the model, and every call', async () => {
    interface Span extends Observation {
      readonly path: string
    }
    const spans: string[] = []
    const observer: Observer = {
      start(kind, info): Span {
        const path = `${(info.parent as Span | undefined)?.path ?? ''}/${kind}:${info.name}`
        return { path, end: (outcome) => void spans.push(path + (outcome.failed ? ' failed' : '')) }
      },
    }
    await play({
      answers: [
        {
          calls: [
            { _tool: 'note', text: 'a' },
            { _tool: 'note', text: 7 },
          ],
        },
        DONE,
      ],
      output: SUMMARY,
      context,
      registry: noting(),
      observer,
    })
    const loop = '/client:scripted/advisor:tool-calling'
    expect(spans.filter((span) => span.includes('/tool:') || span.includes('/model:'))).toEqual([
      `${loop}/round:1/advisor:agent/model:scripted`,
      expect.stringContaining(`${loop}/round:1/tool:note`),
      expect.stringContaining(`${loop}/round:1/tool:note`),
      `${loop}/round:2/advisor:agent/model:scripted`,
    ])
    expect(spans.filter((span) => span.endsWith('tool:note failed'))).toHaveLength(1)
  })

  it('shows the model what a memory remembers, and hands it the output to remember', async () => {
    const memory = messageWindowMemory()
    const remembering = { advisors: [chatMemoryAdvisor(memory)], conversation: 'c-1' }
    await play({
      answers: [{ output: { summary: 'You are Ada.' } }],
      output: SUMMARY,
      context: [{ type: 'text', text: 'I am Ada' }],
      ...remembering,
    })
    expect(await memory.get('c-1')).toMatchObject([
      { role: 'user', content: 'I am Ada' },
      { role: 'assistant', content: [{ type: 'text', text: '{"summary":"You are Ada."}' }] },
    ])
    const { read } = await play({
      answers: [{ calls: [{ _tool: 'note', text: 'x' }] }, DONE],
      output: SUMMARY,
      context,
      registry: noting(),
      ...remembering,
    })
    for (const text of read) expect(text).toContain('I am Ada')
    expect(read[1]!.match(/Go/g)).toHaveLength(1)
  })

  it('takes tools of classes, of providers and pure schemas together', async () => {
    class Alarms {
      readonly set: string[] = []
      @Tool({ description: 'Sets an alarm', input: z.object({ time: z.string() }) })
      setAlarm({ time }: { time: string }): string {
        this.set.push(time)
        return `set for ${time}`
      }
    }
    const remote: ToolCallbackProvider = {
      toolCallbacks: async () => [
        {
          definition: {
            name: 'remote',
            description: 'Remote',
            inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
          },
          metadata: { returnDirect: false, hints: {}, effect: 'once' },
          call: async (input) => `remote ${input}`,
        },
      ],
    }
    const alarms = new Alarms()
    const { result } = await play({
      answers: [
        {
          calls: [
            { _tool: 'setAlarm', time: '6:00', _outputPath: '†state.alarm' },
            { _tool: 'remote', q: '†state.alarm' },
            { _tool: 'note', text: '†state.alarm' },
          ],
        },
        DONE,
      ],
      output: SUMMARY,
      context,
      registry: noting(),
      tools: [alarms, remote],
    })
    expect(alarms.set).toEqual(['6:00'])
    expect(result.errors).toEqual([])
    expect(appended(result).slice(1)).toMatchObject([
      { data: { result: 'remote {"q":"set for 6:00"}' } },
      { data: { result: 'noted set for 6:00' } },
    ])
  })

  it('takes null for a parameter that may be left out, whatever the other tools say', async () => {
    const calls: unknown[] = []
    const registry = agentRegistry()
    for (const name of ['a', 'b']) registry.activity(name, (call) => void calls.push(call))
    const text = { text: { type: 'string' as const } }
    await play({
      answers: [
        {
          calls: [
            { _tool: 'a', text: null },
            { _tool: 'b', text: 'x' },
          ],
        },
        DONE,
      ],
      output: SUMMARY,
      context: [
        {
          type: 'tool',
          tool: {
            a: { type: 'object', properties: text },
            b: { type: 'object', properties: text, required: ['text'] },
          },
        },
        { type: 'text', text: 'Go' },
      ],
      registry,
    })
    expect(calls).toEqual([{ _tool: 'a' }, { _tool: 'b', text: 'x' }])
  })

  it('shows its own words and system text first, or other words if wished', async () => {
    const { model } = await play({ answers: [DONE], output: SUMMARY, context, system: 'Be kind.' })
    const [first, second] = model.prompts[0]!.messages
    expect(first).toMatchObject({
      role: 'system',
      content: expect.stringContaining('Answer with one JSON object'),
    })
    expect(second).toEqual({ role: 'system', content: 'Be kind.' })
    const { read } = await play({
      answers: [DONE],
      output: SUMMARY,
      context,
      instructions: 'JSON, please.',
    })
    expect(read[0]).toContain('JSON, please.')
    expect(read[0]).not.toContain('Answer with one JSON object')
  })

  it('gives results without a path back to the model, or forgets them', async () => {
    const run = (resultsWithoutPath?: 'forget') =>
      play({
        answers: [{ calls: [{ _tool: 'note', text: 'x' }] }, DONE],
        output: SUMMARY,
        context,
        registry: noting(),
        ...(resultsWithoutPath && { resultsWithoutPath }),
      })
    expect(textRead((await run()).model.prompts[1]!)).toContain('noted x')
    expect(textRead((await run('forget')).model.prompts[1]!)).not.toContain('noted x')
  })
})

describe('the version of an idea', () => {
  it('is the model’s to move on; whether it did is noticed', async () => {
    const meta = { path: '/a', version: '1' }
    const run = (version: string) =>
      play({
        answers: [{ output: { summary: '' }, meta: { path: '/a', version } }],
        output: SUMMARY,
        context: [
          { type: 'meta', meta },
          { type: 'text', text: 'Go' },
        ],
      })
    expect(noticesOf((await run('1')).events)).toEqual(['agent-version'])
    expect(noticesOf((await run('2')).events)).toEqual([])
  })
})
