/**
 * A lock belongs to the tool that runs under it. It was once freed when the call timed out, so that the next call,
 * or the next attempt, ran beside a tool that had not stopped.
 */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  clientTool,
  tool,
  toolRunOf,
  toolCallingManager,
  type ChatClientOptions,
  type ChatEvent,
  type RunResult,
  type ToolCallback,
  type ToolContext,
} from 'toolwright'
import { manualClock, scriptedModel, type ManualClock, type ScriptedStep } from 'toolwright/testing'
import { eventsOf, scenario, toldByTools } from '../e2e/scenario.ts'

const forever = (): Promise<never> => new Promise(() => {})
const pause = (clock: ManualClock, ms: number): Promise<void> =>
  new Promise((wake) => void clock.timer(ms, wake))

const payOf = (
  options: Partial<Parameters<typeof tool>[0]>,
  execute: (context: ToolContext) => unknown,
): ToolCallback =>
  tool({
    name: 'pay',
    lock: () => 'account',
    ...(options as object),
    execute: (_input: unknown, context) => execute(context),
  })

const call = (name: string, ...others: string[]): ScriptedStep => ({
  toolCalls: [name, ...others].map((each) => ({ name: each })),
})

const noticesIn = (events: readonly ChatEvent[]): readonly string[] =>
  eventsOf(events, 'notice').map((event) => event.code)

/** Runs of one manager, whose calls meet. */
interface Bank {
  readonly clock: ManualClock
  readonly manager: NonNullable<ChatClientOptions['manager']>
  readonly log: unknown[]
}

function bankOf(): Bank {
  const clock = manualClock()
  return { clock, manager: toolCallingManager({ clock }), log: [] }
}

const runOf = (
  { manager }: Bank,
  tools: readonly ToolCallback[],
  signal?: AbortSignal,
): Promise<RunResult> => {
  const model = scriptedModel([call('pay'), 'Ok.'])
  const request = ChatClient.create(model, { manager, tools }).prompt('Go')
  return (signal ? request.signal(signal) : request).call().result()
}

const toldIn = ({ messages }: RunResult): string =>
  messages.findLast((message) => message.role === 'tool')!.responses[0]!.content as string

describe('a lock stays with its tool', () => {
  it('until the tool settles, although its call has timed out', async () => {
    const bank = bankOf()
    const { clock, log } = bank
    const work = async (name: string, ms: number): Promise<void> => {
      log.push([name, 'starts', clock.now()])
      await pause(clock, ms)
      log.push([name, 'ends', clock.now()])
    }
    const deaf = runOf(bank, [payOf({ timeoutMs: 50 }, () => work('deaf', 300))])
    await clock.advance(60)
    const next = runOf(bank, [payOf({ timeoutMs: 1000 }, () => work('next', 10))])
    await clock.advance(1000)
    expect(toldIn(await deaf)).toBe('no result within 50 ms')
    expect(toldIn(await next)).toBe('Done')
    expect(log).toEqual([
      ['deaf', 'starts', 0],
      ['deaf', 'ends', 300],
      ['next', 'starts', 300],
      ['next', 'ends', 310],
    ])
  })

  it('until the tool settles, although its run was aborted', async () => {
    const bank = bankOf()
    const { clock, log } = bank
    const abort = new AbortController()
    const work = async (ms: number): Promise<void> => {
      await pause(clock, ms)
      log.push(clock.now())
    }
    const aborted = runOf(bank, [payOf({}, () => work(300))], abort.signal)
    const rejected = expect(aborted).rejects.toBe('enough')
    await clock.advance(10)
    abort.abort('enough')
    await rejected
    const next = runOf(bank, [payOf({}, () => work(10))])
    await clock.advance(1000)
    await next
    expect(log).toEqual([300, 310])
  })

  it('and is freed by a tool that stops when it is told to', async () => {
    const bank = bankOf()
    const { clock, log } = bank
    const obedient = payOf(
      { timeoutMs: 50 },
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    const first = runOf(bank, [obedient])
    await clock.advance(50)
    await first
    const next = runOf(bank, [payOf({}, () => void log.push(clock.now()))])
    await clock.advance(0)
    await next
    expect(log).toEqual([50])
  })

  it('and is freed by a suspension and by a failure', async () => {
    const bank = bankOf()
    const asking = payOf({}, ({ suspend }) => suspend('Sure?'))
    expect((await runOf(bank, [asking])).status).toBe('suspended')
    const failing = payOf({}, async () => {
      throw new Error('no money')
    })
    expect(toldIn(await runOf(bank, [failing]))).toBe('no money')
    expect(toldIn(await runOf(bank, [payOf({}, () => 'paid')]))).toBe('paid')
  })
})

describe('whoever waits for a lock', () => {
  scenario('is told after the time of its tool; the other call keeps its result', {
    script: [call('slow', 'pay'), 'Ok.'],
    tools: ({ clock, log }) => [
      tool({ name: 'slow', lock: () => 'account', execute: () => pause(clock, 500) }),
      payOf({ timeoutMs: 100 }, () => log.push('paid')),
    ],
    async during({ clock }) {
      await clock.advance(99)
      await clock.advance(1000)
    },
    check({ prompts, log }) {
      expect(log).toEqual([])
      expect(toldByTools(prompts[1])).toEqual([
        { content: 'Done' },
        { content: 'it waited 100 ms for its lock, which another call held', isError: true },
      ])
    },
  })

  scenario('has the rest of its time to run', {
    script: [call('slow', 'pay'), 'Ok.'],
    tools: ({ clock, log }) => [
      tool({ name: 'slow', lock: () => 'account', execute: () => pause(clock, 60) }),
      payOf({ timeoutMs: 100 }, ({ signal }) => {
        signal.addEventListener('abort', () => log.push(clock.now()))
        return forever()
      }),
    ],
    during: ({ clock }) => clock.advance(1000),
    check({ prompts, log }) {
      expect(log).toEqual([100])
      expect(toldByTools(prompts[1])[1]).toEqual({
        content: 'no result within 100 ms',
        isError: true,
      })
    },
  })

  it('leaves with its run, and the next in line is not held up', async () => {
    const bank = bankOf()
    const { clock, log } = bank
    const abort = new AbortController()
    const work = (name: string): ToolCallback =>
      payOf({}, async () => {
        log.push([name, clock.now()])
        await pause(clock, 100)
      })
    const runs = [
      runOf(bank, [work('first')]),
      runOf(bank, [work('second')], abort.signal),
      runOf(bank, [work('third')]),
    ]
    runs[1]!.catch(() => {})
    await clock.advance(10)
    abort.abort('enough')
    await clock.advance(500)
    await expect(runs[1]).rejects.toBe('enough')
    await Promise.all([runs[0], runs[2]])
    expect(log).toEqual([
      ['first', 0],
      ['third', 100],
    ])
    expect(clock.waiting).toBe(0)
  })

  scenario('leaves with the time of its run', {
    script: [call('stuck', 'pay')],
    client: ({ clock }) => ({ clock, limits: { runTimeoutMs: 50 } }),
    tools: ({ log }) => [
      tool({ name: 'stuck', lock: () => 'account', execute: forever }),
      payOf({}, () => log.push('paid')),
    ],
    during: ({ clock }) => clock.advance(50),
    check({ result, log }) {
      expect(result.status).toBe('limit')
      expect(log).toEqual([])
    },
  })
})

describe('a tool that does not settle', () => {
  scenario('is noticed when its call is given up', {
    script: [call('pay'), 'Ok.'],
    tools: () => [payOf({ timeoutMs: 100 }, forever)],
    during: ({ clock }) => clock.advance(100),
    check: ({ events }) => expect(noticesIn(events)).toEqual(['tool-unsettled']),
  })

  it('is noticed by a call that waited for it, when its own run is over', async () => {
    const bank = bankOf()
    const { clock, manager } = bank
    const abort = new AbortController()
    const stuck = runOf(bank, [payOf({}, forever)], abort.signal)
    const rejected = expect(stuck).rejects.toBe('enough')
    await clock.advance(1)
    abort.abort('enough')
    await rejected
    const model = scriptedModel([call('pay'), 'Ok.'])
    const events: ChatEvent[] = []
    const reading = (async () => {
      const tools = [payOf({ timeoutMs: 100 }, () => 'paid')]
      const run = ChatClient.create(model, { manager, tools }).prompt('Go').stream()
      for await (const event of run) events.push(event)
    })()
    await clock.advance(100)
    await reading
    expect(noticesIn(events)).toEqual(['tool-unsettled'])
  })

  scenario('is not noticed if it stops when it is told to, though not in one step', {
    script: [call('pay'), 'Ok.'],
    tools: () => [
      payOf({ timeoutMs: 100 }, async ({ signal }) => {
        await new Promise((resolve) => void signal.addEventListener('abort', resolve))
        for (let step = 0; step < 20; step++) await Promise.resolve()
      }),
    ],
    during: ({ clock }) => clock.advance(100),
    check: ({ events }) => expect(noticesIn(events)).toEqual(['late-result']),
  })
})

describe('a retry', () => {
  const retry = { attempts: 3, delayMs: 10 }

  for (const lock of [undefined, () => 'account'])
    scenario(`waits for the attempt before it${lock ? ', under a lock' : ''}`, {
      script: [call('flaky'), 'Ok.'],
      tools: ({ clock, log }) => [
        tool({
          name: 'flaky',
          effect: 'keyed',
          retry,
          lock,
          timeoutMs: 100,
          async execute(_input, { attempt }) {
            log.push([attempt, 'starts', clock.now()])
            await pause(clock, attempt === 1 ? 180 : 5)
            log.push([attempt, 'ends', clock.now()])
            return 'worked'
          },
        }),
      ],
      during: ({ clock }) => clock.advance(1000),
      check({ log, prompts }) {
        expect(log).toEqual([
          [1, 'starts', 0],
          [1, 'ends', 180],
          [2, 'starts', 180],
          [2, 'ends', 185],
        ])
        expect(toldByTools(prompts[1])).toEqual([{ content: 'worked' }])
      },
    })

  scenario('is not made beside an attempt that never ends', {
    script: [call('flaky'), 'Ok.'],
    tools: ({ log }) => [
      tool({
        name: 'flaky',
        effect: 'keyed',
        retry,
        timeoutMs: 100,
        execute: (_input, { attempt }) => (log.push(attempt), forever()),
      }),
    ],
    during: ({ clock }) => clock.advance(1000),
    check({ log, prompts, events, clock }) {
      expect(log).toEqual([1])
      expect(toldByTools(prompts[1])).toEqual([
        { content: 'no result within 100 ms', isError: true },
      ])
      expect(noticesIn(events)).toContain('tool-unsettled')
      expect(clock.waiting).toBe(0)
    },
  })
})

describe('a call inside a call', () => {
  it('is refused the lock of the outer one at once', async () => {
    const inner = payOf({}, () => 'paid')
    const transfer = tool({
      name: 'transfer',
      lock: () => 'account',
      composite: { tools: [inner] },
      execute: (_input, context) => toolRunOf(context).call({ index: 0, name: 'pay', arguments: '{}' }), // prettier-ignore
    })
    const model = scriptedModel([call('transfer'), 'Ok.'])
    const client = ChatClient.create(model, { tools: [transfer], clock: manualClock() })
    const response = JSON.parse(toldIn(await client.prompt('Go').call().result())) as unknown
    expect(response).toMatchObject({
      ok: false,
      code: 'failed',
      message: expect.stringMatching(/needs the lock that the call around it holds/) as string,
    })
  })

  const forms: { readonly [name: string]: (inner: ChatClient) => ToolCallback } = {
    'by a client as a tool': (inner) =>
      clientTool(inner, { name: 'expert', description: 'Pays', lock: () => 'account' }),
    'by a client that gets the signal': (inner) =>
      tool({
        name: 'expert',
        input: z.object({ prompt: z.string() }),
        lock: () => 'account',
        execute: ({ prompt }, { signal }) => inner.prompt(prompt).signal(signal).call().content(),
      }),
  }
  for (const [name, expertOf] of Object.entries(forms)) {
    const told = async (isShared: boolean, limits: ChatClientOptions['limits']) => {
      const manager = toolCallingManager({ clock: manualClock(), limits })
      const paying = scriptedModel([call('pay'), 'Ok.'])
      const other = isShared ? manager : toolCallingManager({ clock: manualClock() })
      const inner = ChatClient.create(paying, { manager: other, tools: [payOf({}, () => 'paid')] })
      const asks = { toolCalls: [{ name: 'expert', arguments: { prompt: 'Pay' } }] }
      const client = ChatClient.create(scriptedModel([asks, 'Ok.']), {
        manager,
        tools: [expertOf(inner)],
      })
      await client.prompt('Go').call().result()
      return toldByTools(paying.prompts[1])
    }
    for (const limits of [{}, { runTimeoutMs: 60_000 }])
      it(`is refused it ${name}${'runTimeoutMs' in limits ? ', in a run with a time' : ''}`, async () => {
        expect(await told(true, limits)).toMatchObject([
          { isError: true, content: expect.stringMatching(/call around it holds/) as string },
        ])
      })
    it(`gets a lock of that name ${name} of another manager`, async () => {
      expect(await told(false, {})).toEqual([{ content: 'paid' }])
    })
  }
})

describe('a lock that gives no key', () => {
  const outcomes: readonly (readonly [string, () => unknown, RegExp])[] = [
    ['throws', () => { throw new Error('no account') }, /its lock failed: no account/],
    ['gives a number', () => 7, /its lock gave number 7|its lock gave 7/],
    ['gives null', () => null, /its lock gave null/],
    ['gives a promise', async () => 'account', /its lock gave a promise/],
    ['gives a promise that rejects', async () => { throw new Error('later') }, /gave a promise/],
  ] // prettier-ignore
  for (const [what, lock, words] of outcomes)
    scenario(what, {
      script: [call('pay'), 'Ok.'],
      tools: ({ log }) => [payOf({ lock: lock as never }, () => log.push('paid'))],
      check({ prompts, log }) {
        expect(log).toEqual([])
        expect(toldByTools(prompts[1])).toMatchObject([
          { content: expect.stringMatching(words) as string, isError: true },
        ])
      },
    })

  scenario('undefined needs none', {
    script: [call('pay', 'pay'), 'Ok.'],
    tools: ({ clock, log }) => [
      tool({
        name: 'pay',
        input: z.object({}),
        lock: () => undefined,
        async execute() {
          log.push(clock.now())
          await pause(clock, 100)
        },
      }),
    ],
    during: ({ clock }) => clock.advance(100),
    check: ({ log }) => expect(log).toEqual([0, 0]),
  })
})
