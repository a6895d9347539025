/** A client as a tool: a run inside a run. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  clientTool,
  textOf,
  tool,
  type ChatClientOptions,
  type ChatResponse,
  type InnerQuestion,
  type ToolCallback,
} from 'toolwright'
import { scriptedModel, type ScriptedModel, type ScriptedStep } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { eventsOf, scenario, toldByTools, typesOf } from './scenario.ts'

const ids = { next: (prefix: string) => `inner_${prefix}` }
const ask = (prompt: string): ScriptedStep => ({
  toolCalls: [{ name: 'expert', arguments: { prompt } }],
})

function expertOf(
  steps: readonly ScriptedStep[],
  options: ChatClientOptions = {},
): { model: ScriptedModel; client: ChatClient; expert: ToolCallback } {
  const model = scriptedModel(steps)
  const client = ChatClient.create(model, { ids, ...options })
  return { model, client, expert: clientTool(client, { name: 'expert', description: 'Knows' }) }
}
const look = { toolCalls: [{ name: 'look', id: 'inner_1' }] }

describe('clientTool', () => {
  scenario('asks the client with the model’s prompt; its answer is the result', {
    script: [ask('Who wrote Emma?'), 'It was Jane Austen.'],
    tools: ({ log }) => {
      const { model, expert } = expertOf(['Jane Austen.'], { system: 'You know books.' })
      log.push(model.prompts)
      return [expert]
    },
    check({ prompts, log }) {
      expect((prompts[0]!.options!.tools as readonly ToolCallback[])[0]!.definition).toMatchObject({
        name: 'expert',
        description: 'Knows',
        inputSchema: { required: ['prompt'], additionalProperties: false },
      })
      const [inner] = log as [ScriptedModel['prompts']]
      expect(inner[0]!.messages).toEqual([
        { role: 'system', content: 'You know books.' },
        { role: 'user', content: 'Who wrote Emma?' },
      ])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'Jane Austen.' }])
    },
  })

  scenario('tells what happens inside, marked with the call, and keeps its text to itself', {
    script: [ask('Go'), 'Done.'],
    tools: () => [
      expertOf([look, 'Found.'], { tools: [tool({ name: 'look', execute: () => 1 })] }).expert,
    ],
    check({ events, legs, mode }) {
      const inside = events.filter((event) => event.parentCallId !== undefined)
      expect(new Set(inside.map((event) => event.parentCallId))).toEqual(new Set(['call_1']))
      expect(new Set(inside.map((event) => event.runId))).toEqual(new Set(['inner_run']))
      expect(typesOf(inside).filter((type) => !type.endsWith('-delta'))).toEqual([
        'tool-call-start',
        'tool-call',
        'round-end',
        'tool-execution-start',
        'tool-result',
        'round-end',
      ])
      expect(inside.some((event) => event.type === 'text-delta')).toBe(mode === 'stream')
      expect(eventsOf(events, 'response')).toHaveLength(1)
      expect(legs[0]!.text).toBe('Done.')
    },
  })

  scenario('marks events of a run inside the inner one with their own call', {
    script: [ask('Go'), 'Done.'],
    tools: () => {
      const { client } = expertOf(['Deep.'])
      const look = clientTool(client, { name: 'look', description: 'Looks' })
      const asks = { toolCalls: [{ name: 'look', arguments: { prompt: 'x' }, id: 'inner_1' }] }
      return [expertOf([asks, 'Found.'], { tools: [look] }).expert]
    },
    check({ events }) {
      const ends = eventsOf(events, 'round-end')
      expect(ends.map((end) => [end.parentCallId, textOf(end.response)])).toEqual([
        [undefined, ''],
        ['call_1', ''],
        ['inner_1', 'Deep.'],
        ['call_1', 'Found.'],
        [undefined, 'Done.'],
      ])
    },
  })

  scenario('counts its usage by itself: in the result’s value, not in the outer run', {
    script: [ask('Go'), { text: 'Done.', usage: { inputTokens: 1 } }],
    tools: () => [
      expertOf(
        [
          { ...look, usage: { inputTokens: 10 } },
          { text: 'x', usage: { inputTokens: 20 } },
        ],
        {
          tools: [tool({ name: 'look', execute: () => 1 })],
        },
      ).expert,
    ],
    check({ result, events }) {
      expect(result.response.usage).toEqual({ inputTokens: 1 })
      const outer = eventsOf(events, 'tool-result').find((event) => !event.parentCallId)!
      expect((outer.value as ChatResponse).usage).toEqual({ inputTokens: 30 })
    },
  })

  scenario('hands on the keys of the context it was told to, and no others', {
    script: [
      {
        toolCalls: [
          { name: 'none', arguments: { prompt: 'a' } },
          { name: 'some', arguments: { prompt: 'b' } },
        ],
      },
      'Done.',
    ],
    request: (client) => client.prompt('Go').toolContext({ tenant: 't', secret: 's' }),
    tools: ({ log }) => {
      const look = tool({ name: 'look', execute: (_input, { values }) => void log.push(values) })
      const one = (): ChatClient =>
        expertOf([{ toolCalls: [{ name: 'look' }] }, 'x'], {
          tools: [look],
          toolContext: { own: 1 },
        }).client
      const context = z.object({ tenant: z.string() })
      return [
        clientTool(one(), { name: 'none', description: 'x', lock: () => 'k' }),
        clientTool(one(), { name: 'some', description: 'x', context, lock: () => 'k' }),
      ]
    },
    check: ({ log }) => expect(log).toEqual([{ own: 1 }, { own: 1, tenant: 't' }]),
  })

  scenario('a limit or a failure inside is told to the outer model', {
    script: [ask('Go'), ask('Go'), 'Sorry.'],
    tools: () => [
      expertOf([look, { error: new Error('model down') }], {
        tools: [tool({ name: 'look', execute: () => 1 })],
        limits: { rounds: 1 },
      }).expert,
    ],
    check({ prompts, result }) {
      expect(toldByTools(prompts[1])).toEqual([
        { content: expect.stringMatching(/limit rounds = 1/), isError: true },
      ])
      expect(toldByTools(prompts[2])).toEqual([{ content: 'model down', isError: true }])
      expect(result.status).toBe('done')
    },
  })

  scenario('an abort of the outer run ends the inner one', {
    script: [ask('Go')],
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ log, abort }) => {
      const slow = tool({
        name: 'look',
        execute: (_input, { signal }) => {
          signal.addEventListener('abort', () => log.push(signal.reason))
          abort.abort('enough')
          return new Promise(() => {})
        },
      })
      return [expertOf([look], { tools: [slow] }).expert]
    },
    check({ error, log }) {
      expect(error).toBe('enough')
      expect(log).toEqual(['enough'])
    },
  })

  it('has no timeout of its own unless it is given one', () => {
    const { expert, client } = expertOf([])
    expect(expert.metadata.timeoutMs).toBe('unlimited')
    const brief = clientTool(client, { name: 'x', description: 'x', timeoutMs: 5 })
    expect(brief.metadata.timeoutMs).toBe(5)
    expect(() => clientTool({} as never, { name: 'x', description: 'x' })).toThrow(
      /ChatClient first/,
    )
    expect(() => clientTool(client, { name: 'x', descripton: 'x' } as never)).toThrow(
      /"description"/,
    )
  })

  it('called by hand it just answers', async () => {
    expect(await expertOf(['Jane.']).expert.call('{"prompt":"Who?"}')).toBe('Jane.')
  })
})

describe('a question inside', () => {
  const approve = (question: unknown): Record<string, 'approve'> =>
    Object.fromEntries(
      (question as InnerQuestion).pending.map(({ callId }) => [callId, 'approve'] as const),
    )
  const paying = (log: unknown[], steps: readonly ScriptedStep[]): ToolCallback =>
    expertOf(steps, {
      tools: [tool({ name: 'pay', approval: true, execute: () => void log.push('paid') })],
      ids: countingIds(),
    }).expert
  const pay = (id: string): ScriptedStep => ({ toolCalls: [{ name: 'pay', id }] })

  scenario('is the outer run’s question; its decisions are the answer', {
    script: [ask('Pay'), 'All paid.'],
    tools: ({ log }) => [paying(log, [pay('p1'), 'Paid.'])],
    resume: [
      ({ pending }) => {
        expect(pending).toMatchObject([
          {
            callId: 'call_1',
            kind: 'question',
            question: { pending: [{ callId: 'p1', kind: 'approval' }] },
          },
        ])
        return { call_1: { answer: approve(pending![0]!.question) } }
      },
    ],
    check({ log, prompts, result }) {
      expect(log).toEqual(['paid'])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'Paid.' }])
      expect(textOf(result.response)).toBe('All paid.')
    },
  })

  scenario('may be followed by another, and a wrong answer is asked again', {
    script: [ask('Pay'), 'All paid.'],
    tools: ({ log }) => [paying(log, [pay('p1'), pay('p2'), 'Paid twice.'])],
    resume: [
      () => ({ call_1: { answer: { nobody: 'approve' } } }),
      ({ pending }) => {
        const question = pending![0]!.question as unknown as InnerQuestion
        expect(question.problem).toMatch(/"nobody" is not pending/)
        return { call_1: { answer: approve(question) } }
      },
      ({ pending }) => {
        const question = pending![0]!.question as unknown as InnerQuestion
        expect(question.pending).toMatchObject([{ callId: 'p2' }])
        expect(question).not.toHaveProperty('problem')
        return { call_1: { answer: approve(question) } }
      },
    ],
    check({ log, prompts }) {
      expect(log).toEqual(['paid', 'paid'])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'Paid twice.' }])
    },
  })
})
