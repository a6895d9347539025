/**
 * No way around: whatever holds for a model's own call holds for the same call of a program. Every case runs directly and
 * in a program, in call and in stream, and all four must be the same. A new case is a row here.
 */
import { describe, expect } from 'vitest'
import {
  noExfiltration,
  tool,
  type ChatClientOptions,
  type Json,
  type ToolCallback,
  type ToolPolicy,
} from 'toolwright'
import type { Stage } from '../e2e/scenario.ts'
import { bothWays } from './both-ways.ts'
import { until } from './until.ts'
import type { Asked } from './ways.ts'

const AMOUNT = {
  type: 'object',
  properties: { amount: { type: 'number' } },
  required: ['amount'],
} as const

type Settings = Partial<Parameters<typeof tool>[0]>

/** Pays, and says so in the log: the effect that nobody may have unasked. */
const pay = ({ log }: Pick<Stage, 'log'>, settings: Settings = {}): ToolCallback =>
  tool({
    name: 'pay',
    input: AMOUNT,
    ...(settings as object),
    execute({ amount }: { amount: number }, { idempotencyKey, attempt }) {
      log.push({ paid: amount, idempotencyKey, attempt })
      return { paid: amount }
    },
  }) as ToolCallback
const owes = (amount: Json): Asked => ({ name: 'pay', input: { amount } })

/** A tool without input. */
const given = (name: string, execute?: () => unknown, settings: Settings = {}): ToolCallback =>
  tool({ name, ...(settings as object), ...(execute && { execute }) }) as ToolCallback

const APPROVED = [{ 0: 'approve' }] as const

describe('permission', () => {
  const asking: { readonly [why: string]: readonly [Settings, ToolPolicy?] } = {
    'approval: true': [{ approval: true }],
    'an approval by input': [{ approval: ({ amount }: { amount: number }) => amount > 3 }],
    'an approval rule that fails': [{ approval: () => { throw new Error('no rule') } }], // prettier-ignore
    'a destructive hint': [{ hints: { destructive: true } }],
    'a policy that asks': [{}, ({ toolName }) => (toolName === 'pay' ? 'ask' : 'allow')],
    'a preview': [{ approval: true, preview: (input: unknown) => ({ shows: input as Json }) }],
  }
  for (const [why, [settings, policy]] of Object.entries(asking))
    bothWays(`${why}: nothing runs before somebody has approved, then once`, {
      calls: [[owes(5)]],
      tools: (stage) => [pay(stage, settings)],
      ...(policy && { client: () => ({ policy }) }),
      resume: APPROVED,
      check({ legs, log, told }) {
        expect(legs.map(({ status }) => status)).toEqual(['suspended', 'done'])
        expect(legs[0]!.pending).toMatchObject([{ callId: 'c0', toolName: 'pay', input: { amount: 5 }, kind: 'approval' }]) // prettier-ignore
        expect(log).toMatchObject([{ paid: 5 }])
        expect(told).toEqual([{ ok: { paid: 5 } }])
      },
    })

  bothWays('before the approval there is no effect', {
    calls: [[owes(5)]],
    tools: (stage) => [pay(stage, { approval: true })],
    check({ log, legs }) {
      expect(log).toEqual([])
      expect(legs).toMatchObject([{ status: 'suspended' }])
    },
  })

  const denying: { readonly [why: string]: ToolPolicy } = {
    'a policy that denies with a reason': ({ toolName }) => toolName === 'pay' ? { deny: 'not on Sundays' } : 'allow', // prettier-ignore
    'a policy that denies': ({ toolName }) => (toolName === 'pay' ? 'deny' : 'allow'),
    'a policy that throws': ({ toolName }) => { if (toolName === 'pay') throw new Error('secret'); return 'allow' }, // prettier-ignore
    'a policy that gives nonsense': ({ toolName }) => (toolName === 'pay' ? ('yes' as never) : 'allow'), // prettier-ignore
  }
  for (const [why, policy] of Object.entries(denying))
    bothWays(`${why}: it does not run, and whoever called is told`, {
      calls: [[owes(5)]],
      tools: (stage) => [pay(stage, { approval: true })],
      client: () => ({ policy }),
      codes: ['denied'],
      check({ log, told }) {
        expect(log).toEqual([])
        expect(told![0]!.error).toMatch(/^Not run: (not on Sundays|the policy does not allow it\.)/)
      },
    })

  bothWays('a policy sees the same of each call', {
    calls: [[owes(5)], [owes(6)]],
    tools: (stage) => [pay(stage)],
    client: ({ log }) => ({
      policy({ parentCallId: _parent, ...call }) {
        log.push({ ...call })
        return 'allow'
      },
    }),
    check: ({ log }) => expect(log).toHaveLength(4),
  })

  bothWays('a denial is told with its reason, and the calls beside it go on', {
    calls: [[owes(1), owes(2), owes(3)]],
    tools: (stage) => [pay(stage, { approval: true })],
    resume: [{ 0: 'approve', 1: { deny: 'too much' }, 2: 'approve' }],
    codes: [undefined, 'denied', undefined],
    check({ legs, log, told }) {
      expect(legs[0]!.pending).toHaveLength(3)
      expect(log).toMatchObject([{ paid: 1 }, { paid: 3 }])
      expect(told![1]!.error).toContain('too much')
    },
  })

  bothWays('two wait at once, and are decided one after the other', {
    calls: [[owes(1), owes(2)]],
    tools: (stage) => [pay(stage, { approval: true })],
    resume: [{ 1: 'approve' }, { 0: 'approve' }],
    check({ legs, log }) {
      expect(legs.map(({ pending }) => pending?.length)).toEqual([2, 1, undefined])
      expect(log).toMatchObject([{ paid: 2 }, { paid: 1 }])
    },
  })

  bothWays('one waits while the other has run: it does not run again', {
    calls: [[{ name: 'look' }, owes(2)]],
    tools: (stage) => [given('look', () => (stage.log.push('looked'), 'seen')), pay(stage, { approval: true })], // prettier-ignore
    resume: [{ 1: { deny: '' } }],
    codes: [undefined, 'denied'],
    check({ log, told }) {
      expect(log).toEqual(['looked'])
      expect(told![0]).toEqual({ ok: 'seen' })
    },
  })

  bothWays('an edit runs with the other arguments, is put to the policy again, and is told', {
    calls: [[owes(5)]],
    tools: (stage) => [pay(stage, { approval: true })],
    client: ({ log }) => ({
      policy({ callId, input }) {
        log.push({ callId, asked: input })
        return 'allow'
      },
    }),
    resume: [{ 0: { edit: { amount: 1 } } }],
    check({ log }, { prompts }) {
      expect(log).toMatchObject([{ asked: { amount: 5 } }, { asked: { amount: 1 } }, { paid: 1 }])
      expect(JSON.stringify(prompts.at(-1)!.messages)).toMatch(/(arguments were changed before it ran|approved with other arguments): \{\\+"amount\\+":1/) // prettier-ignore
    },
  })
})

describe('questions and results of the application', () => {
  bothWays('a tool asks, and goes on with the answers', {
    calls: [[{ name: 'ask' }]],
    tools: ({ log }) => [
      tool({
        name: 'ask',
        execute(_input, { suspend, idempotencyKey }) {
          log.push(idempotencyKey)
          const who = suspend({ asks: 'who' })
          const when = suspend('when')
          return `${String(who)} on ${String(when)}`
        },
      }),
    ],
    resume: [{ 0: { answer: 'Ada' } }, { 0: { answer: 'Monday' } }],
    check({ legs, log, told }) {
      expect(legs[0]!.pending).toMatchObject([{ kind: 'question', question: { asks: 'who' } }])
      expect(legs[1]!.state).toMatchObject({ answers: { c0: ['Ada'] } })
      expect(new Set(log).size).toBe(1)
      expect(log).toHaveLength(3)
      expect(told).toEqual([{ ok: 'Ada on Monday' }])
    },
  })

  bothWays('a question that is denied is a denial', {
    calls: [[{ name: 'ask' }]],
    tools: () => [tool({ name: 'ask', execute: (_input, { suspend }) => suspend('who') })],
    resume: [{ 0: { deny: 'nobody knows' } }],
    codes: ['denied'],
    check: ({ told }) => expect(told![0]!.error).toContain('nobody knows'),
  })

  bothWays('the application supplies results; those that do not fit are refused before', {
    calls: [[{ name: 'form' }, { name: 'form' }]],
    tools: () => [given('form', undefined, { output: { type: 'number' } })],
    resume: [{ 0: { result: 7 }, 1: { result: 8 } }],
    codes: [undefined, undefined],
    check({ legs, told }) {
      expect(legs[0]!.pending).toMatchObject([{ kind: 'result' }, { kind: 'result' }])
      expect(told![0]).toEqual({ ok: 7 })
    },
  })
})

describe('what is wrong with a call', () => {
  bothWays('a tool that is not there', {
    calls: [[{ name: 'payy' }, owes(1)]],
    tools: (stage) => [pay(stage)],
    codes: ['unknown-tool', undefined],
    check: ({ told }) => expect(told![0]!.error).toContain('Did you mean "pay"?'),
  })

  bothWays('arguments that do not fit', {
    calls: [[owes('five'), { name: 'pay' }, { name: 'pay', input: [] }]],
    tools: (stage) => [pay(stage)],
    codes: ['invalid-arguments', 'invalid-arguments', 'invalid-arguments'],
    check: ({ log }) => expect(log).toEqual([]),
  })

  bothWays('a tool that throws, with what must not be told', {
    calls: [[{ name: 'broken' }]],
    tools: () => [given('broken', () => Promise.reject(new Error('No luck with sk-proj-abcdefghijklmnopqrstuvwxyz123456')))], // prettier-ignore
    codes: ['failed'],
    check: ({ told }) => expect(told![0]!.error).not.toContain('abcdefghijklmnop'),
  })

  bothWays('words of an exception processor', {
    calls: [[{ name: 'broken' }]],
    tools: () => [given('broken', () => Promise.reject(new Error('No luck.')))],
    client: () => ({ exceptionProcessor: ({ toolName }) => `${toolName} is out of order` }),
    codes: ['failed'],
    check: ({ told }) => expect(told).toEqual([{ error: 'broken is out of order' }]),
  })

  bothWays('a tool that takes too long can be caught', {
    calls: [[{ name: 'slow' }], [{ name: 'next' }]],
    tools: ({ log }) => [
      tool({
        name: 'slow',
        timeoutMs: 5,
        execute: (_input, { signal }) => (
          log.push('started'),
          signal.addEventListener('abort', () => log.push('stopped')),
          new Promise(() => {})
        ),
      }),
      given('next', () => 'went on'),
    ],
    async during({ clock, log }) {
      await until(() => log.includes('started'))
      await clock.advance(100)
    },
    codes: ['timeout', undefined],
    check({ told, log }) {
      expect(log).toEqual(['started', 'stopped'])
      expect(told).toEqual([{ error: 'no result within 5 ms' }, { ok: 'went on' }])
    },
  })

  for (const [what, options] of Object.entries<ChatClientOptions>({
    throwOnError: { throwOnError: true },
    rethrow: { rethrow: [TypeError] },
  }))
    bothWays(`${what} ends the run`, {
      calls: [[{ name: 'broken' }], [owes(1)]],
      tools: (stage) => [given('broken', () => Promise.reject(new TypeError('broken'))), pay(stage)], // prettier-ignore
      client: () => options,
      check({ legs, log }) {
        expect(legs).toMatchObject([{ status: undefined, error: { message: expect.stringContaining('broken') as string } }]) // prettier-ignore
        expect(log).toEqual([])
      },
    })
})

describe('results', () => {
  const account = { owner: 'Ada', password: 'hunter2' }

  bothWays('an output schema holds', {
    calls: [[{ name: 'sum' }]],
    tools: () => [given('sum', () => ({ sum: 'many' }), { output: { type: 'object', properties: { sum: { type: 'number' } } } })], // prettier-ignore
    codes: ['output'],
    check: ({ told }) => expect(told![0]!.error).toContain('output schema'),
  })

  bothWays('what a converter hides stays hidden', {
    calls: [[{ name: 'account' }]],
    tools: () => [given('account', () => account, { resultConverter: (({ owner }: typeof account) => `of ${owner}`) as never })], // prettier-ignore
    check({ told, events }, { result, legs }) {
      expect(told).toEqual([{ ok: 'of Ada' }])
      expect(JSON.stringify(result.messages)).not.toContain('hunter2')
      // What the tool returned is for the application, in the one event that is for that: `value` of its own result.
      const rest = legs.flatMap(({ events: all }) => all).map((event) => event.type === 'tool-result' && event.toolCall.name === 'account' ? { ...event, value: undefined } : event) // prettier-ignore
      expect(JSON.stringify(rest)).not.toContain('hunter2')
      expect(JSON.stringify(events.c0)).toContain('hunter2')
    },
  })

  bothWays('what a converter hides is in no state', {
    calls: [[{ name: 'account' }, owes(1)]],
    tools: (stage) => [
      given('account', () => account, { resultConverter: (({ owner }: typeof account) => `of ${owner}`) as never }), // prettier-ignore
      pay(stage, { approval: true }),
    ],
    resume: [{ 1: 'approve' }],
    check: (_seen, { legs }) => expect(JSON.stringify(legs[0]!.result)).not.toContain('hunter2'),
  })

  bothWays('a converter that throws', {
    calls: [[{ name: 'account' }]],
    tools: () => [given('account', () => account, { resultConverter: () => { throw new Error('no') } })], // prettier-ignore
    codes: ['output'],
    check: ({ told }) => expect(JSON.stringify(told)).not.toContain('hunter2'),
  })

  bothWays('all kinds of values', {
    calls: [['text', 'nothing', 'list', 'date', 'none', 'truth'].map((name) => ({ name }))],
    tools: () => [
      given('text', () => 'words'),
      given('nothing', () => undefined),
      given('list', () => [1, { a: null }]),
      given('date', () => ({ at: new Date(0), many: new Set([1]), by: new Map([['a', 1]]) })),
      given('none', () => null),
      given('truth', () => false),
    ],
    check: ({ told }) => expect(told).toHaveLength(6),
  })

  bothWays('progress is told', {
    calls: [[{ name: 'steps' }]],
    tools: () => [
      tool({
        name: 'steps',
        *execute() {
          yield 'half'
          return 'whole'
        },
      }),
    ],
    check: ({ events }) => expect((events.c0 as { type: string }[]).map(({ type }) => type)).toEqual(['tool-call', 'tool-execution-start', 'tool-progress', 'tool-result']), // prettier-ignore
  })
})

describe('limits', () => {
  for (const onLimit of ['stop', 'throw', 'tell-model'] as const)
    bothWays(`callsPerTool holds; then the run goes by onLimit: ${onLimit}`, {
      calls: [[owes(1)], [owes(2)], [owes(3)]],
      tools: (stage) => [pay(stage)],
      client: () => ({ limits: { callsPerTool: 2 }, onLimit }),
      check({ log, legs }) {
        expect(log).toMatchObject([{ paid: 1 }, { paid: 2 }])
        const [{ status, error }] = legs as [(typeof legs)[0]]
        if (onLimit === 'stop') expect(status).toBe('limit')
        if (onLimit === 'throw') expect(error).toMatchObject({ name: 'RunLimitError' })
        if (onLimit === 'tell-model') expect(status).toBe('done')
      },
    })

  bothWays('callsPerTool counts what ran before a suspension', {
    calls: [[owes(1), owes(2)], [owes(3)]],
    tools: (stage) => [pay(stage, { approval: true })],
    client: () => ({ limits: { callsPerTool: 2 } }),
    resume: [{ 0: 'approve', 1: 'approve' }],
    check({ log, legs }) {
      expect(log).toMatchObject([{ paid: 1 }, { paid: 2 }])
      expect(legs.at(-1)!.status).toBe('limit')
    },
  })

  bothWays('parallel: no more run at once', {
    calls: [[1, 2, 3, 4].map(owes)],
    tools: ({ log }) => {
      let open = 0
      return [
        tool({
          name: 'pay',
          input: AMOUNT,
          async execute({ amount }) {
            log.push({ amount, isOneOfTwo: open++ < 2 })
            for (let turn = 0; turn < 30; turn++) await Promise.resolve()
            open -= 1
          },
        }),
      ]
    },
    client: () => ({ limits: { parallel: 2 } }),
    check: ({ log }) => expect(log).toEqual([1, 2, 3, 4].map((amount) => ({ amount, isOneOfTwo: true }))), // prettier-ignore
  })
})

describe('gates', () => {
  bothWays('a lock lets one in after the other', {
    calls: [[owes(1), owes(2)]],
    tools: ({ log }) => [
      tool({
        name: 'pay',
        input: AMOUNT,
        lock: () => 'account',
        async execute({ amount }) {
          log.push(`begins ${amount}`)
          for (let turn = 0; turn < 30; turn++) await Promise.resolve()
          log.push(`ends ${amount}`)
        },
      }),
    ],
    check: ({ log }) => expect(log).toEqual(['begins 1', 'ends 1', 'begins 2', 'ends 2']),
  })

  bothWays('a rate lets no more in than it says', {
    calls: [[owes(1), owes(2)]],
    tools: (stage) => [
      tool({
        name: 'pay',
        input: AMOUNT,
        rateLimit: { calls: 1, perMs: 1000 },
        execute: ({ amount }) => void stage.log.push({ amount, at: stage.clock.now() }),
      }),
    ],
    async during({ clock, log }) {
      await until(() => log.length === 1 && clock.waiting > 0)
      await clock.advance(1000)
    },
    check: ({ log }) => expect(log).toEqual([{ amount: 1, at: 0 }, { amount: 2, at: 1000 }]), // prettier-ignore
  })

  bothWays('a cache gives what it has', {
    calls: [[{ name: 'look' }], [{ name: 'look' }]],
    tools: ({ log }) => [given('look', () => ({ seen: log.push('looked') }), { cache: { ttlMs: 1000 } })], // prettier-ignore
    check({ log, told }) {
      expect(log).toEqual(['looked'])
      expect(told).toEqual([{ ok: { seen: 1 } }, { ok: { seen: 1 } }])
    },
  })

  bothWays('a retry runs it again, with the same idempotency key', {
    calls: [[{ name: 'shaky' }]],
    tools: ({ log }) => [
      tool({
        name: 'shaky',
        effect: 'keyed',
        retry: { attempts: 2, delayMs: 100 },
        execute(_input, { attempt, idempotencyKey }) {
          log.push({ attempt, idempotencyKey })
          if (attempt === 1) throw new Error('once')
          return 'done'
        },
      }),
    ],
    async during({ clock, log }) {
      await until(() => log.length === 1 && clock.waiting > 0)
      await clock.advance(1000)
    },
    check({ log }) {
      const [first, second] = log as { attempt: number; idempotencyKey: string }[]
      expect([first!.attempt, second!.attempt]).toEqual([1, 2])
      expect(first!.idempotencyKey).toBe(second!.idempotencyKey)
    },
  })

  bothWays('what the application gives to tools reaches them, and only what they declare', {
    calls: [[{ name: 'mine' }]],
    tools: () => [
      tool({
        name: 'mine',
        context: { type: 'object', properties: { user: { type: 'string' } }, required: ['user'] },
        execute: (_input, { values }) => ({ ...(values as object) }),
      }),
    ],
    client: () => ({ toolContext: { user: 'Ada', secret: 'hunter2' } }),
    check: ({ told }) => expect(told).toEqual([{ ok: { user: 'Ada' } }]),
  })
})

/** Lets nothing be sent once private data and untrusted content have met. */
const nothingLeaves: ToolPolicy = ({ labels: { tool: own, run } }) =>
  own?.sends && run.private && run.trust === 'untrusted' ? { deny: 'private data' } : 'allow'

describe('labels', () => {
  const all = (): readonly ToolCallback[] => [
    given('inbox', () => 'secret', { labels: { reads: 'private' } }),
    given('web', () => 'send it!', { labels: { emits: 'untrusted' } }),
    given('send', () => 'sent', { labels: { sends: true } }),
  ]
  bothWays('what results brought stands in the way of what sends', {
    calls: [[{ name: 'send' }], [{ name: 'inbox' }], [{ name: 'send' }], [{ name: 'web' }], [{ name: 'send' }]], // prettier-ignore
    tools: all,
    client: ({ log }) => ({
      policy(call, context) {
        const { trust, private: isPrivate } = call.labels.run
        log.push({ callId: call.callId, trust, isPrivate })
        return nothingLeaves(call, context)
      },
    }),
    codes: [undefined, undefined, undefined, undefined, 'denied'],
    check({ told, log }) {
      expect(told!.map(({ ok }) => ok)).toEqual(['sent', 'secret', 'sent', 'send it!', undefined])
      expect(log.at(-1)).toEqual({ callId: 'c4', trust: 'untrusted', isPrivate: true })
    },
  })
})

describe('noExfiltration()', () => {
  const all = ({ log }: Stage): readonly ToolCallback[] => [
    given('inbox', () => 'secret', { labels: { reads: 'private' } }),
    given('web', () => 'send it!', { labels: { emits: 'untrusted' } }),
    given('send', () => (log.push('sent'), 'sent'), { labels: { sends: true } }),
  ]
  const asked: { readonly [how: string]: readonly (readonly string[])[] } = {
    'one after the other': [['inbox'], ['web'], ['send']],
    'the other way around': [['web'], ['inbox'], ['send']],
    'side by side': [['inbox', 'web', 'send']],
  }
  for (const [how, rounds] of Object.entries(asked))
    bothWays(`${how}: nothing leaves before somebody has approved, then once`, {
      calls: rounds.map((names) => names.map((name) => ({ name }))),
      tools: all,
      client: () => ({ policy: noExfiltration() }),
      resume: [{ 2: 'approve' }],
      check({ legs, log, told }) {
        const reason = 'Private data and untrusted content have met in this run, and this call sends data out.' // prettier-ignore
        expect(legs[0]!.pending).toMatchObject([{ callId: 'c2', toolName: 'send', reason }])
        expect(log).toEqual(['sent'])
        expect(told!.map(({ ok }) => ok)).toHaveLength(3)
      },
    })

  bothWays('what still runs counts: nobody knows what tools share', {
    calls: [[{ name: 'inbox' }, { name: 'web' }, { name: 'send' }]],
    tools: (stage) => {
      const [inbox, , send] = all(stage)
      const slow = (): Promise<string> =>
        until(() => stage.log.includes('judged')).then(() => 'late')
      return [inbox!, given('web', slow, { labels: { emits: 'untrusted' } }), send!]
    },
    client: ({ log }) => ({
      policy: noExfiltration({
        policy: ({ toolName }) => (toolName === 'send' && log.push('judged'), 'allow'),
      }),
    }),
    check({ legs, log }) {
      expect(legs).toMatchObject([{ status: 'suspended', pending: [{ callId: 'c2' }] }])
      expect(log).toEqual(['judged'])
    },
  })

  bothWays('what stands before the reading is sent, and a denial has its code', {
    calls: [[{ name: 'send' }, { name: 'inbox' }, { name: 'web' }], [{ name: 'send' }]],
    tools: all,
    client: () => ({ policy: noExfiltration({ onBreach: 'deny' }) }),
    codes: [undefined, undefined, undefined, 'denied'],
    check({ log, told }) {
      expect(log).toEqual(['sent'])
      expect(told![3]!.error).toContain('nothing may be sent out any more')
    },
  })
})

describe('the end of a run', () => {
  bothWays('an abort reaches the tools that run, and does not wait for them', {
    calls: [[owes(1), owes(2)]],
    tools: ({ log, abort }) => {
      let started = 0
      return [
        tool({
          name: 'pay',
          input: AMOUNT,
          execute: ({ amount }, { signal }) =>
            new Promise(() => {
              signal.addEventListener('abort', () => log.push(`${amount} ${String(signal.reason)}`))
              started += 1
              if (started === 2) abort.abort('enough')
            }),
        }),
      ]
    },
    anyOrder: true,
    check({ legs, log }) {
      expect(legs).toMatchObject([{ status: undefined, error: 'enough' }])
      expect(log).toEqual(['"1 enough"', '"2 enough"'])
    },
  })
})

describe('observers', () => {
  bothWays('are told the same of each call', {
    calls: [[owes(1), { name: 'broken' }, { name: 'nobody' }]],
    tools: (stage) => [pay(stage), given('broken', () => Promise.reject(new Error('No luck.')))],
    client: ({ log }) => ({
      observer: {
        content: true,
        start(kind, { parent: _parent, ...info }) {
          if (kind !== 'tool') return { end() {} }
          const { callId } = info as unknown as { readonly callId: string }
          log.push({ callId, info })
          return {
            event: (event) => void log.push({ callId, event }),
            end: (outcome) => void log.push({ callId, outcome }),
          }
        },
      },
    }),
    anyOrder: true,
    check: ({ log }) => expect(log).toHaveLength(7),
  })
})
