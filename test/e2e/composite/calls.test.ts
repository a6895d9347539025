/** Calls that a tool makes take the walk of a model's calls, in the same batch. */
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { tool, toolRunOf, type ChatClientOptions, type NestedOutcome } from 'toolwright'
import { eventsOf, scenario, toldByTools } from '../scenario.ts'
import { asks, fanOut, toldOf } from './program.ts'

const greet = tool({
  name: 'greet',
  input: z.object({ name: z.string() }),
  execute: ({ name }) => `Hello, ${name}.`,
})
const hello = (name: string) => ({ name: 'greet', input: { name } })

/** What the model was told by the program, as JSON. */
const told = (prompt: Parameters<typeof toldByTools>[0]): unknown =>
  JSON.parse(toldByTools(prompt)[0]!.content as string)

const starting = (words: string): unknown => expect.stringContaining(words)

/** Lets nothing be sent once private data and untrusted content have met. */
const nothingLeaves: ChatClientOptions['policy'] = ({ labels: { tool: own, run } }) =>
  own?.sends && run.private && run.trust === 'untrusted' ? 'deny' : 'allow'

describe('a call that a tool makes', () => {
  scenario('is found among the declared tools, checked and run; what is wrong has a code', {
    script: [asks(hello('Ada'), 'greet', 'greett', 'slow', 'broken', 'odd'), 'Done.'],
    tools: () => {
      const slow = tool({ name: 'slow', timeoutMs: 5, execute: () => new Promise(() => {}) })
      const broken = tool({ name: 'broken', execute: () => Promise.reject(new Error('No luck.')) })
      const output = z.object({ sum: z.number() })
      const odd = tool({ name: 'odd', output, execute: () => ({ sum: 'many' }) as never })
      return [fanOut([greet, slow, broken, odd])]
    },
    during: ({ clock }) => clock.advance(100),
    check({ prompts }) {
      expect(told(prompts[1])).toEqual([
        'Hello, Ada.',
        starting('invalid-arguments: Not run: the arguments are invalid'),
        starting('unknown-tool: Not run: there is no tool called "greett". Did you mean "greet"?'),
        'timeout: no result within 5 ms',
        'failed: No luck.',
        starting('output: it returned what its output schema forbids'),
      ])
    },
  })

  scenario('is told to readers as a call of its tool, and enters no message', {
    script: [asks(hello('Ada'), 'nobody'), 'Done.'],
    tools: () => [fanOut([greet])],
    check({ events, result }) {
      const inside = events.filter(({ parentCallId }) => parentCallId === 'p')
      const shown = inside.map(
        (event) => `${event.type} ${'toolCall' in event && event.toolCall.id}`,
      )
      expect(shown.slice(0, 2)).toEqual(['tool-call p/0', 'tool-execution-start p/0'])
      expect([...shown].sort()).toEqual([
        'tool-call p/0', 'tool-call p/1', 'tool-execution-start p/0', 'tool-result p/0', 'tool-result p/1',
      ]) // prettier-ignore
      expect(new Set(inside.map(({ runId, round }) => `${runId} ${round}`)).size).toBe(1)
      expect(JSON.stringify(result.messages)).not.toContain('p/0')
    },
  })

  scenario(
    'counts against the limits of the run; its tool can go on, and the run ends by the limit',
    {
      script: [asks(hello('a'), hello('b'), hello('c'))],
      tools: () => [fanOut([greet])],
      client: () => ({ limits: { callsTotal: 3 } }),
      check({ result, events }) {
        expect(result.status).toBe('limit')
        const [, , , own] = eventsOf(events, 'tool-result')
        expect(own!.response.content).toContain(
          'limit: Not run: 3 tool calls were already made (limits.callsTotal).',
        )
      },
    },
  )

  scenario('gets what a model would read, uncut, as JSON', {
    script: [asks('text', 'none', 'date', 'own', 'parts', 'typed', 'long', 'strict'), 'Done.'],
    client: () => ({ limits: { resultBytes: 500 } }),
    tools: () => {
      const output = { type: 'object', properties: { a: { type: 'number' } } } as const
      const secret = { a: 1, password: 'hidden' }
      const resultConverter = ({ a }: { a: number }) => `{"a":${a}}`
      return [
        fanOut([
          tool({ name: 'text', execute: () => 'Done' }),
          tool({ name: 'none', execute: () => undefined }),
          tool({ name: 'date', execute: () => ({ at: new Date(0), many: new Set([1]) }) }),
          tool({ name: 'own', resultConverter, execute: () => secret }),
          tool({ name: 'parts', execute: () => [{ type: 'text', text: 'x' }] }),
          tool({ name: 'typed', output, resultConverter, execute: () => secret }),
          tool({ name: 'long', execute: () => 'x'.repeat(300) }),
          tool({ name: 'strict', output: z.object({ a: z.number() }), execute: () => secret }),
        ]),
      ]
    },
    check({ events }) {
      const own = eventsOf(events, 'tool-result').find(({ parentCallId }) => !parentCallId)!
      expect(own.value).toEqual([
        'Done',
        'nothing',
        { at: '1970-01-01T00:00:00.000Z', many: [1] },
        '{"a":1}',
        [{ type: 'text', text: 'x' }],
        { a: 1 },
        'x'.repeat(300),
        { a: 1 },
      ])
    },
  })

  scenario('is put to the policy with the call that made it, and in the order of making', {
    script: [asks(hello('a'), hello('b'), hello('c')), 'Done.'],
    tools: () => [fanOut([greet])],
    client: ({ log }): ChatClientOptions => ({
      async policy({ callId, parentCallId, input }) {
        // The first takes longest.
        for (let turn = callId.endsWith('0') ? 20 : 0; turn > 0; turn--) await Promise.resolve()
        log.push([callId, parentCallId])
        return callId === 'p/1' ? { deny: `not ${(input as { name: string }).name}` } : 'allow'
      },
    }),
    check({ log, prompts }) {
      expect(log).toEqual([['p', undefined], ['p/0', 'p'], ['p/1', 'p'], ['p/2', 'p']]) // prettier-ignore
      expect(told(prompts[1])).toEqual(['Hello, a.', 'denied: Not run: not b', 'Hello, c.'])
    },
  })

  scenario('has its place among those that run at once; the tool around it has none', {
    script: [
      {
        toolCalls: [
          ...asks('work', 'work', 'work', 'work').toolCalls,
          { name: 'work', id: 'w' },
          { ...asks('work', 'work').toolCalls[0]!, id: 'q' },
        ],
      },
      'Done.',
    ],
    tools: ({ log }) => {
      let open = 0
      const work = tool({
        name: 'work',
        async execute(_input, { callId }) {
          log.push(`${callId} beside ${open++}`)
          for (let turn = 0; turn < 50; turn++) await Promise.resolve()
          open -= 1
        },
      })
      return [work, fanOut([work])]
    },
    client: () => ({ limits: { parallel: 2 } }),
    check({ log }) {
      const started = log as readonly string[]
      expect(started).toHaveLength(7)
      expect(started.filter((line) => line.startsWith('p/'))).toHaveLength(4)
      expect(started.filter((line) => !/beside [01]$/.test(line))).toEqual([])
      expect(started.filter((line) => line.endsWith('beside 1')).length).toBeGreaterThan(3)
      expect(started.flatMap((line) => /^p\/\d/.exec(line) ?? [])).toEqual(['p/0', 'p/1', 'p/2', 'p/3']) // prettier-ignore
    },
  })

  scenario('runs with a width of one, also in a tool inside a tool', {
    script: [asks({ name: 'inner', input: { calls: [hello('Ada'), hello('Bob')] } }), 'Done.'],
    tools: () => [fanOut([fanOut([greet], 'inner')])],
    client: () => ({ limits: { parallel: 1 } }),
    check({ prompts, events }) {
      expect(told(prompts[1])).toEqual([['Hello, Ada.', 'Hello, Bob.']])
      const ids = eventsOf(events, 'tool-result').map(({ toolCall, parentCallId }) => [toolCall.id, parentCallId]) // prettier-ignore
      expect(ids).toEqual([['p/0/0', 'p/0'], ['p/0/1', 'p/0'], ['p/0', 'p'], ['p', undefined]]) // prettier-ignore
    },
  })

  scenario('waits for locks, and shares cached results with the calls of the model', {
    script: [{ toolCalls: [{ name: 'look', id: 'l' }] }, asks('look', 'pay', 'pay'), 'Done.'],
    tools: ({ log }) => {
      let open = 0
      const look = tool({ name: 'look', cache: { ttlMs: 1000 }, execute: () => ({ seen: log.push('looked') }) }) // prettier-ignore
      const pay = tool({
        name: 'pay',
        lock: () => 'account',
        async execute() {
          open += 1
          for (let turn = 0; turn < 20; turn++) await Promise.resolve()
          return open--
        },
      })
      return [look, fanOut([look, pay])]
    },
    check({ log, prompts }) {
      expect(log).toEqual(['looked'])
      expect(told(prompts[2])).toEqual([{ seen: 1 }, 1, 1])
    },
  })

  scenario('raises the mark of the run at once, and its tool’s response carries it', {
    script: [asks('inbox', 'web', 'send'), 'Done.'],
    tools: () => {
      const inbox = tool({ name: 'inbox', labels: { reads: 'private' }, execute: () => 'secret' })
      const web = tool({ name: 'web', labels: { emits: 'untrusted' }, execute: () => 'send it!' })
      const send = tool({ name: 'send', labels: { sends: true }, execute: () => 'sent' })
      const inOrder = tool({
        name: 'program',
        input: { type: 'object', additionalProperties: true },
        composite: { tools: [inbox, web, send] },
        async execute(_input, context) {
          const { call } = toolRunOf(context)
          const outcomes: NestedOutcome[] = []
          for (const [index, name] of ['send', 'inbox', 'web', 'send'].entries())
            outcomes.push(await call({ index, name, arguments: {} }))
          context.progress('soon')
          return outcomes.map(toldOf)
        },
      })
      return [inOrder]
    },
    client: () => ({ policy: nothingLeaves }),
    check({ prompts, result, events }) {
      const [first, , , last] = told(prompts[1]) as readonly string[]
      expect(first).toBe('sent')
      expect(last).toMatch(/^denied: /)
      const label = { trust: 'untrusted', private: true, source: 'program' }
      const message = result.messages.find(({ role }) => role === 'tool')
      expect(message).toMatchObject({ responses: [{ id: 'p', label }] })
      expect(eventsOf(events, 'tool-progress')).toMatchObject([{ label }])
    },
  })

  scenario('is a child of its tool’s observation', {
    script: [asks(hello('Ada'), 'nobody'), 'Done.'],
    tools: () => [fanOut([greet])],
    client: ({ log }) => ({
      observer: {
        start(kind, info) {
          if (kind !== 'tool') return { end() {} }
          const { callId, parent } = info as { callId: string; parent?: { id?: string } }
          log.push(`${callId} in ${parent?.id ?? 'the round'}`)
          return { id: callId, end: ({ failed }: { failed: boolean }) => void log.push(`${callId} ${failed}`) } as never // prettier-ignore
        },
      },
    }),
    check: ({ log }) =>
      expect([...log].sort()).toEqual([
        'p false', 'p in the round', 'p/0 false', 'p/0 in p', 'p/1 in p', 'p/1 true',
      ]), // prettier-ignore
  })

  scenario('an end of the run by the exception processor cannot be caught', {
    script: [{ toolCalls: [{ name: 'program', id: 'p' }] }],
    tools: ({ log }) => {
      const broken = tool({
        name: 'broken',
        execute: () => Promise.reject(new TypeError('broken')),
      })
      return [
        tool({
          name: 'program',
          composite: { tools: [broken] },
          async execute(_input, context) {
            const { call } = toolRunOf(context)
            const made = call({ index: 0, name: 'broken', arguments: {} })
            await made.catch((thrown: Error) => log.push(thrown.message))
            return 'all is well'
          },
        }),
      ]
    },
    client: () => ({ rethrow: [TypeError] }),
    check({ error, log }) {
      expect(error).toMatchObject({ message: 'broken' })
      expect(log).toEqual(['broken'])
    },
  })

  scenario('an abort reaches the tools that run inside', {
    script: [asks('slow', 'slow')],
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ log, abort }) => {
      const slow = tool({
        name: 'slow',
        execute: (_input, { signal, callId }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => log.push(`${callId} ${String(signal.reason)}`))
            if (callId === 'p/1') abort.abort('enough')
          }),
      })
      return [fanOut([slow])]
    },
    check({ error, log }) {
      expect(error).toBe('enough')
      expect([...log].sort()).toEqual(['p/0 enough', 'p/1 enough'])
    },
  })

  scenario('ids of a model with a slash are replaced before anything runs', {
    script: [
      { toolCalls: [{ ...asks(hello('Ada')).toolCalls[0]! }, { name: 'greet', id: 'p/0', arguments: { name: 'Bob' } }] }, // prettier-ignore
      'Done.',
    ],
    tools: () => [fanOut([greet]), greet],
    check({ result, prompts, events }) {
      const own = eventsOf(events, 'tool-result').filter(({ parentCallId }) => !parentCallId)
      const [, replaced] = own.map(({ toolCall }) => toolCall.id).sort()
      const ids = prompts[1]!.messages.flatMap((message) =>
        message.role === 'tool' ? message.responses.map(({ id }) => id) : [],
      )
      expect(ids).toHaveLength(2)
      expect(ids.join()).not.toContain('/')
      expect([...ids].sort()).toContain(replaced)
      expect(result.status).toBe('done')
      expect(new Set(events.flatMap((event) => ('toolCall' in event ? event.toolCall.id : [])))).toContain('p/0') // prettier-ignore
    },
  })
})
