/** Ids of calls, and with them idempotency keys, come once in a run, whatever the model still sees of it. */
import { describe, expect } from 'vitest'
import {
  chatMemoryAdvisor,
  messageWindowMemory,
  tool,
  toolCallingAdvisor,
  toolCallsOf,
  type Advisor,
  type AdvisedResponse,
  type ChatClientOptions,
  type Ids,
  type Message,
  type ToolSource,
} from 'toolwright'
import type { ScriptedStep } from 'toolwright/testing'
import { eventsOf, scenario, type Stage } from '../e2e/scenario.ts'

const pay = ({ log }: Pick<Stage, 'log'>, options: Record<string, unknown> = {}): ToolSource =>
  tool({
    name: 'pay',
    input: { type: 'object', properties: { to: { type: 'string' } } },
    ...options,
    execute: ({ to }, { idempotencyKey }) => (log.push(idempotencyKey), `paid ${String(to)}`),
  })
const PAY = (to: string, id = 'pay'): ScriptedStep => ({
  toolCalls: [{ name: 'pay', id, arguments: { to } }],
})

const expectAllDifferent = (keys: readonly unknown[], count: number): void => {
  expect(keys).toHaveLength(count)
  expect(new Set(keys).size, JSON.stringify(keys)).toBe(count)
}

describe('a provider that gives the same id in every round', () => {
  const SHORTENED: Record<string, (stage: Stage) => ChatClientOptions> = {
    'nothing shortens the history': () => ({}),
    'nextMessages drops what was before': () => ({
      toolCalling: { nextMessages: (messages) => messages.slice(0, 1) },
    }),
    'beforeRound sends only the question': () => ({
      toolCalling: {
        beforeRound: (request) => ({
          ...request,
          prompt: { ...request.prompt, messages: request.prompt.messages.slice(0, 1) },
        }),
      },
    }),
    'a small window inside the loop': () => ({
      advisors: [
        chatMemoryAdvisor(messageWindowMemory({ maxMessages: 1 }), { order: 500 }),
        toolCallingAdvisor({ conversationHistory: false }),
      ],
    }),
    'an advisor inside the loop shows the question only': () => ({
      advisors: [
        {
          name: 'short',
          order: 500,
          advise: (request, next) => {
            const messages = request.prompt.messages.slice(0, 1)
            return next({ ...request, prompt: { ...request.prompt, messages } })
          },
        },
      ],
    }),
  }
  for (const [name, client] of Object.entries(SHORTENED))
    scenario(`${name}: every payment has a key of its own`, {
      script: [PAY('a'), PAY('b'), PAY('c'), 'Done.'],
      client,
      request: (asked) => asked.prompt('Go').conversation('c'),
      tools: (stage) => [pay(stage)],
      check({ log, events, result }) {
        expectAllDifferent(log, 3)
        const called = result.rounds.flatMap((round) => toolCallsOf(round).map(({ id }) => id))
        expect(called[0]).toBe('pay')
        expectAllDifferent(called, 3)
        expect(eventsOf(events, 'tool-result').map(({ response }) => response.id)).toEqual(called)
        expect(log).toEqual(called.map((id) => `run_1/${id}`))
      },
    })

  scenario('also after a resume, in another round', {
    script: [PAY('a'), PAY('b'), PAY('c'), 'Done.'],
    client: () => ({ toolCalling: { nextMessages: (messages) => messages.slice(0, 1) } }),
    tools: (stage) => [pay(stage, { approval: true })],
    resume: Array.from({ length: 3 }, () => ({ pending }) => ({
      [pending![0]!.callId]: 'approve' as const,
    })),
    check({ log }) {
      expectAllDifferent(log, 3)
    },
  })

  scenario('also when an advisor outside asks the whole loop again', {
    script: [PAY('a'), 'One.', PAY('b'), 'Two.'],
    client: () => ({ advisors: [twice] }),
    tools: (stage) => [pay(stage)],
    check({ log }) {
      expectAllDifferent(log, 2)
    },
  })

  scenario('also when the second time is suspended in between', {
    script: [PAY('a'), 'One.', PAY('b'), PAY('c'), 'Two.'],
    client: () => ({
      advisors: [twice],
      policy: ({ input }) => ((input as { to: string }).to === 'b' ? 'ask' : 'allow'),
    }),
    tools: (stage) => [pay(stage)],
    resume: [({ pending }) => ({ [pending![0]!.callId]: 'approve' })],
    check({ log }) {
      expectAllDifferent(log, 3)
    },
  })
})

/** Asks twice, but goes on with a suspended run as it is. */
const twice: Advisor = {
  name: 'twice',
  order: 100,
  async advise(request, next) {
    // The reader is shown the second answer only.
    const emit: typeof request.emit = (event) =>
      void (event.type === 'text-delta' || event.type === 'round-end' || request.emit(event))
    if (request.phase === 'start') await next({ ...request, emit })
    return next(request)
  },
}

scenario('an advisor inside the loop that gives an earlier answer again: its calls get new ids', {
  script: [PAY('a'), 'Done.'],
  client: () => {
    let earlier: AdvisedResponse | undefined
    const again: Advisor = {
      name: 'again',
      order: 500,
      async advise(request, next) {
        if (request.round !== 2) return (earlier = await next(request))
        return earlier!
      },
    }
    return { advisors: [again] }
  },
  tools: (stage) => [pay(stage)],
  check({ log }) {
    expectAllDifferent(log, 2)
  },
})

describe('an id that is taken in the messages', () => {
  const before = (id: string): readonly Message[] => [
    { role: 'user', content: 'Before' },
    { role: 'assistant', content: [{ type: 'tool-call', id, name: 'pay', arguments: '{}' }] },
    { role: 'tool', responses: [{ id, name: 'pay', content: 'paid' }] },
    { role: 'assistant', content: 'Done.' },
  ]

  scenario('before the run began', {
    script: [PAY('a'), 'Done.'],
    request: (asked) => asked.prompt().messages(...before('pay'), { role: 'user', content: 'Go' }),
    tools: (stage) => [pay(stage)],
    check({ log }) {
      expect(log).toHaveLength(1)
      expect(log[0]).not.toBe('run_1/pay')
    },
  })

  scenario('because an advisor put it there between two rounds, in the place of another', {
    script: [PAY('a', 'first'), PAY('b', 'second'), 'Done.'],
    client: () => ({ advisors: [telling] }),
    tools: (stage) => [pay(stage)],
    check({ log }) {
      expect(log[0]).toBe('run_1/first')
      expect(log).toHaveLength(2)
      expect(log[1]).not.toBe('run_1/second')
    },
  })
  const telling: Advisor = {
    name: 'telling',
    order: 500,
    advise(request, next) {
      const id = request.round === 1 ? 'other' : 'second'
      const messages = [...before(id), ...request.prompt.messages]
      return next({ ...request, prompt: { ...request.prompt, messages } })
    },
  }

  scenario('stays that of the answer that an advisor chose of two', {
    script: [PAY('a', 'x'), PAY('b', 'y'), 'Done.'],
    client: () => ({ advisors: [first] }),
    tools: (stage) => [pay(stage)],
    check({ log }) {
      expect(log).toEqual(['run_1/x'])
    },
  })
  /** Asks again with the first answer in the messages, and takes the first all the same. */
  const first: Advisor = {
    name: 'first',
    order: 500,
    async advise(request, next) {
      const answer = await next(request)
      if (request.round !== 1) return answer
      const messages = [
        ...answer.messages,
        { role: 'tool', responses: [{ id: 'x', name: 'pay', content: 'Really?' }] } as const,
      ]
      await next({ ...request, prompt: { ...request.prompt, messages }, emit: () => {} })
      return answer
    },
  }
})

scenario('an id with half a character keeps its result, however short the arguments', {
  script: [PAY('a', 'call_\ud83d'), 'Done.'],
  tools: (stage) => [pay(stage)],
  check({ prompts }) {
    const sent = JSON.stringify(prompts.at(-1))
    expect(sent).toContain('paid a')
    expect(sent).not.toContain('No result')
    expect(sent).not.toContain('\\ud83d')
  },
})

describe('an id that replaces another', () => {
  const sameId: Ids = { next: (prefix) => (prefix === 'call' ? 'call_x' : `${prefix}_1`) }
  const scripts: Record<string, readonly ScriptedStep[]> = {
    'in one answer': [
      { toolCalls: ['a', 'b', 'c'].map((to) => ({ name: 'pay', id: '', arguments: { to } })) },
      'Done.',
    ],
    'over rounds': [PAY('a', ''), PAY('b', ' '), PAY('c', ''), 'Done.'],
    'that the model had sent itself': [PAY('a', 'call_x'), PAY('b', ''), PAY('c', 'call_x'), 'Ok.'],
    'that the model sends later in the same answer': [
      {
        toolCalls: [
          { name: 'pay', id: '', arguments: { to: 'a' } },
          { name: 'pay', id: 'call_x', arguments: { to: 'b' } },
          { name: 'pay', id: 'call_x_2', arguments: { to: 'c' } },
        ],
      },
      'Done.',
    ],
  }
  for (const [name, script] of Object.entries(scripts))
    scenario(`is free too, although the ids port repeats itself: ${name}`, {
      script,
      client: () => ({ ids: sameId, toolCalling: { nextMessages: (all) => all.slice(0, 1) } }),
      tools: (stage) => [pay(stage)],
      check({ log, prompts }) {
        expectAllDifferent(log, 3)
        expect(JSON.stringify(prompts)).not.toContain('No result')
      },
    })
})
