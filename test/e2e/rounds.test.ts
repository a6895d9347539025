/** The loop in its good days: rounds, batches, ids, usage, events, finish reasons, direct results. */
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { textOf, tool, toolCallsOf, type AssistantMessage, type ToolSource } from 'toolwright'
import { eventsOf, scenario, toldByTools, typesOf } from './scenario.ts'

const echo = (log: unknown[]): ToolSource =>
  tool({
    name: 'echo',
    input: z.object({ say: z.string() }),
    execute: ({ say }) => (log.push(say), say),
  })
const say = (text: string, id?: string) => ({
  name: 'echo',
  arguments: { say: text },
  ...(id !== undefined && { id }),
})

describe('rounds', () => {
  scenario('without calls: the loop ends, whatever the finish reason says', {
    script: [{ text: 'I have looked.', finishReason: 'tool-calls' }],
    tools: ({ log }) => [echo(log)],
    check({ result }) {
      expect(result.status).toBe('done')
      expect(result.rounds).toHaveLength(1)
    },
  })

  scenario('without calls: one round, one answer', {
    script: [{ text: 'Hello there.', usage: { inputTokens: 3, outputTokens: 2 } }],
    tools: ({ log }) => [echo(log)],
    check({ result, events }) {
      expect(result).toMatchObject({ status: 'done', response: { usage: { inputTokens: 3 } } })
      expect(result.messages).toEqual([
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: 'Hello there.' },
      ])
      expect(typesOf(events).filter((type) => type !== 'text-delta')).toEqual([
        'round-end',
        'response',
      ])
    },
  })

  scenario('each round sends the whole conversation so far', {
    script: [
      { text: 'First. ', toolCalls: [say('a')] },
      { toolCalls: [say('b'), say('c')] },
      'All echoed.',
    ],
    tools: ({ log }) => [echo(log)],
    check({ result, prompts, log }) {
      expect(log).toEqual(['a', 'b', 'c'])
      expect(prompts.map((prompt) => prompt.messages.map((message) => message.role))).toEqual([
        ['user'],
        ['user', 'assistant', 'tool'],
        ['user', 'assistant', 'tool', 'assistant', 'tool'],
      ])
      expect(result.messages.slice(0, -1)).toEqual(prompts[2]!.messages)
      expect(textOf(result.response)).toBe('All echoed.')
      expect(result.rounds).toHaveLength(3)
    },
  })

  scenario('usage: each round its own, the answer the sum; what nobody counted stays absent', {
    script: [
      { toolCalls: [say('a')], usage: { inputTokens: 10, outputTokens: 1, reasoningTokens: 4 } },
      { toolCalls: [say('b')] },
      { text: 'Done.', usage: { inputTokens: 30, outputTokens: 3, cacheReadTokens: 5 } },
    ],
    tools: ({ log }) => [echo(log)],
    check({ result, events }) {
      expect(result.response.usage).toEqual({
        inputTokens: 40,
        outputTokens: 4,
        reasoningTokens: 4,
        cacheReadTokens: 5,
      })
      expect(result.rounds.map((round) => round.usage.inputTokens)).toEqual([10, undefined, 30])
      const ends = eventsOf(events, 'round-end')
      expect(ends.map((event) => event.response.usage.inputTokens)).toEqual([10, undefined, 30])
    },
  })

  scenario('every event says its run and round, in order, and the response is last', {
    script: [
      { text: 'Hm. ', toolCalls: [say('a'), say('b')] },
      {
        parts: [
          { type: 'reasoning', text: 'so' },
          { type: 'text', text: 'Right.' },
        ],
      },
    ],
    tools: ({ log }) => [echo(log)],
    check({ events }) {
      expect(events.every((event) => event.runId === 'run_1')).toBe(true)
      const told = events.filter((event) => !event.type.endsWith('delta'))
      expect(told.map((event) => `${event.round} ${event.type}`)).toEqual([
        '1 tool-call-start',
        '1 tool-call',
        '1 tool-call-start',
        '1 tool-call',
        '1 round-end',
        '1 tool-execution-start',
        '1 tool-execution-start',
        '1 tool-result',
        '1 tool-result',
        '2 part',
        '2 round-end',
        '2 response',
      ])
    },
  })

  scenario('parts go back in their order, signatures untouched', {
    script: [
      {
        parts: [
          { type: 'reasoning', text: 'think', providerData: { signature: 'abc\ud800' } },
          { type: 'text', text: 'A' },
          { type: 'tool-call', id: 'x', name: 'echo', arguments: '{"say":"1"}' },
          { type: 'provider', kind: 'web_search', data: { q: 'z' } },
          { type: 'tool-call', id: 'y', name: 'echo', arguments: '{"say":"2"}', providerData: 's' },
        ],
      },
      'End.',
    ],
    tools: ({ log }) => [echo(log)],
    check({ prompts, result }) {
      const sent = prompts[1]!.messages[1] as AssistantMessage
      expect(sent).toBe(result.rounds[0]!.results[0]!.message)
      expect((sent.content as readonly { type: string }[]).map((part) => part.type)).toEqual([
        'reasoning',
        'text',
        'tool-call',
        'provider',
        'tool-call',
      ])
      expect(toldByTools(prompts[1])).toEqual([{ content: '1' }, { content: '2' }])
    },
  })

  scenario('text after a call is shown too, and not part of the answer', {
    script: [
      {
        parts: [
          { type: 'text', text: 'Before. ' },
          { type: 'tool-call', id: 'x', name: 'echo', arguments: '{"say":"1"}' },
          { type: 'text', text: 'After. ' },
        ],
      },
      'End.',
    ],
    tools: ({ log }) => [echo(log)],
    check({ legs, mode }) {
      expect(legs[0]!.text).toBe(mode === 'call' ? 'End.' : 'Before. After. \n\nEnd.')
    },
  })

  scenario('with streamToolCallResponses the words on the way belong to the answer', {
    script: [{ text: 'Let me see. ', toolCalls: [say('a')] }, 'It is a.'],
    client: () => ({ toolCalling: { streamToolCallResponses: true } }),
    tools: ({ log }) => [echo(log)],
    answerHoldsAllText: true,
    check: ({ result }) => void expect(textOf(result.response)).toBe('Let me see. \n\nIt is a.'),
  })
})

describe('a batch', () => {
  scenario('runs in parallel, answers in call order', {
    script: [{ toolCalls: [3, 1, 2].map((n) => ({ name: 'wait', arguments: { n } })) }, 'Waited.'],
    tools: ({ log, clock }) => [
      tool({
        name: 'wait',
        input: z.object({ n: z.number() }),
        async execute({ n }) {
          log.push(`start ${n}`)
          await new Promise<void>((wake) => clock.timer(n * 100, wake))
          log.push(`end ${n}`)
          return n
        },
      }),
    ],
    during: ({ clock }) => clock.advance(1000),
    check({ log, prompts, result, events }) {
      expect(log).toEqual(['start 3', 'start 1', 'start 2', 'end 1', 'end 2', 'end 3'])
      for (const told of [prompts[1], result])
        expect(toldByTools(told).map(({ content }) => content)).toEqual(['3', '1', '2'])
      expect(eventsOf(events, 'tool-result').map((event) => event.value)).toEqual([1, 2, 3])
    },
  })

  scenario('runs no more than limits.parallel at a time', {
    script: [{ toolCalls: Array.from({ length: 7 }, () => ({ name: 'busy' })) }, 'Done.'],
    client: () => ({ limits: { parallel: 2 } }),
    tools: ({ log, clock }) => {
      let running = 0
      return [
        tool({
          name: 'busy',
          async execute() {
            log.push(++running)
            await new Promise<void>((wake) => clock.timer(10, wake))
            running--
          },
        }),
      ]
    },
    during: ({ clock }) => clock.advance(1000),
    check: ({ log }) => {
      expect(log).toHaveLength(7)
      expect(Math.max(...(log as number[]))).toBe(2)
    },
  })

  scenario('one that fails leaves the others their results', {
    script: [{ toolCalls: [say('a'), { name: 'boom' }, { name: 'nope' }, say('b')] }, 'Mostly.'],
    tools: ({ log }) => [
      echo(log),
      tool({
        name: 'boom',
        execute() {
          throw new Error('broken')
        },
      }),
    ],
    check({ prompts }) {
      expect(toldByTools(prompts[1]).map((told) => told.isError ?? false)).toEqual([
        false,
        true,
        true,
        false,
      ])
    },
  })

  for (const readOnly of [false, true]) {
    scenario(`one lock: ${readOnly ? 'read-only calls share it' : 'one after another'}`, {
      script: [
        { toolCalls: ['x', 'x', 'y'].map((key) => ({ name: 'use', arguments: { key } })) },
        'Used.',
      ],
      tools: ({ log, clock }) => [
        tool({
          name: 'use',
          input: z.object({ key: z.string() }),
          lock: ({ key }) => key,
          hints: { readOnly },
          async execute({ key }) {
            log.push(`+${key}`)
            await new Promise<void>((wake) => clock.timer(10, wake))
            log.push(`-${key}`)
          },
        }),
      ],
      during: ({ clock }) => clock.advance(100),
      check({ log }) {
        const ofX = log.filter((entry) => String(entry).endsWith('x'))
        expect(ofX).toEqual(readOnly ? ['+x', '+x', '-x', '-x'] : ['+x', '-x', '+x', '-x'])
        expect(log.indexOf('+y')).toBeLessThan(log.lastIndexOf('-x'))
      },
    })
  }
})

describe('ids', () => {
  scenario('an empty or repeated one is replaced before anything runs, the same way everywhere', {
    script: [
      { toolCalls: [say('a', ''), say('b', 'same'), say('c', 'same'), say('d', ' ')] },
      { toolCalls: [say('e', 'same')] },
      'Done.',
    ],
    tools: ({ log }) => [
      tool({
        name: 'echo',
        input: z.object({ say: z.string() }),
        execute: (input, context) => (log.push(`${input.say}=${context.callId}`), input.say),
      }),
    ],
    check({ result, events, log }) {
      const ids = result.messages.flatMap(toolCallsOf).map((call) => call.id)
      expect(ids).toEqual(['call_1', 'same', 'call_2', 'call_3', 'call_4'])
      const answered = result.messages.flatMap((message) =>
        message.role === 'tool' ? message.responses.map((response) => response.id) : [],
      )
      expect(answered).toEqual(ids)
      expect(log).toEqual(['a', 'b', 'c', 'd', 'e'].map((name, index) => `${name}=${ids[index]}`))
      for (const type of ['tool-call', 'tool-execution-start', 'tool-result'] as const) {
        expect(eventsOf(events, type).map((event) => event.toolCall.id)).toEqual(ids)
      }
      expect(eventsOf(events, 'tool-call-start').map((event) => event.id)).toEqual(ids)
    },
  })

  scenario('whatever else an id holds, it stays as sent', {
    script: [
      {
        toolCalls: ['__proto__', 'constructor', '\u0000x', 'é'.repeat(3000)].map((id) =>
          say('a', id),
        ),
      },
      'Done.',
    ],
    tools: ({ log }) => [echo(log)],
    check({ result }) {
      const ids = result.messages.flatMap(toolCallsOf).map((call) => call.id)
      expect(ids).toEqual(['__proto__', 'constructor', '\u0000x', 'é'.repeat(3000)])
      expect(result.status).toBe('done')
    },
  })
})

describe('finish reasons', () => {
  for (const finishReason of ['length', 'content-filter'] as const) {
    scenario(`${finishReason}: no call is run, each is answered, the model is asked again`, {
      script: [{ toolCalls: [say('a'), say('b')], finishReason }, { toolCalls: [say('c')] }, 'Ok.'],
      tools: ({ log }) => [echo(log)],
      check({ prompts, log, events }) {
        expect(log).toEqual(['c'])
        expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }, { isError: true }])
        expect(eventsOf(events, 'tool-execution-start')).toHaveLength(1)
      },
    })
  }

  scenario('calls with "stop" are calls all the same', {
    script: [{ toolCalls: [say('a')], finishReason: 'stop' }, 'Ok.'],
    tools: ({ log }) => [echo(log)],
    check: ({ log }) => void expect(log).toEqual(['a']),
  })

  for (const finishReason of ['stop', 'length', 'content-filter'] as const) {
    scenario(`an empty answer (${finishReason}) is never silent`, {
      script: [{ text: '', finishReason }],
      check({ events, textError, result }) {
        expect(eventsOf(events, 'notice')).toMatchObject([
          { code: 'empty-answer', data: { finishReason } },
        ])
        expect(result.status).toBe('done')
        const code = { stop: undefined, length: 'no-answer', 'content-filter': 'refused' }[
          finishReason
        ]
        expect((textError as { code: string } | undefined)?.code).toBe(code)
      },
    })
  }

  scenario('an answer cut at the token limit is still an answer', {
    script: [{ text: 'As far as', finishReason: 'length' }],
    check({ result, events }) {
      expect(result.response.results[0]!.finishReason).toBe('length')
      expect(eventsOf(events, 'notice')).toEqual([])
    },
  })
})

describe('tool choice', () => {
  for (const toolChoice of ['required', { tool: 'echo' }] as const) {
    scenario(`${JSON.stringify(toolChoice)} holds for the first round only`, {
      script: [{ toolCalls: [say('a')] }, { toolCalls: [say('b')] }, 'Done.'],
      request: (client) => client.prompt('Go').options({ toolChoice }),
      tools: ({ log }) => [echo(log)],
      check({ prompts }) {
        expect(prompts.map((prompt) => prompt.options!.toolChoice)).toEqual([
          toolChoice,
          'auto',
          'auto',
        ])
      },
    })
  }

  scenario('none: a model that calls anyway is refused', {
    script: [{ toolCalls: [say('a')] }, 'Without, then.'],
    request: (client) => client.prompt('Go').options({ toolChoice: 'none' }),
    tools: ({ log }) => [echo(log)],
    check({ log, prompts }) {
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }])
      expect(prompts[1]!.options!.toolChoice).toBe('none')
    },
  })
})

describe('return direct', () => {
  const direct = (name: string, execute: () => unknown): ToolSource =>
    tool({ name, returnDirect: true, execute })

  scenario('one: the result is the answer, the model is not asked again', {
    script: [{ text: 'Wait. ', toolCalls: [{ name: 'direct' }], usage: { inputTokens: 4 } }],
    tools: () => [direct('direct', () => 'Straight from the tool')],
    check({ result }) {
      expect(result.response).toMatchObject({
        usage: { inputTokens: 4 },
        results: [
          {
            message: { role: 'assistant', content: 'Straight from the tool' },
            finishReason: 'return-direct',
            metadata: { callId: 'call_1', toolName: 'direct' },
          },
        ],
      })
      expect(result.status).toBe('done')
      expect(result.messages.map((message) => message.role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
      ])
    },
  })

  scenario('all of a batch: one generation each, joined by a blank line', {
    script: [{ toolCalls: [{ name: 'a' }, { name: 'b' }] }],
    tools: () => [direct('a', () => 'A'), direct('b', () => ({ b: 1 }))],
    check({ result, legs }) {
      expect(result.response.results.map((generation) => generation.metadata['toolName'])).toEqual([
        'a',
        'b',
      ])
      expect(legs[0]!.text).toBe('A\n\n{"b":1}')
    },
  })

  scenario('mixed: the results go to the model', {
    script: [
      { toolCalls: [{ name: 'a' }, say('x')] },
      { toolCalls: [say('y'), { name: 'a' }] },
      'Both.',
    ],
    tools: ({ log }) => [direct('a', () => 'A'), echo(log)],
    check({ prompts }) {
      expect(toldByTools(prompts[1])).toEqual([{ content: 'A' }, { content: 'x' }])
      expect(toldByTools(prompts[2])).toEqual([{ content: 'y' }, { content: 'A' }])
    },
  })

  scenario('failed: the error goes to the model', {
    script: [{ toolCalls: [{ name: 'a' }] }, 'It failed.'],
    tools: () => [
      direct('a', () => {
        throw new Error('no')
      }),
    ],
    check: ({ prompts }) =>
      void expect(toldByTools(prompts[1])).toEqual([{ content: 'no', isError: true }]),
  })
})
