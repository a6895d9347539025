/** Runs that wait for somebody, and how they go on. */
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { tool, type Json, type PendingCall, type ToolSource } from 'toolwright'
import { eventsOf, scenario, toldByTools, typesOf } from './scenario.ts'

const amount = z.object({ amount: z.number() })
const pay = (log: unknown[], options: Record<string, unknown> = { approval: true }): ToolSource =>
  tool({
    name: 'pay',
    input: amount,
    ...options,
    execute: (input) => (log.push(input.amount), `paid ${input.amount}`),
  })
const free = (log: unknown[]): ToolSource =>
  tool({ name: 'free', execute: () => (log.push('free'), 'free') })
const PAY = { name: 'pay', arguments: { amount: 5 } }
const waiting = (more: Partial<PendingCall> = {}): PendingCall => ({
  callId: 'call_1',
  toolName: 'pay',
  input: { amount: 5 },
  kind: 'approval',
  ...more,
})

describe('what makes a call wait', () => {
  const asking = (name: string, options: Record<string, unknown>, reason: RegExp): void =>
    scenario(name, {
      script: [{ text: 'Let me pay. ', toolCalls: [PAY], usage: { inputTokens: 3 } }],
      tools: ({ log }) => [pay(log, options)],
      check({ result, log, events, textError }) {
        expect(log).toEqual([])
        expect(result.status).toBe('suspended')
        expect(result.pending).toEqual([{ ...waiting(), reason: expect.stringMatching(reason) }])
        expect(result.response).toMatchObject({
          results: [{ finishReason: 'suspended', message: { role: 'assistant' } }],
          usage: { inputTokens: 3 },
        })
        expect(typesOf(events).slice(-2)).toEqual(['suspended', 'response'])
        expect(eventsOf(events, 'suspended')[0]).toMatchObject({
          pending: result.pending,
          state: result.state,
          runId: 'run_1',
          round: 1,
        })
        expect(textError).toMatchObject({ code: 'run-suspended', result: { status: 'suspended' } })
        expect((textError as Error).message).toContain('pay (approval, call_1)')
      },
    })

  asking('approval: true', { approval: true }, /needs approval/)
  asking(
    'approval: a rule',
    { approval: async ({ amount }: { amount: number }) => amount > 3 },
    /needs approval/,
  )
  asking('a destructive tool', { hints: { destructive: true } }, /destructive/)
  asking(
    'a rule that throws asks, without showing its secrets',
    {
      approval() {
        throw new Error('no rule for sk-abcdefghijklmnop1234')
      },
    },
    /^The approval rule failed: no rule for \[redacted\]$/,
  )

  scenario('a rule that says no lets it run', {
    script: [{ toolCalls: [PAY] }, 'Paid.'],
    tools: ({ log }) => [pay(log, { approval: ({ amount }: { amount: number }) => amount > 10 })],
    check: ({ log }) => void expect(log).toEqual([5]),
  })

  scenario('the rule sees the checked input and the context', {
    script: [{ toolCalls: [{ name: 'pay', arguments: { amount: '5' } }] }],
    request: (client) => client.prompt('Go').toolContext({ limit: 3 }),
    tools: ({ log }) => [
      pay(log, {
        approval: (input: { amount: number }, context: { get(key: string): unknown }) =>
          input.amount > Number(context.get('limit')),
        preview: (input: { amount: number }) => ({ would: `pay ${input.amount}` }),
      }),
    ],
    check({ result }) {
      expect(result.pending).toMatchObject([
        { input: { amount: 5 }, preview: { would: 'pay 5' }, kind: 'approval' },
      ])
      expect(JSON.stringify(result.state)).not.toContain('limit')
    },
  })

  scenario('a preview that throws does not stop the question', {
    script: [{ toolCalls: [PAY] }],
    tools: ({ log }) => [
      pay(log, {
        approval: true,
        preview() {
          throw new Error('no preview')
        },
      }),
    ],
    check: ({ result }) =>
      void expect(result.pending![0]!.preview).toBe('The preview failed: no preview'),
  })

  scenario('bad arguments never get that far', {
    script: [{ toolCalls: [{ name: 'pay', arguments: { amount: 'all of it' } }] }, 'Sorry.'],
    tools: ({ log }) => [pay(log)],
    check({ result, prompts }) {
      expect(result.status).toBe('done')
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }])
    },
  })
})

describe('a policy', () => {
  const judging = (
    name: string,
    verdict: () => unknown,
    expected: 'runs' | 'asks' | RegExp,
  ): void =>
    scenario(name, {
      script: [{ toolCalls: [PAY] }, 'Well.'],
      client: ({ log }) => ({
        policy(call, context) {
          log.push([call.callId, call.toolName, call.input, context.toolName])
          return verdict() as 'allow'
        },
      }),
      tools: ({ log }) => [pay(log, {})],
      check({ result, log, prompts }) {
        expect(log[0]).toEqual(['call_1', 'pay', { amount: 5 }, 'pay'])
        expect(log.slice(1)).toEqual(expected === 'runs' ? [5] : [])
        if (expected === 'asks') expect(result.pending).toMatchObject([{ kind: 'approval' }])
        else expect(result.status).toBe('done')
        if (expected instanceof RegExp)
          expect(toldByTools(prompts[1])).toEqual([
            { content: expect.stringMatching(expected), isError: true },
          ])
      },
    })

  judging('allow', () => 'allow', 'runs')
  judging('ask', () => Promise.resolve('ask'), 'asks')
  judging('deny', () => 'deny', /^Not run: the policy does not allow it\.$/)
  judging('deny with a reason', () => ({ deny: 'not on Sundays' }), /^Not run: not on Sundays$/)
  judging('nothing at all denies', () => undefined, /^Not run/)
  judging('a word it does not know denies', () => 'alow', /^Not run/)
  judging(
    'a throw denies, and its words stay inside',
    () => {
      throw new Error('policy server at 10.0.0.1 is down')
    },
    /^Not run: the policy does not allow it\.$/,
  )
})

describe('going on', () => {
  scenario('the other calls of the batch run first; approve runs the rest, in call order', {
    script: [
      { toolCalls: [PAY, { name: 'free' }, { name: 'pay', arguments: { amount: 6 } }] },
      'All done.',
    ],
    tools: ({ log }) => [pay(log), free(log)],
    resume: [() => ({ call_1: 'approve', call_3: 'approve' })],
    check({ log, prompts, legs, result }) {
      expect(log).toEqual(['free', 5, 6])
      expect(legs[0]!.result!.messages.map((message) => message.role)).toEqual([
        'user',
        'assistant',
      ])
      expect(toldByTools(prompts[1]).map((told) => told.content)).toEqual([
        'paid 5',
        'free',
        'paid 6',
      ])
      expect(result.status).toBe('done')
      expect(eventsOf(legs[0]!.events, 'tool-result')).toHaveLength(1)
      expect(eventsOf(legs[1]!.events, 'tool-result')).toHaveLength(2)
    },
  })

  scenario('deny: the model is told why, nothing runs', {
    script: [{ toolCalls: [PAY] }, 'As you wish.'],
    tools: ({ log }) => [pay(log)],
    resume: [() => ({ call_1: { deny: 'too much' } })],
    check({ log, prompts }) {
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toEqual([
        { content: 'Not run: denied. too much', isError: true },
      ])
    },
  })

  scenario('edit: what was edited runs, and the model knows', {
    script: [{ toolCalls: [PAY] }, 'Less, then.'],
    tools: ({ log }) => [pay(log)],
    resume: [() => ({ call_1: { edit: { amount: '3' } } })],
    check({ log, prompts, events }) {
      expect(log).toEqual([3])
      expect(toldByTools(prompts[1])[0]!.content).toBe(
        'paid 3\n\nThe arguments were changed before it ran: {"amount":3}',
      )
      expect(eventsOf(events, 'tool-execution-start')[0]!.input).toEqual({ amount: 3 })
    },
  })

  scenario('edit: an input that has no JSON after its schema took it is told all the same', {
    script: [{ toolCalls: [{ name: 'big', arguments: { n: '1' } }] }, 'Big.'],
    tools: ({ log }) => [
      tool({
        name: 'big',
        input: z.object({ n: z.string().transform(BigInt) }),
        approval: true,
        execute: ({ n }) => (log.push(n), 'ok'),
      }),
    ],
    resume: [() => ({ call_1: { edit: { n: '2' } } })],
    check({ log, prompts }) {
      expect(log).toEqual([2n])
      expect(toldByTools(prompts[1])[0]!.content).toContain('{"n":"2"}')
    },
  })

  scenario('partial decisions: what is undecided stays pending, under a new state', {
    script: [{ toolCalls: [PAY, { name: 'pay', arguments: { amount: 6 } }] }, 'Both.'],
    tools: ({ log }) => [pay(log)],
    resume: [() => ({ call_2: 'approve' }), () => ({ call_1: { deny: 'no' } })],
    check({ log, legs, prompts }) {
      expect(legs[1]!.result).toMatchObject({
        status: 'suspended',
        pending: [{ callId: 'call_1' }],
      })
      expect(legs[1]!.result!.state!.id).not.toBe(legs[0]!.result!.state!.id)
      expect(log).toEqual([6])
      expect(toldByTools(prompts[1])).toEqual([
        { content: 'Not run: denied. no', isError: true },
        { content: 'paid 6' },
      ])
    },
  })

  scenario('a second suspension later in the run', {
    script: [
      { toolCalls: [PAY], usage: { inputTokens: 1 } },
      { toolCalls: [{ name: 'pay', arguments: { amount: 6 } }], usage: { inputTokens: 10 } },
      { text: 'Twice.', usage: { inputTokens: 100 } },
    ],
    tools: ({ log }) => [pay(log)],
    resume: [() => ({ call_1: 'approve' }), () => ({ call_2: 'approve' })],
    check({ log, legs, result }) {
      expect(log).toEqual([5, 6])
      expect(legs.map((leg) => leg.result!.response.usage.inputTokens)).toEqual([1, 11, 111])
      expect(legs.map((leg) => leg.result!.rounds.length)).toEqual([1, 2, 3])
      expect(result.messages.map((message) => message.role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'tool',
        'assistant',
      ])
      const runs = legs.flatMap((leg) => leg.events.map((event) => event.runId))
      expect(new Set(runs)).toEqual(new Set(['run_1']))
      expect(legs[2]!.events.at(-1)).toMatchObject({ type: 'response', round: 3 })
    },
  })

  scenario('counters go on over the suspension', {
    script: [
      { toolCalls: [PAY, { name: 'free' }] },
      { toolCalls: [{ name: 'free' }, { name: 'free' }] },
    ],
    client: () => ({ limits: { callsTotal: 3 } }),
    tools: ({ log }) => [pay(log), free(log)],
    resume: [() => ({ call_1: 'approve' })],
    check({ log, result }) {
      expect(log).toEqual(['free', 5, 'free'])
      expect(result.response.results[0]!.metadata['limit']).toBe('callsTotal')
    },
  })

  scenario('rounds count over the suspension', {
    script: [{ toolCalls: [PAY] }, { toolCalls: [{ name: 'free' }] }],
    client: () => ({ limits: { rounds: 2 } }),
    tools: ({ log }) => [pay(log), free(log)],
    resume: [() => ({ call_1: 'approve' })],
    check: ({ result }) =>
      void expect(result.response.results[0]!.metadata['limit']).toBe('rounds'),
  })

  scenario('return direct after an approval', {
    script: [{ toolCalls: [PAY] }],
    tools: ({ log }) => [pay(log, { approval: true, returnDirect: true })],
    resume: [() => ({ call_1: 'approve' })],
    check: ({ legs }) => void expect(legs[1]!.text).toBe('paid 5'),
  })

  scenario('the same key for whoever refuses duplicates, before and after', {
    script: [{ toolCalls: [{ name: 'key' }, { name: 'keyed' }] }, 'Ok.'],
    tools: ({ log }) => [
      tool({ name: 'key', execute: (_input, context) => void log.push(context.idempotencyKey) }),
      tool({
        name: 'keyed',
        approval: true,
        execute: (_input, context) => void log.push(context.idempotencyKey),
      }),
    ],
    resume: [() => ({ call_2: 'approve' })],
    check: ({ log }) => void expect(log).toEqual(['run_1/call_1', 'run_1/call_2']),
  })

  scenario('a tool that changes its input changes neither the state nor the question', {
    script: [{ toolCalls: [{ name: 'pay', arguments: { amount: 5 } }] }, 'Ok.'],
    tools: ({ log }) => [
      tool({
        name: 'pay',
        input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
        execute(input, context) {
          log.push(input.amount)
          ;(input as { amount: number }).amount = 1000
          return context.suspend('sure?')
        },
      }),
    ],
    resume: [() => ({ call_1: { answer: 'yes' } })],
    check({ log, legs }) {
      expect(legs[0]!.result!.pending).toMatchObject([{ input: { amount: 5 } }])
      expect(log).toEqual([5, 5])
    },
  })

  scenario('ids that are names of an object’s own things', {
    script: [
      {
        toolCalls: ['__proto__', 'constructor', 'toString'].map((id) => ({ name: 'ask', id })),
      },
      'Ok.',
    ],
    tools: () => [
      tool({
        name: 'ask',
        execute: (_input, context) =>
          `${context.suspend(1) as string}${context.suspend(2) as string}`,
      }),
    ],
    resume: [
      () => JSON.parse('{"__proto__":{"answer":"a"},"constructor":{"answer":"a"}}') as never,
      () => JSON.parse('{"__proto__":{"answer":"b"},"toString":{"answer":"a"}}') as never,
      () => JSON.parse('{"constructor":{"answer":"b"},"toString":{"answer":"b"}}') as never,
    ],
    check({ prompts, result }) {
      expect(result.status).toBe('done')
      expect(toldByTools(prompts[1]).map((told) => told.content)).toEqual(['ab', 'ab', 'ab'])
    },
  })
})

describe('results from the application', () => {
  const pick = tool({ name: 'pick', output: z.object({ at: z.number() }) })

  scenario('are converted and checked like the tool’s own', {
    script: [{ toolCalls: [{ name: 'pick' }, { name: 'pick' }] }, 'Picked.'],
    tools: () => [pick],
    resume: [() => ({ call_1: { result: { at: 1, by: 'me' } }, call_2: { result: { at: 2 } } })],
    check: ({ prompts }) =>
      void expect(toldByTools(prompts[1])).toEqual([{ content: '{"at":1}' }, { content: '{"at":2}' }]), // prettier-ignore
  })

  scenario('nobody has one', {
    script: [{ toolCalls: [{ name: 'pick' }] }, 'Pity.'],
    tools: () => [pick],
    resume: [() => ({ call_1: { deny: 'nobody there' } })],
    check: ({ prompts }) => void expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }]),
  })
})

describe('questions from inside', () => {
  const asking = (
    log: unknown[],
    ask: (suspend: (question: Json) => Json) => unknown,
  ): ToolSource =>
    tool({
      name: 'ask',
      execute(_input, context) {
        log.push('started')
        return ask((question) => context.suspend(question))
      },
    })
  const ASK = { toolCalls: [{ name: 'ask' }] }

  scenario('the tool runs again from the start, and the question returns its answer', {
    script: [ASK, 'Ok.'],
    tools: ({ log }) => [
      asking(log, (suspend) => `you said ${suspend({ really: true }) as string}`),
    ],
    resume: [() => ({ call_1: { answer: 'yes' } })],
    check({ log, legs, prompts }) {
      expect(legs[0]!.result!.pending).toEqual([
        {
          callId: 'call_1',
          toolName: 'ask',
          input: {},
          kind: 'question',
          question: { really: true },
        },
      ])
      expect(log).toEqual(['started', 'started'])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'you said yes' }])
      expect(eventsOf(legs[0]!.events, 'tool-result')).toEqual([])
    },
  })

  scenario('asked twice, answered one by one, even with null', {
    script: [ASK, 'Ok.'],
    tools: ({ log }) => [asking(log, (suspend) => [suspend('first'), suspend('second')])],
    resume: [() => ({ call_1: { answer: null } }), () => ({ call_1: { answer: 2 } })],
    check({ legs, prompts, log }) {
      expect(legs.slice(0, 2).map((leg) => leg.result!.pending![0]!.question)).toEqual([
        'first',
        'second',
      ])
      expect(log).toHaveLength(3)
      expect(toldByTools(prompts[1])).toEqual([{ content: '[null,2]' }])
    },
  })

  scenario('an answer is not forgotten while somebody else decides', {
    script: [{ toolCalls: [{ name: 'ask' }, PAY] }, 'Ok.'],
    tools: ({ log }) => [asking(log, (suspend) => [suspend('first'), suspend('second')]), pay(log)],
    resume: [
      () => ({ call_1: { answer: 'one' } }),
      () => ({ call_2: 'approve' }),
      () => ({ call_1: { answer: 'two' } }),
    ],
    check: ({ prompts }) =>
      void expect(toldByTools(prompts[1])).toEqual([
        { content: '["one","two"]' },
        { content: 'paid 5' },
      ]),
  })

  scenario('a tool that catches the signal is suspended all the same', {
    script: [ASK, 'Ok.'],
    tools: ({ log }) => [
      asking(log, (suspend) => {
        try {
          return suspend('sure?')
        } catch {
          log.push('caught')
          return 'went on regardless'
        }
      }),
    ],
    resume: [() => ({ call_1: { answer: 'yes' } })],
    check({ log, prompts }) {
      expect(log).toEqual(['started', 'caught', 'started'])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'yes' }])
    },
  })

  scenario('a tool that catches it and asks something else still waits for its first question', {
    script: [ASK, 'Ok.'],
    tools: ({ log }) => [
      asking(log, (suspend) => {
        const answers: unknown[] = []
        for (const question of ['a', 'b']) {
          try {
            answers.push(suspend(question))
          } catch {
            log.push(`caught ${question}`)
          }
        }
        return answers
      }),
    ],
    resume: [() => ({ call_1: { answer: 1 } }), () => ({ call_1: { answer: 2 } })],
    check({ legs, prompts }) {
      expect(legs.slice(0, 2).map((leg) => leg.result!.pending![0]!.question)).toEqual(['a', 'b'])
      expect(toldByTools(prompts[1])).toEqual([{ content: '[1,2]' }])
    },
  })

  scenario('from a generator, after some progress', {
    script: [ASK, 'Ok.'],
    tools: () => [
      tool({
        name: 'ask',
        *execute(_input, context) {
          yield 'half'
          return context.suspend('go on?')
        },
      }),
    ],
    resume: [() => ({ call_1: { answer: 'on' } })],
    check({ legs, prompts }) {
      expect(legs.map((leg) => eventsOf(leg.events, 'tool-progress').length)).toEqual([1, 1])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'on' }])
    },
  })

  scenario('deny answers no question', {
    script: [ASK, 'Ok.'],
    tools: ({ log }) => [asking(log, (suspend) => suspend('sure?'))],
    resume: [() => ({ call_1: { deny: 'ask somebody else' } })],
    check({ log, prompts }) {
      expect(log).toEqual(['started'])
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }])
    },
  })

  scenario('a question is not retried, and not cached', {
    script: [ASK, 'Ok.'],
    tools: ({ log }) => [
      tool({
        name: 'ask',
        hints: { idempotent: true },
        retry: { attempts: 3 },
        cache: { ttlMs: 1e9 },
        execute(_input, context) {
          log.push(context.attempt)
          return context.suspend('sure?')
        },
      }),
    ],
    resume: [() => ({ call_1: { answer: 'yes' } })],
    check: ({ log }) => void expect(log).toEqual([1, 1]),
  })
})
