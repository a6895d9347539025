/** Tools that throw, hang or come too late: data for the model, unless the program decides otherwise. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  defaultExceptionProcessor,
  tool,
  ToolExecutionError,
  ToolInputError,
  ToolTimeoutError,
  type ChatClientOptions,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import { eventsOf, scenario, toldByTools, typesOf } from './scenario.ts'

const throwing = (thrown: unknown): ToolSource =>
  tool({
    name: 'boom',
    execute() {
      throw thrown
    },
  })
const BOOM = { toolCalls: [{ name: 'boom' }] }

const messageBomb = Object.defineProperty(new Error('x'), 'message', {
  get() {
    throw new Error('no message for you')
  },
})
const hostileProxy = new Proxy(
  {},
  {
    get() {
      throw new Error('get')
    },
    has() {
      throw new Error('has')
    },
    getPrototypeOf() {
      throw new Error('prototype')
    },
  },
)

describe('what a tool throws', () => {
  const THROWN: Record<string, readonly [thrown: unknown, told: string | RegExp]> = {
    'an error': [new Error('disk full'), 'disk full'],
    'an error without words': [new TypeError(''), 'threw TypeError'],
    'a string': ['nope', 'nope'],
    null: [null, /null/],
    undefined: [undefined, /undefined/],
    'a number': [42, /42/],
    'a symbol': [Symbol('odd'), /odd/],
    'a frozen object': [Object.freeze({ message: 'cold' }), 'cold'],
    'an object with a null prototype': [Object.create(null), /./],
    'an error whose message throws': [messageBomb, /./],
    'a proxy that throws at everything': [hostileProxy, /./],
    'an empty string': ['', /./],
  }
  for (const [name, [thrown, told]] of Object.entries(THROWN)) {
    for (const late of [false, true]) {
      scenario(`${name}${late ? ', from a promise' : ''}: the model is told`, {
        script: [BOOM, 'Sorry.'],
        tools: () => [
          late
            ? tool({ name: 'boom', execute: () => Promise.reject(thrown as Error) })
            : throwing(thrown),
        ],
        check({ prompts, result, events }) {
          const [response] = toldByTools(prompts[1])
          expect(response!.isError).toBe(true)
          expect(response!.content).toEqual(
            typeof told === 'string' ? told : expect.stringMatching(told),
          )
          expect(result.status).toBe('done')
          expect(eventsOf(events, 'tool-result')).toHaveLength(1)
        },
      })
    }
  }

  scenario('keys in it are redacted, for the model and in events', {
    script: [BOOM, 'Sorry.'],
    tools: () => [
      throwing(new Error('401 for sk-abcdefghijklmnop1234 at https://u:pass1234@x.test')),
    ],
    check({ prompts, events }) {
      const seen = JSON.stringify([prompts[1]!.messages, events])
      expect(seen).not.toContain('sk-abcdefghijklmnop1234')
      expect(seen).not.toContain('pass1234')
      expect(seen).toContain('[redacted]')
    },
  })

  scenario('a generator that throws half way', {
    script: [BOOM, 'Sorry.'],
    tools: () => [
      tool({
        name: 'boom',
        *execute() {
          yield 'half'
          throw new Error('slipped')
        },
      }),
    ],
    check({ prompts, events }) {
      expect(eventsOf(events, 'tool-progress')).toHaveLength(1)
      expect(toldByTools(prompts[1])).toEqual([{ content: 'slipped', isError: true }])
    },
  })

  scenario('a callback that refuses its input says what is wrong with it', {
    script: [BOOM, 'Sorry.'],
    tools: () => [
      throwing(new ToolInputError('boom', [{ path: '$.a', expected: 'number', received: '"x"' }])),
    ],
    check({ prompts }) {
      expect(toldByTools(prompts[1])[0]!.content).toMatch(/\$\.a.*Correct the arguments/s)
    },
  })
})

describe('what the program decides', () => {
  interface Rejecting {
    readonly client: ChatClientOptions
    readonly thrown?: unknown
    readonly check: (error: unknown) => void
  }
  const rejecting = (name: string, { client, thrown, check }: Rejecting): void =>
    scenario(name, {
      script: [BOOM],
      client: () => client,
      tools: () => [throwing(thrown ?? new RangeError('too far'))],
      check({ error, events }) {
        check(error)
        expect(typesOf(events)).not.toContain('response')
      },
    })

  rejecting('throwOnError: the run rejects with the wrapped error', {
    client: { throwOnError: true },
    check(error) {
      expect(error).toBeInstanceOf(ToolExecutionError)
      const cause = new RangeError('too far')
      expect(error).toMatchObject({ toolName: 'boom', callId: 'call_1', cause })
    },
  })
  rejecting('throwOnError: keys are not in the message', {
    client: { throwOnError: true },
    thrown: new Error('401 for sk-abcdefghijklmnop1234'),
    check: (error) =>
      expect((error as Error).message).toMatch(/^Tool "boom" failed: 401 for \[redacted\]/),
  })
  rejecting('an error that is already wrapped is not wrapped twice', {
    client: { throwOnError: true },
    thrown: new ToolExecutionError('mine', { toolName: 'inner' }),
    check(error) {
      expect(error).toMatchObject({ toolName: 'inner', toolMessage: 'mine' })
      expect((error as Error).cause).toBeUndefined()
    },
  })
  rejecting('rethrow: what was thrown, unwrapped', {
    client: { rethrow: [RangeError] },
    check: (error) => expect(error).toEqual(new RangeError('too far')),
  })
  rejecting('rethrow: subclasses too', {
    client: { rethrow: [Error] },
    check: (error) => expect(error).toEqual(new RangeError('too far')),
  })
  rejecting('defaultExceptionProcessor: alwaysThrow rejects with the wrapped error', {
    client: { exceptionProcessor: defaultExceptionProcessor({ alwaysThrow: true }) },
    check: (error) => expect(error).toMatchObject({ name: 'ToolExecutionError', toolName: 'boom' }),
  })
  rejecting('rethrow: also one of ours', {
    client: { rethrow: [ToolExecutionError] },
    thrown: new ToolExecutionError('mine', { toolName: 'inner' }),
    check: (error) => expect(error).toMatchObject({ toolMessage: 'mine' }),
  })
  rejecting('an exception processor may throw', {
    client: {
      exceptionProcessor(error) {
        throw new Error(`stopped by ${error.toolName}`)
      },
    },
    check: (error) => expect((error as Error).message).toBe('stopped by boom'),
  })

  const telling = (name: string, client: ChatClientOptions, told: unknown): void =>
    scenario(name, {
      script: [BOOM, 'Sorry.'],
      client: () => client,
      tools: () => [throwing(new RangeError('too far'))],
      check: ({ prompts }) =>
        void expect(toldByTools(prompts[1])).toEqual([{ content: told, isError: true }]),
    })
  telling('rethrow: other classes go to the model', { rethrow: [SyntaxError] }, 'too far')
  telling(
    'an exception processor finds the words',
    { exceptionProcessor: async (error) => `${error.toolName} had ${(error.cause as Error).name}` },
    'boom had RangeError',
  )
  telling(
    'an exception processor without words',
    { exceptionProcessor: () => '' },
    'Tool "boom" failed.',
  )
  for (const rubbish of [undefined, null, 7, {}]) {
    telling(
      `an exception processor that returns ${JSON.stringify(rubbish)}`,
      { exceptionProcessor: () => rubbish as never },
      'Tool "boom" failed.',
    )
  }
  telling(
    'defaultExceptionProcessor, given by hand',
    { exceptionProcessor: defaultExceptionProcessor({ rethrow: [TypeError] }) },
    'too far',
  )

  scenario('one of a batch that rethrows: the others had their run', {
    script: [{ toolCalls: [{ name: 'boom' }, { name: 'fine' }] }],
    client: () => ({ throwOnError: true }),
    tools: ({ log }) => [
      throwing(new Error('x')),
      tool({ name: 'fine', execute: async () => void log.push('ran') }),
    ],
    check({ error, log }) {
      expect(error).toMatchObject({ code: 'tool-execution' })
      expect(log).toEqual(['ran'])
    },
  })
})

describe('a result converter that throws', () => {
  const converting = (log: unknown[], thrown: unknown): ToolSource =>
    tool({
      name: 'boom',
      execute: () => (log.push('ran'), { secret: 'hush' }),
      resultConverter: () => {
        throw thrown
      },
    })

  for (const late of [false, true])
    scenario(
      `the model is told that the tool ran, and nothing of its result${late ? ' (late)' : ''}`,
      {
        script: [BOOM, 'Sorry.'],
        tools: ({ log }) => [
          late
            ? tool({
                name: 'boom',
                execute: () => (log.push('ran'), { secret: 'hush' }),
                resultConverter: () => Promise.reject(new Error('no template')),
              })
            : converting(log, new Error('no template')),
        ],
        check({ prompts, log, result }) {
          const content = 'it ran, but its result could not be converted: no template'
          expect(toldByTools(prompts[1])).toEqual([{ content, isError: true }])
          expect(JSON.stringify(prompts[1]!.messages)).not.toContain('hush')
          expect(log).toEqual(['ran'])
          expect(result.status).toBe('done')
        },
      },
    )

  scenario('rethrow knows what it threw', {
    script: [BOOM],
    client: () => ({ rethrow: [RangeError] }),
    tools: ({ log }) => [converting(log, new RangeError('too far'))],
    check: ({ error }) => void expect(error).toEqual(new RangeError('too far')),
  })
})

describe('a callback from scratch', () => {
  scenario('that throws is a tool that throws: the model is told', {
    script: [BOOM, 'Sorry.'],
    tools: () => [
      {
        definition: { name: 'boom', description: 'Boom', inputSchema: { type: 'object' } },
        metadata: { returnDirect: false, hints: {}, effect: 'once' },
        call() {
          throw new Error('not a tool error')
        },
      },
    ],
    check: ({ prompts }) =>
      void expect(toldByTools(prompts[1])).toEqual([
        { content: 'not a tool error', isError: true },
      ]),
  })
})

describe('retry', () => {
  scenario('only as often as allowed, with growing pauses', {
    script: [BOOM, 'Sorry.'],
    tools: ({ log, clock }) => [
      tool({
        name: 'boom',
        hints: { idempotent: true },
        retry: { attempts: 3, delayMs: 100 },
        execute() {
          log.push(clock.now())
          throw new Error('down')
        },
      }),
    ],
    during: ({ clock }) => clock.advance(10_000),
    check({ log, prompts, events }) {
      expect(log).toEqual([0, 100, 300])
      expect(toldByTools(prompts[1])).toEqual([{ content: 'down', isError: true }])
      expect(eventsOf(events, 'tool-result')).toHaveLength(1)
    },
  })

  it('is refused for a tool that must not run twice', () => {
    expect(() => tool({ name: 'pay', retry: { attempts: 2 }, execute: () => 1 })).toThrow(
      /may run twice/,
    )
  })
})

describe('timeouts', () => {
  const slow = (clock: { timer(ms: number, wake: () => void): unknown }, ms: number): ToolSource =>
    tool({
      name: 'slow',
      execute: () => new Promise<string>((resolve) => clock.timer(ms, () => resolve('at last'))),
    })
  const SLOW = { toolCalls: [{ name: 'slow' }] }

  scenario('settle a tool that ignores its signal; the late result is dropped and noticed', {
    script: [SLOW, { text: 'Too slow.', delayMs: 1000 }],
    client: () => ({ limits: { toolTimeoutMs: 100 } }),
    tools: ({ clock }) => [slow(clock, 500)],
    during: ({ clock }) => clock.advance(5000),
    check({ prompts, events, result }) {
      expect(toldByTools(prompts[1])).toEqual([
        { content: expect.stringContaining('100 ms'), isError: true },
      ])
      expect(eventsOf(events, 'tool-result')).toHaveLength(1)
      expect(eventsOf(events, 'notice')).toMatchObject([
        { code: 'late-result', data: { callId: 'call_1' }, runId: 'run_1', round: 1 },
      ])
      expect(result.status).toBe('done')
    },
  })

  scenario('tell the tool, with the reason', {
    script: [SLOW, 'Stopped.'],
    tools: ({ log }) => [
      tool({
        name: 'slow',
        timeoutMs: 50,
        execute: (_input, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              log.push(signal.reason instanceof ToolTimeoutError)
              reject(signal.reason as Error)
            })
          }),
      }),
    ],
    during: ({ clock }) => clock.advance(100),
    check({ log, clock }) {
      expect(log).toEqual([true])
      expect(clock.waiting).toBe(0)
    },
  })

  scenario('a tool’s own beats the limit; unlimited is written out', {
    script: [{ toolCalls: [{ name: 'slow' }, { name: 'patient' }] }, 'Done.'],
    client: () => ({ limits: { toolTimeoutMs: 100 } }),
    tools: ({ clock }) => [
      tool({
        name: 'slow',
        timeoutMs: 1000,
        execute: () => new Promise<string>((resolve) => clock.timer(500, () => resolve('slow'))),
      }),
      tool({
        name: 'patient',
        timeoutMs: 'unlimited',
        execute: () => new Promise<string>((resolve) => clock.timer(9e6, () => resolve('patient'))),
      }),
    ],
    during: ({ clock }) => clock.advance(1e7),
    check: ({ prompts }) =>
      void expect(toldByTools(prompts[1])).toEqual([{ content: 'slow' }, { content: 'patient' }]),
  })

  scenario('hold for a callback from scratch, also when it returns a mere thenable', {
    script: [SLOW, 'Too slow.'],
    client: () => ({ limits: { toolTimeoutMs: 100 } }),
    tools: () => {
      const callback: ToolCallback = {
        definition: { name: 'slow', description: 'Slow', inputSchema: { type: 'object' } },
        metadata: { returnDirect: false, hints: {}, effect: 'once' },
        call: () => ({ then: () => {} }) as never,
      }
      return [callback]
    },
    during: ({ clock }) => clock.advance(200),
    check: ({ prompts }) => void expect(toldByTools(prompts[1])).toMatchObject([{ isError: true }]),
  })

  scenario('rethrow knows them', {
    script: [SLOW],
    client: () => ({ limits: { toolTimeoutMs: 100 }, rethrow: [ToolTimeoutError] }),
    tools: ({ clock }) => [slow(clock, 500)],
    during: ({ clock }) => clock.advance(200),
    check: ({ error }) =>
      void expect(error).toMatchObject({ code: 'tool-timeout', toolName: 'slow' }),
  })

  scenario('a generator stops at its next yield, and reports nothing more', {
    script: [SLOW, { text: 'Stopped.', delayMs: 1000 }],
    tools: ({ log, clock }) => [
      tool({
        name: 'slow',
        timeoutMs: 250,
        async *execute() {
          try {
            for (let n = 1; n < 10; n++) {
              await new Promise<void>((wake) => clock.timer(100, wake))
              log.push(n)
              yield n
            }
          } finally {
            log.push('closed')
          }
        },
      }),
    ],
    during: ({ clock }) => clock.advance(5000),
    check({ log, events }) {
      expect(log).toEqual([1, 2, 3, 'closed'])
      expect(eventsOf(events, 'tool-progress').map((event) => event.progress)).toEqual([1, 2])
    },
  })
})

describe('cache and rate', () => {
  scenario('equal inputs within the time get the earlier result', {
    script: [
      { toolCalls: [{ name: 'look', arguments: { id: '7' } }] },
      {
        toolCalls: [
          { name: 'look', arguments: { id: '7' } },
          { name: 'look', arguments: { id: '8' } },
        ],
      },
      { text: 'Seen.' },
    ],
    tools: ({ log }) => [
      tool({
        name: 'look',
        // What the tool gets has no JSON form: the key is what the model sent.
        input: z.object({ id: z.string().transform((text) => new Map([[BigInt(text), text]])) }),
        cache: { ttlMs: 1000 },
        execute: ({ id }) => (log.push([...id.values()][0]), [...id.values()][0]),
      }),
    ],
    check({ log, prompts }) {
      expect(log).toEqual(['7', '8'])
      expect(toldByTools(prompts[2])).toEqual([{ content: '7' }, { content: '8' }])
    },
  })

  scenario('at most so many starts in a time; more wait', {
    script: [{ toolCalls: Array.from({ length: 5 }, () => ({ name: 'ask' })) }, 'Asked.'],
    tools: ({ log, clock }) => [
      tool({
        name: 'ask',
        rateLimit: { calls: 2, perMs: 100 },
        execute: () => void log.push(clock.now()),
      }),
    ],
    during: ({ clock }) => clock.advance(1000),
    check: ({ log }) => void expect(log).toEqual([0, 0, 100, 100, 200]),
  })
})
