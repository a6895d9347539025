/** When there is a loop, when it ends, what its hooks may do, and who is told when somebody in the chain throws. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  advisor,
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  ORDER,
  textOf,
  tool,
  toolCallingAdvisor,
  toolCallingManager,
  toolCallsOf,
  type Advisor,
  type ChatModel,
  type ToolCallingManager,
  type ToolSource,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { scenario, toldByTools, typesOf } from './scenario.ts'

const step = (log: unknown[], name = 'step'): ToolSource =>
  tool({ name, input: z.object({ n: z.number() }), execute: ({ n }) => (log.push(n), n) })
const call = (n: number) => ({ toolCalls: [{ name: 'step', arguments: { n } }] })

describe('whether there is a loop', () => {
  scenario('there is one without being asked for, also without tools', {
    script: [{ toolCalls: [{ name: 'ghost' }] }, 'There is no such tool.'],
    check({ result, prompts }) {
      expect(result.rounds).toHaveLength(2)
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }])
    },
  })

  scenario('switched off on the client: one model call, its calls unexecuted', {
    script: [call(1)],
    client: () => ({ toolCalling: false }),
    tools: ({ log }) => [step(log)],
    check({ result, log, prompts }) {
      expect(prompts).toHaveLength(1)
      expect(log).toEqual([])
      expect(toolCallsOf(result.response)).toHaveLength(1)
      expect(result.status).toBe('done')
    },
  })

  scenario('switched off on the request, and on again where the client had it off', {
    script: [call(1), 'Done.'],
    client: () => ({ toolCalling: false }),
    request: (client) => client.prompt('Go').toolCalling(false).toolCalling(true),
    tools: ({ log }) => [step(log)],
    check: ({ log }) => void expect(log).toEqual([1]),
  })

  scenario('switched off on the request: a given loop is left out too', {
    script: [call(1)],
    client: () => ({ advisors: [toolCallingAdvisor()] }),
    request: (client) => client.prompt('Go').toolCalling(false),
    tools: ({ log }) => [step(log)],
    check: ({ log, prompts }) => void expect([log.length, prompts.length]).toEqual([0, 1]),
  })

  it('two are an error that names both with their orders', () => {
    const loops = [toolCallingAdvisor({ order: 310 }), toolCallingAdvisor()]
    expect(() => ChatClient.create(scriptedModel([]), { advisors: loops })).toThrow(
      /tool-calling \(order 310\) and tool-calling \(order 300\)/,
    )
  })

  it('without any options it passes the prompt on and answers', async () => {
    const model = scriptedModel(['Plain.'])
    expect(
      await ChatClient.create(model)
        .prompt({ messages: [user('Go')] })
        .call()
        .content(),
    ).toBe('Plain.')
  })

  scenario('it also works on a prompt from which an advisor took the options', {
    script: [call(1), 'Plain.'],
    client: () => ({
      advisors: [
        {
          name: 'plain',
          order: 0,
          advise: (request, next) => {
            const { messages } = request.prompt
            return next({ ...request, prompt: { messages } })
          },
        },
      ],
    }),
    tools: ({ log }) => [step(log)],
    check({ log, prompts, result }) {
      expect(prompts[0]!.messages).toEqual([user('Go')])
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }])
      expect(textOf(result.response)).toBe('Plain.')
    },
  })
})

const user = (content: string) => ({ role: 'user' as const, content })

describe('when it ends', () => {
  scenario('eligible may say no to calls: they come back unexecuted', {
    script: [call(1)],
    client: () => ({ toolCalling: { eligible: (response) => toolCallsOf(response).length > 1 } }),
    tools: ({ log }) => [step(log)],
    check({ log, result }) {
      expect(log).toEqual([])
      expect(result.response.results[0]!.finishReason).toBe('tool-calls')
    },
  })

  scenario('eligible that says yes without calls is a mistake of the program', {
    script: ['No calls here.'],
    client: () => ({ toolCalling: { eligible: () => true } }),
    check: ({ error }) => void expect(error).toMatchObject({ code: 'no-tool-call' }),
  })

  scenario('eligible may say yes where another manager knows what to do', {
    script: ['Do the usual.', 'Did it.'],
    client({ log }) {
      const own = toolCallingManager({ ids: countingIds() })
      const manager: ToolCallingManager = {
        settings: own.settings!,
        resolveToolDefinitions: (options) => own.resolveToolDefinitions(options),
        async executeToolCalls(prompt, response) {
          log.push(textOf(response))
          const said = response.results[0]!.message
          const history = [...prompt.messages, said, user('The usual is done.')]
          return { responses: [], conversationHistory: history, returnDirect: false }
        },
      }
      const eligible = (response: Parameters<typeof textOf>[0]) =>
        textOf(response).startsWith('Do ')
      return { manager, toolCalling: { eligible, streamToolCallResponses: true } }
    },
    answerHoldsAllText: true,
    check({ log, result, prompts }) {
      expect(log).toEqual(['Do the usual.'])
      expect(textOf(result.response)).toBe('Do the usual.\n\nDid it.')
      expect(prompts[1]!.messages.at(-1)).toEqual(user('The usual is done.'))
    },
  })

  for (const [what, response] of [
    ['nothing', undefined],
    ['null', null],
    ['no generation', { results: [], usage: {}, metadata: {} }],
  ] as const) {
    for (const mode of ['call', 'stream'] as const) {
      it(`a model that answers with ${what} is an error, not an empty answer (${mode})`, async () => {
        const model: ChatModel = {
          ...scriptedModel([]),
          call: async () => response as never,
          async *stream() {
            yield { type: 'response', response: response as never }
          },
        }
        const request = ChatClient.create(model).prompt('Go')
        const run = mode === 'call' ? request.call() : request.stream()
        await expect(run.result()).rejects.toMatchObject({
          name: 'ModelResponseError',
          code: expect.stringMatching(/invalid-response|incomplete-stream/),
        })
      })
    }
  }

  scenario('stopWhen is no limit: onLimit does not make it throw', {
    script: [call(1), call(2)],
    client: () => ({
      onLimit: 'throw',
      toolCalling: { stopWhen: (state) => state.rounds.length === 1 },
    }),
    tools: ({ log }) => [step(log)],
    check({ result, textError }) {
      expect(result.status).toBe('done')
      expect(result.response.results[0]).toMatchObject({
        finishReason: 'stop-condition',
        metadata: {},
      })
      expect(textError).toBeUndefined()
    },
  })

  scenario('without its own history it still counts the whole turn', {
    script: [call(1), call(2), call(3), 'Enough.'],
    client: () => ({
      limits: { callsPerTool: 2 },
      onLimit: 'tell-model',
      advisors: [chatMemoryAdvisor(messageWindowMemory(), { order: ORDER.structuredOutput })],
    }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log)],
    check({ log, prompts }) {
      expect(log).toEqual([1, 2])
      expect(toldByTools(prompts[3])).toMatchObject([{ isError: true }])
    },
  })

  scenario('many rounds: only the limits bound them', {
    script: [...Array.from({ length: 24 }, (_, n) => call(n)), 'Done.'],
    tools: ({ log }) => [step(log)],
    check({ log, result }) {
      expect(log).toHaveLength(24)
      expect(result.rounds).toHaveLength(25)
      expect(result.status).toBe('done')
    },
  })
})

describe('hooks', () => {
  for (const [end, script, status] of [
    ['an answer', ['Done.'], 'done'],
    ['direct results', [{ toolCalls: [{ name: 'direct' }] }], 'done'],
    ['a limit', [call(1), call(2), call(3)], 'limit'],
    ['stopWhen', [{ toolCalls: [{ name: 'stop' }] }], 'done'],
  ] as const) {
    scenario(`onLoopEnd is called once at ${end}, in call and in stream`, {
      script,
      client: ({ log }) => ({
        limits: { rounds: 3 },
        toolCalling: {
          onLoopStart: () => void log.push('start'),
          onLoopEnd: (answer) => void log.push(`end ${answer.rounds.length}`),
          stopWhen: ({ messages }) => messages.flatMap(toolCallsOf).some((c) => c.name === 'stop'),
        },
      }),
      tools: () => [
        step([]),
        tool({ name: 'direct', returnDirect: true, execute: () => 'ok' }),
        tool({ name: 'stop', execute: () => 'ok' }),
      ],
      check({ log, result }) {
        expect(log).toEqual(['start', `end ${result.rounds.length}`])
        expect(result.status).toBe(status)
      },
    })
  }

  scenario('onLoopStart runs on every leg and says which; onLoopEnd only at the end', {
    script: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'],
    client: ({ log }) => ({
      toolCalling: {
        onLoopStart: ({ phase }) => void log.push(phase),
        beforeRound: ({ round }) => void log.push(round),
        onLoopEnd: () => void log.push('end'),
      },
    }),
    tools: () => [tool({ name: 'pay', approval: true, execute: () => 'paid' })],
    resume: [() => ({ call_1: 'approve' })],
    check: ({ log }) => void expect(log).toEqual(['start', 1, 'resume', 1, 2, 'end']),
  })

  scenario('onLoopStart may change what the whole loop works with', {
    script: [call(1), 'Done.'],
    client: () => ({
      toolCalling: {
        onLoopStart: (request) => ({
          ...request,
          prompt: { ...request.prompt, messages: [user('Instead')] },
        }),
      },
    }),
    tools: ({ log }) => [step(log)],
    check({ prompts, result }) {
      for (const prompt of prompts) expect(prompt.messages[0]).toEqual(user('Instead'))
      expect(result.messages[0]).toEqual(user('Instead'))
    },
  })

  scenario('what nextMessages puts in stays in every later round', {
    script: [call(1), call(2), 'Done.'],
    client: () => ({
      toolCalling: {
        nextMessages: (messages, { rounds }) => [...messages, user(`Reminder ${rounds.length}`)],
      },
    }),
    tools: ({ log }) => [step(log)],
    check({ prompts }) {
      const said = prompts[2]!.messages.filter(({ role }) => role === 'user').map(textOf as never)
      expect(said).toEqual(['Go', 'Reminder 1', 'Reminder 2'])
    },
  })

  for (const hook of [
    'onLoopStart',
    'beforeRound',
    'afterRound',
    'nextMessages',
    'onLoopEnd',
    'stopWhen',
    'eligible',
  ] as const) {
    for (const later of [false, true]) {
      if (hook === 'eligible' && later) continue
      scenario(`${hook} that ${later ? 'rejects' : 'throws'} ends the run with just that`, {
        script: [call(1), 'Done.'],
        client: () => ({
          toolCalling: {
            [hook]: later
              ? () => Promise.reject(new RangeError(hook))
              : () => {
                  throw new RangeError(hook)
                },
          },
        }),
        tools: ({ log }) => [step(log)],
        check({ error, events, log }) {
          expect(error).toEqual(new RangeError(hook))
          expect(typesOf(events)).not.toContain('response')
          const ran = ['nextMessages', 'onLoopEnd', 'stopWhen'].includes(hook)
          expect(log).toEqual(ran ? [1] : [])
        },
      })
    }
  }
})

describe('the chain', () => {
  for (const mode of ['call', 'stream'] as const) {
    it(`next is only what stands further in, and may be asked again (${mode})`, async () => {
      const log: string[] = []
      const noting = (name: string, order: number): Advisor =>
        advisor({ name, order, before: () => void log.push(name) })
      const twice: Advisor = {
        name: 'twice',
        order: 500,
        async advise(request, next) {
          log.push('twice')
          await next(request)
          return next(request)
        },
      }
      const request = ChatClient.create(scriptedModel(['One.', 'Two.']), {
        advisors: [noting('outer', 400), twice, noting('inner', 600)],
      }).prompt('Go')
      const run = mode === 'call' ? request.call() : request.stream()
      expect(textOf(await run.chatResponse())).toBe('Two.')
      expect(log).toEqual(['outer', 'twice', 'inner', 'inner'])
    })
  }

  scenario('an advisor at ORDER.last still stands before the model', {
    script: ['Hello.'],
    client: ({ log }) => ({
      advisors: [advisor({ name: 'last', order: ORDER.last, before: () => void log.push('last') })],
    }),
    check: ({ log, prompts }) => void expect([log, prompts.length]).toEqual([['last'], 1]),
  })

  scenario('context travels inward and outward, through all rounds', {
    script: [call(1), 'Done.'],
    client: ({ log }) => ({
      advisors: [
        advisor({
          name: 'out',
          order: ORDER.first,
          before: ({ context }) => void (context['from-outside'] = 1),
          after: (_answer, { context }) => void log.push({ ...context }),
        }),
        advisor({
          name: 'in',
          order: ORDER.last,
          before: ({ context, round }) =>
            void (context['from-inside'] = [context['from-outside'] ?? 'missing', round]),
        }),
      ],
    }),
    tools: ({ log }) => [step(log)],
    check({ log }) {
      expect(log.at(-1)).toEqual({ 'from-outside': 1, 'from-inside': [1, 2] })
    },
  })
})

describe('an advisor that throws', () => {
  const failing = (when: 'before' | 'after', order: number): Advisor =>
    advisor({
      name: 'failing',
      order,
      [when]() {
        throw new RangeError(when)
      },
    })

  scenario('before: nothing was asked, nothing ran', {
    script: [],
    client: () => ({ advisors: [failing('before', ORDER.first)] }),
    check({ error, prompts, events }) {
      expect(error).toEqual(new RangeError('before'))
      expect([prompts, events]).toEqual([[], []])
    },
  })

  scenario('in a later round: what tools did is told by the events', {
    script: [call(1), 'Never shown.'],
    client: () => ({
      advisors: [
        advisor({
          name: 'failing',
          order: ORDER.last,
          before({ round }) {
            if (round === 2) throw new RangeError('round 2')
          },
        }),
      ],
    }),
    tools: ({ log }) => [step(log)],
    check({ error, events, log, prompts }) {
      expect(error).toEqual(new RangeError('round 2'))
      expect(log).toEqual([1])
      expect(prompts).toHaveLength(1)
      expect(typesOf(events)).toContain('tool-result')
      expect(typesOf(events)).not.toContain('response')
    },
  })

  for (const mode of ['call', 'stream'] as const) {
    it(`after, outside of a memory: what the memory stored is valid, and the next run goes on (${mode})`, async () => {
      const memory = messageWindowMemory()
      const model = scriptedModel([call(1), 'One.', 'Two.'])
      const ask = (advisors: readonly Advisor[]) => {
        const client = ChatClient.create(model, {
          advisors: [chatMemoryAdvisor(memory, { order: ORDER.structuredOutput }), ...advisors],
        })
        const request = client.prompt('Go').conversation('c').tools(step([]))
        return (mode === 'call' ? request.call() : request.stream()).result()
      }
      await expect(ask([failing('after', ORDER.first)])).rejects.toThrow('after')
      const stored = await memory.get('c')
      expect(stored.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
      const result = await ask([])
      expect(textOf(result.response)).toBe('Two.')
      expect(model.prompts.at(-1)!.messages.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'user',
      ])
    })

    it(`in the middle of the events: its reader gets all of them, then the error (${mode})`, async () => {
      const middle: Advisor = {
        name: 'middle',
        order: ORDER.first,
        advise: (request, next) =>
          next({
            ...request,
            emit(event) {
              if (event.type === 'tool-result') throw new RangeError('middle')
              request.emit(event)
            },
          }),
      }
      const request = ChatClient.create(scriptedModel([call(1), 'Done.']), { advisors: [middle] })
        .prompt('Go')
        .tools(step([]))
      const run = mode === 'call' ? request.call() : request.stream()
      const types: string[] = []
      const reading = (async () => {
        for await (const event of run) types.push(event.type)
      })()
      const failure = {
        code: 'advisor-emit-failed',
        advisorName: 'middle',
        cause: new RangeError('middle'),
      }
      await expect(reading).rejects.toMatchObject(failure)
      expect(types).toContain('tool-result')
      expect(types.at(-1)).toBe('round-end')
      await expect(run.result()).rejects.toMatchObject(failure)
    })
  }

  it('or that throws before it returns a promise: the run rejects with what it threw', async () => {
    const odd = { name: 'odd', order: 10, advise: () => { throw new RangeError('odd') } } // prettier-ignore
    const run = ChatClient.create(scriptedModel([]), { advisors: [odd as Advisor] }).prompt('Go')
    await expect(run.call().result()).rejects.toEqual(new RangeError('odd'))
  })
})

describe('streamToolCallResponses', () => {
  scenario('a resumed run begins with what was said before it was suspended', {
    script: [
      { text: 'First I pay. ', toolCalls: [{ name: 'pay' }] },
      { text: 'Then I count. ', toolCalls: [{ name: 'count' }] },
      'All done.',
    ],
    client: () => ({ toolCalling: { streamToolCallResponses: true } }),
    tools: () => [
      tool({ name: 'pay', approval: true, execute: () => 'paid' }),
      tool({ name: 'count', execute: () => 1 }),
    ],
    resume: [() => ({ call_1: 'approve' })],
    answerHoldsAllText: true,
    check({ legs, result }) {
      expect(legs.at(-1)!.text).toBe('First I pay. \n\nThen I count. \n\nAll done.')
      expect(textOf(result.response)).toBe('First I pay. \n\nThen I count. \n\nAll done.')
    },
  })

  it('says nothing twice when the last answer comes without deltas', async () => {
    const scripted = scriptedModel([
      { text: 'So. ', toolCalls: [{ name: 'step', arguments: { n: 1 } }] },
      'End.',
    ])
    const model: ChatModel = {
      ...scripted,
      async *stream(prompt, run) {
        for await (const event of scripted.stream(prompt, run))
          if (scripted.prompts.length === 1 || event.type === 'response') yield event
      },
    }
    const pieces: string[] = []
    const client = ChatClient.create(model, { toolCalling: { streamToolCallResponses: true } })
    for await (const piece of client.prompt('Go').tools(step([])).stream().content())
      pieces.push(piece)
    expect(pieces.join('')).toBe('So. \n\nEnd.')
  })

  scenario('text is shown live in every round, and calls are never text', {
    script: [{ text: 'Looking. ', ...call(1) }, 'Found.'],
    tools: ({ log }) => [step(log)],
    check({ events, mode, legs }) {
      if (mode === 'call') return
      const types = typesOf(events)
      expect(types.indexOf('text-delta')).toBeLessThan(types.indexOf('tool-execution-start'))
      expect(types.indexOf('tool-execution-start')).toBeGreaterThan(types.indexOf('round-end'))
      expect(legs[0]!.text).toBe('Looking. \n\nFound.')
    },
  })
})
