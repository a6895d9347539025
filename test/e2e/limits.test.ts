/** Every limit, and each way a program may want to meet it. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  chatMemoryAdvisor,
  DEFAULT_LIMITS,
  messageWindowMemory,
  RunLimitError,
  tool,
  toolCallingManager,
  type ChatClientOptions,
  type LimitName,
  type OnLimit,
  type ToolSource,
} from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { scenario, toldByTools, type Outcome } from './scenario.ts'

const step = (log: unknown[]): ToolSource =>
  tool({ name: 'step', input: z.object({ n: z.number() }), execute: ({ n }) => (log.push(n), n) })
const call = (n: number) => ({ name: 'step', arguments: { n } })
const calling = (...ns: readonly number[]): ScriptedStep => ({ toolCalls: ns.map(call) })

interface LimitCase {
  readonly limit: LimitName
  readonly limits: ChatClientOptions['limits']
  readonly script: readonly ScriptedStep[]
  /** What ran before the limit was met. */
  readonly ran: readonly unknown[]
  /** What the model has to say when it is told. */
  readonly after: readonly ScriptedStep[]
}

const CASES: readonly LimitCase[] = [
  {
    limit: 'rounds',
    limits: { rounds: 2 },
    script: [calling(1), calling(2)],
    ran: [1, 2],
    after: ['Enough.'],
  },
  {
    limit: 'callsPerTool',
    limits: { callsPerTool: 3 },
    script: [calling(1), calling(2, 3, 4, 5)],
    ran: [1, 2, 3],
    after: ['Enough.'],
  },
  {
    limit: 'callsTotal',
    limits: { callsTotal: 2 },
    script: [calling(1, 2, 3)],
    ran: [1, 2],
    after: ['Enough.'],
  },
  {
    limit: 'identicalCalls',
    limits: { identicalCalls: 3 },
    script: [calling(7), calling(7), calling(7), calling(7)],
    ran: [7, 7, 7],
    after: [calling(7), 'Enough.'],
  },
]

describe('limits', () => {
  for (const { limit, limits, script, ran, after } of CASES) {
    const meeting = (onLimit: OnLimit, check: (outcome: Outcome) => void): void =>
      scenario(`${limit}, ${onLimit}`, {
        script: onLimit === 'tell-model' ? [...script, ...after] : script,
        client: () => ({ limits, onLimit }),
        tools: ({ log }) => [step(log)],
        check(outcome) {
          expect(outcome.log).toEqual(ran)
          check(outcome)
        },
      })

    meeting('stop', ({ result, textError, prompts, legs }) => {
      expect(result.status).toBe('limit')
      expect(result.response.results[0]).toMatchObject({
        finishReason: 'limit',
        metadata: { limit },
        message: { role: 'assistant' },
      })
      expect(result.rounds).toHaveLength(script.length)
      expect(prompts).toHaveLength(script.length)
      // What was obtained is kept, and every call has its response.
      const last = result.messages.at(-1)!
      expect(last.role).toBe('tool')
      expect(textError).toBeInstanceOf(RunLimitError)
      expect(textError).toMatchObject({ limit, result: { status: 'limit' } })
      expect(legs[0]!.text).toBeUndefined()
    })

    meeting('throw', ({ error, prompts }) => {
      expect(error).toBeInstanceOf(RunLimitError)
      expect(error).toMatchObject({ code: 'run-limit', limit })
      expect((error as RunLimitError).message).toContain(limit)
      expect((error as RunLimitError).result!.messages.at(-1)!.role).toBe('tool')
      expect(prompts).toHaveLength(script.length)
    })

    meeting('tell-model', ({ result, prompts }) => {
      expect(result.status).toBe('done')
      expect(result.rounds).toHaveLength(script.length + after.length)
      if (limit === 'rounds') expect(prompts.at(-1)!.options!.toolChoice).toBe('none')
      else
        expect(toldByTools(prompts[script.length]).at(-1)).toMatchObject({
          isError: true,
          content: expect.stringContaining(`(limits.${limit})`) as string,
        })
    })
  }

  scenario('rounds, tell-model: a model that goes on calling is stopped all the same', {
    script: [calling(1), calling(2), calling(3)],
    client: () => ({ limits: { rounds: 2 }, onLimit: 'tell-model' }),
    tools: ({ log }) => [step(log)],
    check({ result, log, prompts }) {
      expect(log).toEqual([1, 2])
      expect(prompts).toHaveLength(3)
      expect(result.status).toBe('limit')
    },
  })

  scenario('callsPerTool counts each tool for itself, callsTotal all of them', {
    script: [
      { toolCalls: [call(1), { name: 'other' }, call(2), { name: 'other' }] },
      { toolCalls: [{ name: 'other' }, call(3)] },
    ],
    client: () => ({ limits: { callsPerTool: 2, callsTotal: 5 } }),
    tools: ({ log }) => [step(log), tool({ name: 'other', execute: () => void log.push('o') })],
    check: ({ log, result }) => {
      expect(log).toEqual([1, 'o', 2, 'o'])
      expect(result.response.results[0]!.metadata['limit']).toBe('callsPerTool')
    },
  })

  scenario('of a call that both limits refuse, the limit per tool is told', {
    script: [calling(1, 2, 3)],
    client: () => ({ limits: { callsPerTool: 2, callsTotal: 2 } }),
    tools: ({ log }) => [step(log)],
    check: ({ log, result }) => {
      expect(log).toEqual([1, 2])
      expect(result.response.results[0]!.metadata['limit']).toBe('callsPerTool')
      expect(toldByTools(result).at(-1)!.content).toMatch(
        /"step" was already called 2 times \(limits\.callsPerTool\)/,
      )
    },
  })

  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

  scenario('by default 25 rounds in a run', {
    script: numbers(25).map((n) => calling(n)),
    tools: ({ log }) => [step(log)],
    check({ log, result }) {
      expect(log).toHaveLength(25)
      expect(result.rounds).toHaveLength(25)
      expect(result.response.results[0]!.metadata['limit']).toBe('rounds')
    },
  })

  scenario('by default 40 calls of one tool in a turn', {
    script: [{ toolCalls: numbers(41).map(call) }],
    tools: ({ log }) => [step(log)],
    check({ log, result }) {
      expect(log).toHaveLength(40)
      expect(result.response.results[0]!.metadata['limit']).toBe('callsPerTool')
    },
  })

  scenario('by default 150 calls in a turn', {
    script: [{ toolCalls: numbers(160).map((n) => ({ name: `tool${n % 5}`, id: `c${n}` })) }],
    tools: ({ log }) =>
      numbers(5).map((n) => tool({ name: `tool${n}`, execute: () => log.push(n) })),
    check({ log, result }) {
      expect(log).toHaveLength(150)
      expect(result.response.results[0]!.metadata['limit']).toBe('callsTotal')
    },
  })

  scenario('unlimited: as many as the model asks for', {
    script: [{ toolCalls: numbers(200).map(call) }, 'Done.'],
    client: () => ({ limits: { callsPerTool: 'unlimited', callsTotal: 'unlimited' } }),
    tools: ({ log }) => [step(log)],
    check({ log, result }) {
      expect(log).toHaveLength(200)
      expect(result.status).toBe('done')
    },
  })

  scenario('a limit for one tool is a policy that counts in what the request gave', {
    script: [{ toolCalls: [call(1), call(2), call(3), { name: 'other' }] }, 'Done.'],
    client: () => ({
      policy({ toolName }, context) {
        const left = context.get('left') as Map<string, number>
        const calls = left.get(toolName) ?? Infinity
        left.set(toolName, calls - 1)
        return calls > 0 ? 'allow' : { deny: `${toolName} was called often enough` }
      },
    }),
    request: (client) => client.prompt('Go').toolContext({ left: new Map([['step', 2]]) }),
    tools: ({ log }) => [step(log), tool({ name: 'other', execute: () => void log.push('o') })],
    check({ log, prompts, result }) {
      expect(log).toEqual([1, 2, 'o'])
      expect(toldByTools(prompts[1])[2]).toMatchObject({
        content: expect.stringContaining('step was called often enough') as string,
        isError: true,
      })
      expect(result.status).toBe('done')
    },
  })

  scenario('calls of earlier turns do not count', {
    script: [{ toolCalls: [call(1), call(2)] }, 'Done.'],
    client: () => ({ limits: { callsPerTool: 2, callsTotal: 2 } }),
    request: (client) =>
      client.prompt([
        { role: 'user', content: 'Before' },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', id: 'old', name: 'step', arguments: '{"n":0}' }],
        },
        { role: 'tool', responses: [{ id: 'old', name: 'step', content: '0' }] },
        { role: 'assistant', content: 'Zero.' },
        { role: 'user', content: 'Go' },
      ]),
    tools: ({ log }) => [step(log)],
    check({ log, result }) {
      expect(log).toEqual([1, 2])
      expect(result.status).toBe('done')
    },
  })

  scenario('with the history left to a memory the count is the same', {
    script: [calling(1), calling(2), calling(3)],
    client: () => ({
      limits: { callsPerTool: 2 },
      advisors: [chatMemoryAdvisor(messageWindowMemory({ maxMessages: 1 }), { order: 500 })],
    }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log)],
    check({ log, result }) {
      expect(log).toEqual([1, 2])
      expect(result.response.results[0]!.metadata['limit']).toBe('callsPerTool')
    },
  })

  scenario('identicalCalls: the last that is allowed carries a hint', {
    script: [calling(7), calling(7), calling(7), 'Oh.'],
    tools: ({ log }) => [step(log)],
    check({ prompts, result }) {
      expect(toldByTools(prompts[2])).toEqual([{ content: '7' }])
      expect(toldByTools(prompts[3])[0]!.content).toMatch(/^7\n\n.*Do not repeat it\.$/s)
      expect(result.status).toBe('done')
    },
  })

  scenario('identicalCalls: another result or another call in between starts anew', {
    script: [calling(7), calling(7), calling(8), calling(7), calling(7), 'Fine.'],
    client: () => ({ limits: { identicalCalls: 2 } }),
    tools: ({ log }) => [step(log)],
    check: ({ log, result }) => {
      expect(log).toEqual([7, 7, 8, 7, 7])
      expect(result.status).toBe('done')
    },
  })

  scenario('identicalCalls: a result that changes is progress', {
    script: [...Array.from({ length: 6 }, () => ({ toolCalls: [{ name: 'poll' }] })), 'Ready.'],
    client: () => ({ limits: { identicalCalls: 2 } }),
    tools: ({ log }) => [tool({ name: 'poll', execute: () => log.push('polled') })],
    check: ({ log, result }) => {
      expect(log).toHaveLength(6)
      expect(result.status).toBe('done')
    },
  })

  scenario('identicalCalls: the same mistake again and again is a repetition, too', {
    script: Array.from({ length: 4 }, () => ({
      toolCalls: [{ name: 'step', arguments: { n: 'many' } }],
    })),
    tools: ({ log }) => [step(log)],
    check({ result, log }) {
      expect(log).toEqual([])
      expect(result.response.results[0]!.metadata['limit']).toBe('identicalCalls')
    },
  })

  scenario('a thousand calls in one turn: the first run, each has its response', {
    script: [calling(...Array.from({ length: 1000 }, (_, n) => n))],
    client: () => ({ limits: { callsPerTool: 'unlimited', callsTotal: 5 } }),
    tools: ({ log }) => [step(log)],
    check({ log, result }) {
      expect(log).toHaveLength(5)
      const last = result.messages.at(-1)!
      expect(last.role === 'tool' && last.responses).toHaveLength(1000)
    },
  })

  for (const onLimit of ['stop', 'throw'] as const) {
    scenario(`runTimeoutMs while a tool works, ${onLimit}`, {
      script: [{ text: 'Working on it. ', toolCalls: [{ name: 'slow' }] }],
      client: () => ({ limits: { runTimeoutMs: 500 }, onLimit }),
      tools: ({ log }) => [
        tool({
          name: 'slow',
          timeoutMs: 'unlimited',
          execute: (_input, { signal }) =>
            new Promise(() => signal.addEventListener('abort', () => void log.push('told'))),
        }),
      ],
      during: ({ clock }) => clock.advance(1000),
      check({ result, error, log, textError, clock }) {
        expect(log).toEqual(['told'])
        expect(onLimit === 'stop' ? textError : error).toMatchObject({ limit: 'runTimeoutMs' })
        if (onLimit === 'stop') expect(result.status).toBe('limit')
        expect(clock.waiting).toBe(0)
      },
    })
  }

  scenario('runTimeoutMs while the model thinks: what was obtained is kept', {
    script: [calling(1), { hang: true }],
    client: () => ({ limits: { runTimeoutMs: 500 } }),
    tools: ({ log }) => [step(log)],
    during: ({ clock }) => clock.advance(1000),
    check({ result }) {
      expect(result.status).toBe('limit')
      expect(result.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool'])
    },
  })

  scenario('runTimeoutMs before the model said anything: there is nothing to keep', {
    script: [{ hang: true }],
    client: () => ({ limits: { runTimeoutMs: 500 } }),
    during: ({ clock }) => clock.advance(1000),
    check: ({ error, clock }) => {
      expect(error).toMatchObject({ code: 'run-limit', limit: 'runTimeoutMs' })
      expect(clock.waiting).toBe(0)
    },
  })

  scenario('runTimeoutMs leaves a run alone that is in time', {
    script: [calling(1), { text: 'In time.', delayMs: 400 }],
    client: () => ({ limits: { runTimeoutMs: 500 } }),
    tools: ({ log }) => [step(log)],
    during: ({ clock }) => clock.advance(450),
    check: ({ result, clock }) => {
      expect(result.status).toBe('done')
      expect(clock.waiting).toBe(0)
    },
  })

  scenario('argumentBytes counts UTF-8 bytes', {
    script: [
      { toolCalls: [{ name: 'note', arguments: { t: 'é'.repeat(40) } }] },
      { toolCalls: [{ name: 'note', arguments: { t: 'e'.repeat(40) } }] },
      'Ok.',
    ],
    client: () => ({ limits: { argumentBytes: 60 } }),
    tools: ({ log }) => [
      tool({
        name: 'note',
        input: z.object({ t: z.string() }),
        execute: ({ t }) => void log.push(t),
      }),
    ],
    check: ({ log }) => void expect(log).toEqual(['e'.repeat(40)]),
  })
})

describe('settings', () => {
  it('a partial object keeps the other defaults', () => {
    const { limits } = toolCallingManager({
      limits: { rounds: 3, toolTimeoutMs: 'unlimited' },
    }).settings!
    expect(limits).toEqual({
      ...DEFAULT_LIMITS,
      rounds: 3,
      toolTimeoutMs: Infinity,
      runTimeoutMs: Infinity,
    })
  })

  const WRONG: readonly unknown[] = [-1, 0, NaN, Infinity, '5', null, 5n, 'unlimted']
  for (const value of WRONG) {
    it(`a limit of ${typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)} is an error`, () => {
      const client = (): ChatClient =>
        ChatClient.create(scriptedModel([]), { limits: { rounds: value as number } })
      expect(client).toThrow(/limits\.rounds.*at least 1.*'unlimited'/)
      expect(client).toThrow(expect.objectContaining({ code: 'invalid-option' }))
    })
  }

  it('an unknown limit, and an unknown way to meet it', () => {
    expect(() => toolCallingManager({ limits: { turns: 3 } as never })).toThrow(/no option "turns"/)
    expect(() => toolCallingManager({ onLimit: 'ignore' as never })).toThrow(/onLimit/)
  })
})
