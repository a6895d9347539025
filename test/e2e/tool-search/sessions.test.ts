import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  tool,
  type ChatEvent,
  type ChatRequest,
  type Message,
  type ToolCallback,
} from 'toolwright'
import { manualClock, scriptedModel, type ScriptedStep } from 'toolwright/testing'
import {
  always,
  anyOf,
  embeddingToolIndex,
  hybridToolIndex,
  keywordToolIndex,
  lru,
  never,
  toolSearchAdvisor,
  ttl,
  type EmbeddingModel,
  type EvictionStrategy,
  type ToolIndex,
  type ToolSearchAdvisorOptions,
} from 'toolwright/tool-search'
import { eventsOf, scenario, toldByTools, type Mode } from '../scenario.ts'
import { alarm, email, FEW, forecast, invoice, offered, searching, weather } from './catalogue.ts'

/** The keyword index, with a log of what it is told. */
function recordingIndex(): { readonly index: ToolIndex; readonly log: string[] } {
  const index = keywordToolIndex()
  const log: string[] = []
  return {
    log,
    index: {
      index(session, references) {
        log.push(`index ${session}: ${references.map(({ name }) => name).join(' ')}`)
        return index.index(session, references)
      },
      remove(session, names) {
        log.push(`remove ${session}: ${names.join(' ')}`)
        return index.remove(session, names)
      },
      clear(session) {
        log.push(`clear ${session}`)
        return index.clear(session)
      },
      search: (request) => index.search(request),
    },
  }
}

interface Bench {
  readonly log: string[]
  readonly model: ReturnType<typeof scriptedModel>
  readonly clock: ReturnType<typeof manualClock>
  readonly advisor: ReturnType<typeof toolSearchAdvisor>
  ask(conversation?: string, change?: (request: ChatRequest) => ChatRequest): Promise<void>
}

function bench(
  steps: readonly ScriptedStep[],
  options: Partial<ToolSearchAdvisorOptions> & { readonly mode: Mode },
): Bench {
  const { mode, ...own } = options
  const { index, log } = recordingIndex()
  const clock = manualClock()
  const model = scriptedModel(steps, { clock })
  const advisor = toolSearchAdvisor({ index, ...own })
  const client = ChatClient.create(model, { tools: [weather, email], advisors: [advisor], clock })
  return {
    log,
    model,
    clock,
    advisor,
    async ask(conversation, change = (request) => request) {
      const request = client.prompt('Go')
      const asked = change(conversation ? request.conversation(conversation) : request)
      await (mode === 'call' ? asked.call() : asked.stream()).result()
    },
  }
}
/** The same by `call()` and by `stream()`. */
const twice = (test: (mode: Mode) => Promise<void>) => async (): Promise<void> => {
  await test('call')
  await test('stream')
}
const ANSWERS = Array.from({ length: 20 }, () => 'Hello.')

describe('a session of tool search', () => {
  it(
    'indexes once, and again only what has changed, in whatever order tools come',
    twice(async (mode) => {
      const { ask, log } = bench(ANSWERS, { mode })
      await ask('ann')
      await ask('ann')
      await ask('ann', (request) => request.tools(email, weather))
      expect(log).toEqual(['index ann: getCurrentWeather sendEmail'])
      const changed = tool({ name: 'sendEmail', description: 'Send a letter', execute: () => '' })
      await ask('ann', (request) => request.tools(weather, changed, forecast))
      await ask('ann', (request) => request.tools(weather))
      expect(log.slice(1)).toEqual([
        'index ann: sendEmail getForecast',
        'remove ann: sendEmail getForecast',
      ])
    }),
  )

  it(
    'finds nothing of another',
    twice(async (mode) => {
      const { ask, model } = bench(
        [
          { toolCalls: [searching('email', 'invoice')] },
          'One.',
          { toolCalls: [searching('email', 'invoice')] },
          'Two.',
        ],
        { mode },
      )
      await ask('ann')
      await ask('bob', (request) => request.tools(invoice, forecast))
      expect(offered(model.prompts)[1]).toEqual(['toolSearchTool', 'sendEmail'])
      expect(offered(model.prompts)[3]).toEqual(['toolSearchTool', 'createInvoice'])
    }),
  )

  it(
    'is not offered what another found, of the same tools',
    twice(async (mode) => {
      const script = [{ toolCalls: [searching('email')] }, 'One.', 'Two.', 'Three.']
      const { ask, model, log } = bench(script, { mode })
      for (const session of ['ann', 'bob', 'ann']) await ask(session)
      const [, , bob, ann] = offered(model.prompts)
      expect(bob).toEqual(['toolSearchTool'])
      expect(ann).toEqual(['toolSearchTool', 'sendEmail'])
      const tools = 'getCurrentWeather sendEmail'
      expect(log).toEqual([`index ann: ${tools}`, `index bob: ${tools}`])
    }),
  )

  it(
    'is named by the parameter that the advisor is told',
    twice(async (mode) => {
      const { ask, log } = bench(ANSWERS, { mode, sessionKey: 'customer' })
      await ask('ann', (request) => request.param('customer', 'c-1'))
      expect(log).toEqual(['index c-1: getCurrentWeather sendEmail'])
    }),
  )

  it(
    'may be named by tenant and conversation',
    twice(async (mode) => {
      const { ask, log, advisor } = bench(ANSWERS, { mode })
      const key = { tenant: 't', conversation: 'c' }
      await ask(undefined, (request) => request.conversation(key))
      await advisor.evictSession({ conversation: 'c', tenant: 't' })
      expect(log[1]).toBe(log[0]!.replace('index', 'clear').replace(/: get.*/, ''))
      await ask(undefined, (request) => request.conversation({ ...key, tenant: 'u' }))
      await ask('c')
      expect(new Set(log.filter((line) => line.startsWith('index'))).size).toBe(3)
    }),
  )

  it(
    'lasts for the run where there is no conversation',
    twice(async (mode) => {
      const { ask, log } = bench(ANSWERS, { mode })
      await ask()
      expect(log).toHaveLength(2)
      expect(log[1]).toMatch(/^clear run /)
    }),
  )

  it(
    'keeps its index when the loop ends, and lets it go when told to',
    twice(async (mode) => {
      const { ask, log, advisor } = bench(ANSWERS, { mode })
      await ask('ann')
      await advisor.evictSession('ann')
      await advisor.evictSession('nobody')
      await ask('ann')
      expect(log).toEqual([
        'index ann: getCurrentWeather sendEmail',
        'clear ann',
        'clear nobody',
        'index ann: getCurrentWeather sendEmail',
      ])
    }),
  )

  it(
    'forgets what was found when it is evicted',
    twice(async (mode) => {
      const { ask, advisor, model } = bench(
        [{ toolCalls: [searching('email')] }, 'One.', 'Two.', 'Three.'],
        { mode },
      )
      await ask('ann')
      await ask('ann')
      await advisor.evictSession('ann')
      await ask('ann')
      expect(offered(model.prompts).slice(2)).toEqual([
        ['toolSearchTool', 'sendEmail'],
        ['toolSearchTool'],
      ])
    }),
  )

  it(
    'that is evicted in the middle of a run serves it to its end, and leaves nothing behind',
    twice(async (mode) => {
      const stage: Bench = bench(
        [
          () => {
            void stage.advisor.evictSession('ann')
            return { toolCalls: [searching('email')] }
          },
          'Found.',
        ],
        { mode },
      )
      await stage.ask('ann')
      expect(offered(stage.model.prompts)[1]).toEqual(['toolSearchTool', 'sendEmail'])
      expect(stage.log.map((line) => line.split(' ')[0])).toEqual([
        'index',
        'clear',
        'index',
        'clear',
      ])
    }),
  )

  it(
    'offers once what was found and is pinned now',
    twice(async (mode) => {
      const index = keywordToolIndex()
      const model = scriptedModel([{ toolCalls: [searching('email')] }, 'Found.', 'Hello.'])
      const ask = (pinned: readonly string[], messages: readonly Message[]) => {
        const advisors = [toolSearchAdvisor({ index, pinned })]
        const request = ChatClient.create(model, { tools: FEW, advisors }).prompt(messages)
        return (mode === 'call' ? request.call() : request.stream()).result()
      }
      const first = await ask([], [{ role: 'user', content: 'Mail?' }])
      await ask(['sendEmail'], [...first.messages, { role: 'user', content: 'Sure?' }])
      expect(offered(model.prompts)[2]).toEqual(['toolSearchTool', 'sendEmail'])
    }),
  )

  it(
    'resumes without a tool that was found last and is gone',
    twice(async (mode) => {
      const risky = tool({
        name: 'risky',
        description: 'Risky',
        approval: true,
        execute: () => 'done',
      })
      const model = scriptedModel([
        { toolCalls: [searching('risky')] },
        { toolCalls: [{ name: 'risky' }, searching('email')] },
        'Done.',
      ])
      const advisors = [toolSearchAdvisor({ index: keywordToolIndex() })]
      const client = ChatClient.create(model, { advisors })
      const go = (request: ChatRequest) =>
        (mode === 'call' ? request.call() : request.stream()).result()
      const { state, pending } = await go(client.prompt('Go').tools(risky, email, alarm))
      const decisions = { [pending![0]!.callId]: 'approve' } as const
      await go(client.resume(state!, decisions).tools(risky, alarm))
      expect(offered(model.prompts)[2]).toEqual(['toolSearchTool', 'risky'])
    }),
  )

  it(
    'with two runs at once and different tools gives each its own',
    twice(async (mode) => {
      const { index } = recordingIndex()
      const advisor = toolSearchAdvisor({ index })
      const run = async (tools: readonly ToolCallback[]): Promise<readonly string[]> => {
        const model = scriptedModel([
          { toolCalls: [searching('weather'), searching('email'), searching('invoice')] },
          { toolCalls: [searching('weather'), searching('email'), searching('invoice')] },
          'Done.',
        ])
        const client = ChatClient.create(model, { tools, advisors: [advisor] })
        const request = client.prompt('Go').conversation('shared')
        await (mode === 'call' ? request.call() : request.stream()).result()
        return offered(model.prompts).at(-1)!
      }
      const [first, second] = await Promise.all([run([weather, email]), run([invoice, forecast])])
      expect(first).toEqual(['toolSearchTool', 'getCurrentWeather', 'sendEmail'])
      expect(second).toEqual(['toolSearchTool', 'getForecast', 'createInvoice'])
    }),
  )
})

describe('eviction of sessions', () => {
  const cleared = (log: readonly string[]): readonly string[] =>
    log.filter((line) => line.startsWith('clear'))

  it(
    'lets go by lru, a thousand sessions by default',
    twice(async (mode) => {
      const own = bench(ANSWERS, { mode, eviction: lru(2) })
      for (const session of ['a', 'b', 'a', 'c']) await own.ask(session)
      expect(cleared(own.log)).toEqual(['clear b'])

      const many = bench(
        Array.from({ length: 1_001 }, () => 'Hello.'),
        { mode },
      )
      for (let at = 0; at < 1_000; at++) await many.ask(`s${at}`)
      expect(cleared(many.log)).toEqual([])
      await many.ask('one more')
      expect(cleared(many.log)).toEqual(['clear s0'])
    }),
  )

  const cases: readonly (readonly [string, () => EvictionStrategy, readonly string[]])[] = [
    ['ttl', () => ttl(1_000), ['clear a']],
    ['never', never, []],
    ['always', always, ['clear a', 'clear b', 'clear b']],
    ['anyOf', () => anyOf(ttl(1_000), lru(50)), ['clear a']],
    ['anyOf, the other way round', () => anyOf(lru(50), ttl(1_000)), ['clear a']],
    ['anyOf of those that keep', () => anyOf(ttl(1_001), lru(2)), []],
  ]
  for (const [name, strategy, expected] of cases)
    it(
      `lets go by ${name}, by the clock of the client`,
      twice(async (mode) => {
        const { ask, log, clock } = bench(ANSWERS, { mode, eviction: strategy() })
        await ask('a')
        await clock.advance(500)
        await ask('b')
        await clock.advance(500)
        await ask('b')
        expect(cleared(log)).toEqual(expected)
      }),
    )

  it(
    'by always makes every request index anew',
    twice(async (mode) => {
      const { ask, log } = bench(ANSWERS, { mode, eviction: always() })
      await ask('a')
      await ask('a')
      expect(log.filter((line) => line.startsWith('index'))).toHaveLength(2)
    }),
  )
})

describe('an index that fails', () => {
  const down: EmbeddingModel = {
    provider: 'test',
    model: 'down',
    embed: async () => {
      throw new Error('Connection refused')
    },
  }

  scenario('for want of its embedding model has keywords answer, with a notice', {
    client: () => ({
      tools: FEW,
      advisors: [toolSearchAdvisor({ index: embeddingToolIndex({ model: down }) })],
    }),
    script: [{ toolCalls: [searching('send an email')] }, 'Done.'],
    check({ prompts, events }) {
      expect(offered(prompts)[1]).toEqual(['toolSearchTool', 'sendEmail'])
      const notices = eventsOf(events, 'notice')
      expect(notices).toMatchObject([
        { code: 'tool-search', message: expect.stringContaining('Connection refused') as string },
      ])
    },
  })

  scenario('in a hybrid leaves the others to answer', {
    client: () => ({
      tools: FEW,
      advisors: [
        toolSearchAdvisor({
          index: hybridToolIndex([
            [keywordToolIndex(), 0.75],
            [embeddingToolIndex({ model: down }), 0.25],
          ]),
        }),
      ],
    }),
    script: [{ toolCalls: [searching('send an email')] }, 'Done.'],
    check({ prompts, events }) {
      expect(offered(prompts)[1]).toEqual(['toolSearchTool', 'sendEmail'])
      expect(eventsOf(events, 'notice')).toHaveLength(1)
    },
  })

  scenario('altogether is told to the model, and ends nothing', {
    client: () => ({
      tools: FEW,
      advisors: [
        toolSearchAdvisor({
          index: {
            ...keywordToolIndex(),
            index: async () => {
              throw new Error('The database is away')
            },
          },
        }),
      ],
    }),
    script: [{ toolCalls: [searching('email')] }, 'Sorry.'],
    check({ prompts, events, result }) {
      const [told] = toldByTools(prompts[1])
      expect(told).toMatchObject({ isError: true })
      expect(told!.content).toContain('The database is away')
      expect(offered(prompts)[1]).toEqual(['toolSearchTool'])
      expect(eventsOf(events as readonly ChatEvent[], 'notice')[0]!.message).toContain(
        'Indexing failed',
      )
      expect(result.status).toBe('done')
    },
  })

  scenario('to forget tools gives none that the run does not have', {
    client: () => ({
      tools: FEW,
      advisors: [
        toolSearchAdvisor({
          index: {
            ...keywordToolIndex(),
            search: async () => ({
              references: [
                { name: 'launchRocket', score: 2, summary: '' },
                { name: 'sendEmail', score: 1, summary: '' },
              ],
              total: 2,
            }),
          },
        }),
      ],
    }),
    script: [{ toolCalls: [searching('anything')] }, 'Done.'],
    check({ prompts }) {
      expect(offered(prompts)[1]).toEqual(['toolSearchTool', 'sendEmail'])
      expect(toldByTools(prompts[1])).toEqual([{ content: '{"tools":["sendEmail"]}' }])
    },
  })
})
