/** Tools that hooks, advisors and tool search add to a round are sealed like the client's own, and can be approved. */
import { describe, expect, it } from 'vitest'
import {
  advisor,
  ChatClient,
  clientTool,
  tool,
  toolCallingAdvisor,
  type AdvisedRequest,
  type ChatClientOptions,
  type RunResult,
  type ToolCallback,
} from 'toolwright'
import { keywordToolIndex, toolSearchAdvisor } from 'toolwright/tool-search'
import { scriptedModel } from 'toolwright/testing'
import { scenario, toldByTools } from '../e2e/scenario.ts'

const approveAll = ({ pending }: RunResult) =>
  Object.fromEntries(pending!.map(({ callId }) => [callId, 'approve' as const]))

const pay = (log: unknown[], description = 'Pay somebody'): ToolCallback =>
  tool({ name: 'pay', description, approval: true, execute: () => (log.push('paid'), 'paid') })
const free = tool({ name: 'free', description: 'Harmless', execute: () => 'free' })

const adding = (request: AdvisedRequest, ...tools: readonly ToolCallback[]): AdvisedRequest => {
  const { prompt } = request
  const all = [...(prompt.options?.tools ?? []), ...tools]
  return { ...request, prompt: { ...prompt, options: { ...prompt.options, tools: all } } }
}

/** Every place where a program can add a tool to a round. */
const PLACES: Record<string, (added: ToolCallback) => ChatClientOptions> = {
  beforeRound: (added) => ({ toolCalling: { beforeRound: (request) => adding(request, added) } }),
  'beforeRound, as a source of tools': (added) => ({
    toolCalling: {
      beforeRound: (request) => ({
        ...request,
        prompt: {
          ...request.prompt,
          options: {
            ...request.prompt.options,
            tools: [free, { toolCallbacks: () => [added] }],
          },
        },
      }),
    },
  }),
  onLoopStart: (added) => ({ toolCalling: { onLoopStart: (request) => adding(request, added) } }),
  'an advisor outside the loop': (added) => ({
    advisors: [
      {
        name: 'adds',
        order: 100,
        advise: (request, next) => next(adding(request, added)),
      },
    ],
  }),
  'before() of an advisor outside the loop': (added) => ({
    advisors: [advisor({ name: 'adds', before: (request) => adding(request, added) })],
  }),
}

for (const [place, options] of Object.entries(PLACES))
  describe(`a tool added by ${place}`, () => {
    for (const round of [1, 2])
      scenario(`is suspended and approved, in round ${round}`, {
        script: [
          ...(round === 2 ? [{ toolCalls: [{ name: 'free' }] }] : []),
          { toolCalls: [{ name: 'pay' }, { name: 'free' }] },
          'Done.',
        ],
        tools: () => [free],
        client: ({ log }) => options(pay(log)),
        resume: [approveAll],
        check({ legs, log, prompts, result }) {
          expect(legs[0]!.result!.state!.tools).toHaveProperty('free')
          expect(Object.keys(legs[0]!.result!.state!.addedTools!)).toEqual(['pay'])
          expect(log).toEqual(['paid'])
          expect(toldByTools(prompts.at(-1))).toEqual([{ content: 'paid' }, { content: 'free' }])
          expect(result.status).toBe('done')
        },
      })

    it('is refused when it changed or is gone, and the state stays usable', async () => {
      const log: unknown[] = []
      const model = scriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'Done.'])
      const client = ChatClient.create(model, { tools: [free], ...options(pay(log)) })
      const suspended = await client.prompt('Go').call().result()
      const other = client.with(options(pay(log, 'Pay anybody')))
      const without = client.with({ toolCalling: true, advisors: [] })
      for (const resuming of [other, without])
        for (const mode of ['call', 'stream'] as const)
          await expect(
            resuming.resume(suspended.state!, approveAll(suspended))[mode]().result(),
          ).rejects.toMatchObject({ code: 'state-tools-changed' })
      expect(log).toEqual([])
      expect(model.prompts).toHaveLength(1)
      const result = await client.resume(suspended.state!, approveAll(suspended)).call().result()
      expect(result.status).toBe('done')
      expect(log).toEqual(['paid'])
    })
  })

describe('beforeRound at a resume', () => {
  scenario(
    'sees the round as it was: its number, the messages before it, and that it is a resume',
    {
      script: [{ toolCalls: [{ name: 'free' }] }, { toolCalls: [{ name: 'pay' }] }, 'Done.'],
      tools: ({ log }) => [free, pay(log)],
      client: ({ log }) => ({
        toolCalling: {
          beforeRound: ({ round, phase, prompt }, state) =>
            void log.push([
              `${phase} ${round}`,
              state.rounds.length,
              state.messages.map(({ role }) => role).join(),
              prompt.messages.length,
              state.pending.length,
            ]),
        },
      }),
      resume: [approveAll],
      check({ log }) {
        const second = [1, 'user,assistant,tool', 3, 0]
        expect(log).toEqual([
          ['start 1', 0, 'user', 1, 0],
          ['start 2', ...second],
          ['resume 2', ...second],
          'paid',
          ['start 3', 2, 'user,assistant,tool,assistant,tool', 5, 0],
        ])
      },
    },
  )

  it('a tool of the client that a hook replaces by another is refused', async () => {
    const log: unknown[] = []
    const model = scriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'Done.'])
    const client = ChatClient.create(model, { tools: [pay(log)] })
    const suspended = await client.prompt('Go').call().result()
    const swapping = client.with({
      toolCalling: {
        beforeRound: (request) => ({
          ...request,
          prompt: { ...request.prompt, options: { tools: [pay(log, 'Pay the thief')] } },
        }),
      },
    })
    await expect(
      swapping.resume(suspended.state!, approveAll(suspended)).call().result(),
    ).rejects.toMatchObject({ code: 'state-tools-changed' })
    expect(log).toEqual([])
  })
})

describe('tool search', () => {
  const catalogue = (log: unknown[]): readonly ToolCallback[] => [
    pay(log, 'Pay an invoice'),
    tool({ name: 'weather', description: 'Weather forecast of a city', execute: () => 'sun' }),
    tool({ name: 'translate', description: 'Translate a text', execute: () => 'Hallo' }),
  ]
  const SEARCH = (query: string) => ({
    toolCalls: [{ name: 'toolSearchTool', arguments: { queries: [query], maxResults: 1 } }],
  })
  const searching = (options: object = {}): ChatClientOptions => ({
    advisors: [toolSearchAdvisor({ index: keywordToolIndex(), ...options })],
  })

  scenario('the search tool itself can be approved', {
    script: [SEARCH('pay an invoice'), { toolCalls: [{ name: 'pay' }] }, 'Done.'],
    tools: ({ log }) => catalogue(log),
    client: () => ({
      ...searching(),
      policy: ({ toolName }) => (toolName === 'toolSearchTool' ? 'ask' : 'allow'),
    }),
    resume: [approveAll, approveAll],
    check({ log, legs, result }) {
      expect(Object.keys(legs[0]!.result!.state!.addedTools!)).toEqual(['toolSearchTool'])
      expect(log).toEqual(['paid'])
      expect(result.status).toBe('done')
    },
  })

  for (const [name, options] of Object.entries({
    'with all that was found before': {},
    'although the same round found something else instead': { accumulate: false },
  }))
    scenario(`a tool that was found can be approved, ${name}`, {
      script: [
        SEARCH('pay an invoice'),
        { toolCalls: [{ name: 'pay' }, ...SEARCH('weather forecast').toolCalls] },
        'Done.',
      ],
      tools: ({ log }) => catalogue(log),
      client: () => searching(options),
      resume: [approveAll],
      check({ log, result, legs }) {
        expect(Object.keys(legs[0]!.result!.state!.tools)).toEqual(['pay'])
        expect(log).toEqual(['paid'])
        expect(result.status).toBe('done')
      },
    })

  scenario(
    'a call of a tool that the model had not seen is answered once, not again at the resume',
    {
      script: [
        SEARCH('pay an invoice'),
        { toolCalls: [{ name: 'pay' }, { name: 'translate' }] },
        'Done.',
      ],
      tools: ({ log }) => catalogue(log),
      client: () => searching(),
      resume: [approveAll],
      check({ legs, log }) {
        const told = legs.map(({ events }) =>
          events.flatMap((event) => (event.type === 'tool-result' ? event.response.name : [])),
        )
        expect(told).toEqual([['toolSearchTool', 'translate'], ['pay']])
        expect(log).toEqual(['paid'])
      },
    },
  )
})

describe('a tool inside a tool', () => {
  const calling = { toolCalls: [{ name: 'helper', id: 'outer', arguments: { prompt: 'Pay' } }] }
  for (const [how, description, paid] of [
    ['as it was, is run', 'Pay somebody', ['paid']],
    ['that changed is not run, and the model is told', 'Pay anybody', []],
  ] as const)
    it(`of another client is sealed there: one ${how}`, async () => {
      const log: unknown[] = []
      const innerModel = scriptedModel([{ toolCalls: [{ name: 'pay', id: 'inner' }] }, 'Inner.'])
      const inner = (words: string): ToolCallback => {
        const client = ChatClient.create(innerModel, {
          toolCalling: { beforeRound: (request) => adding(request, pay(log, words)) },
        })
        return clientTool(client, { name: 'helper', description: 'Helps' })
      }
      const model = scriptedModel([calling, 'Done.'])
      const client = ChatClient.create(model, { advisors: [toolCallingAdvisor()] })
      const first = await client.prompt('Go').tools(inner('Pay somebody')).call().result()
      const result = await client
        .resume(first.state!, { outer: { answer: { inner: 'approve' } } })
        .tools(inner(description))
        .call()
        .result()
      expect(result.status).toBe('done')
      expect(log).toEqual(paid)
      const [told] = toldByTools(model.prompts.at(-1))
      expect(told!.content).toContain(paid.length > 0 ? 'Inner.' : '"pay" (changed)')
    })
})
