/** The places where a program may step into the loop. */
import { describe, expect } from 'vitest'
import { z } from 'zod'
import {
  tool,
  toolCallingAdvisor,
  toolCallsOf,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import { scenario, toldByTools } from './scenario.ts'

const step = (log: unknown[], name = 'step'): ToolSource =>
  tool({ name, input: z.object({ n: z.number() }), execute: ({ n }) => (log.push(n), n) })
const CALLS = [1, 2, 3].map((n) => ({ toolCalls: [{ name: 'step', arguments: { n } }] }))

describe('hooks', () => {
  scenario('are called in order, with the run so far', {
    script: [CALLS[0]!, CALLS[1]!, 'Done.'],
    client: ({ log }) => ({
      toolCalling: {
        onLoopStart: (request) => void log.push(`start ${request.phase}`),
        beforeRound: (request, state) =>
          void log.push(`before ${request.round} ${state.rounds.length}`),
        afterRound: (response, state) =>
          void log.push(`after ${toolCallsOf(response).length} ${state.rounds.length}`),
        nextMessages: (messages) => (log.push(`next ${messages.length}`), messages),
        onLoopEnd: (answer) => void log.push(`end ${answer.rounds.length}`),
      },
    }),
    tools: ({ log }) => [step(log)],
    check({ log }) {
      expect(log).toEqual([
        'start start',
        'before 1 0',
        'after 1 1',
        1,
        'next 3',
        'before 2 1',
        'after 1 2',
        2,
        'next 5',
        'before 3 2',
        'after 0 3',
        'end 3',
      ])
    },
  })

  scenario('stopWhen ends the loop before the model is asked again; what was obtained is kept', {
    script: CALLS,
    client: () => ({ toolCalling: { stopWhen: async (state) => state.rounds.length === 2 } }),
    tools: ({ log }) => [step(log)],
    check({ result, prompts, log, textError }) {
      expect(prompts).toHaveLength(2)
      expect(log).toEqual([1, 2])
      expect(result.status).toBe('done')
      expect(result.messages.at(-1)).toMatchObject({ role: 'tool' })
      expect(result.response.results[0]).toMatchObject({ finishReason: 'stop-condition' })
      expect(textError).toBeUndefined()
    },
  })

  scenario('beforeRound chooses the tools: what is sent is what may run', {
    script: [
      {
        toolCalls: [
          { name: 'step', arguments: { n: 1 } },
          { name: 'extra', arguments: { n: 2 } },
        ],
      },
      {
        toolCalls: [
          { name: 'step', arguments: { n: 3 } },
          { name: 'extra', arguments: { n: 4 } },
        ],
      },
      'Done.',
    ],
    client: ({ log }) => ({
      toolCalling: {
        beforeRound: (request) => ({
          ...request,
          prompt: {
            ...request.prompt,
            options: {
              ...request.prompt.options,
              tools: [step(log, request.round === 1 ? 'step' : 'extra')],
            },
          },
        }),
      },
    }),
    tools: ({ log }) => [step(log)],
    check({ log, prompts }) {
      const sent = prompts.map((prompt) =>
        (prompt.options!.tools as readonly ToolCallback[]).map((each) => each.definition.name),
      )
      expect(sent).toEqual([['step'], ['extra'], ['extra']])
      expect(log).toEqual([1, 4])
      expect(toldByTools(prompts[1])[1]).toMatchObject({ isError: true })
      expect(toldByTools(prompts[2]).map((told) => told.isError)).toEqual([true, undefined])
    },
  })

  scenario('nextMessages decides what the conversation goes on with', {
    script: [CALLS[0]!, CALLS[1]!, 'Short.'],
    client: () => ({
      toolCalling: {
        nextMessages: (messages) => [{ role: 'user', content: 'In short' }, ...messages.slice(-2)],
      },
    }),
    tools: ({ log }) => [step(log)],
    check({ prompts }) {
      expect(prompts[2]!.messages.map((message) => message.role)).toEqual([
        'user',
        'assistant',
        'tool',
      ])
      expect(prompts[2]!.messages[0]!).toEqual({ role: 'user', content: 'In short' })
    },
  })

  scenario('eligible: calls that the program does not want run come back unexecuted', {
    script: [CALLS[0]!],
    client: () => ({ toolCalling: { eligible: () => false } }),
    tools: ({ log }) => [step(log)],
    check({ result, log }) {
      expect(log).toEqual([])
      expect(toolCallsOf(result.response)).toHaveLength(1)
      expect(result.status).toBe('done')
    },
  })

  scenario('a given advisor is the loop; it takes the client’s manager', {
    script: [CALLS[0]!, CALLS[1]!],
    client: ({ log }) => ({
      limits: { rounds: 2 },
      policy: (call) => (log.push(`may ${call.toolName} run?`), 'allow'),
      advisors: [toolCallingAdvisor({ afterRound: () => void log.push('round') })],
    }),
    tools: ({ log }) => [step(log)],
    check({ result, log }) {
      const asked = 'may step run?'
      expect(log).toEqual(['round', asked, 1, 'round', asked, 2])
      expect(result.status).toBe('limit')
    },
  })

  scenario('a hook that throws ends the run with what it threw', {
    script: CALLS,
    client: () => ({
      toolCalling: {
        afterRound() {
          throw new RangeError('enough')
        },
      },
    }),
    tools: ({ log }) => [step(log)],
    check({ error, log }) {
      expect(error).toEqual(new RangeError('enough'))
      expect(log).toEqual([])
    },
  })
})
