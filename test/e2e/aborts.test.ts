/** Stopping a run: at once, with the signal's reason, leaving nothing behind. */
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  advisor,
  ChatClient,
  ORDER,
  tool,
  toolCallingManager,
  type ChatModel,
  type Prompt,
} from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { scenario, typesOf } from './scenario.ts'

const REASON = new Error('the user left')
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length
const never = <T>(): Promise<T> => new Promise<T>(() => {})

describe('an abort', () => {
  scenario('before the start: the model is never asked', {
    script: ['Hello.'],
    request: (client, { abort }) => {
      abort.abort(REASON)
      return client.prompt('Go').signal(abort.signal)
    },
    check({ error, prompts, abort }) {
      expect(error).toBe(REASON)
      expect(prompts).toEqual([])
      expect(listeners(abort.signal)).toBe(0)
    },
  })

  scenario('while the model is silent', {
    script: [{ hang: true }],
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    async during({ abort, clock }) {
      await clock.advance(1)
      expect(listeners(abort.signal)).toBe(1)
      abort.abort(REASON)
    },
    check({ error, abort, prompts }) {
      expect(error).toBe(REASON)
      expect(prompts).toHaveLength(1)
      expect(listeners(abort.signal)).toBe(0)
    },
  })

  scenario('while a tool works: it is told, and the run does not wait for it', {
    script: [{ toolCalls: [{ name: 'deaf' }, { name: 'listening' }] }],
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ log }) => [
      tool({ name: 'deaf', timeoutMs: 'unlimited', execute: () => never<string>() }),
      tool({
        name: 'listening',
        timeoutMs: 'unlimited',
        execute: (_input, { signal }) =>
          new Promise<string>((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              log.push(signal.reason)
              reject(signal.reason as Error)
            })
          }),
      }),
    ],
    async during({ abort, clock }) {
      await clock.advance(1)
      abort.abort(REASON)
    },
    check({ error, abort, log, events }) {
      expect(error).toBe(REASON)
      expect(log).toEqual([REASON])
      expect(typesOf(events)).not.toContain('tool-result')
      expect(listeners(abort.signal)).toBe(0)
    },
  })

  scenario('leaves no timer behind, though the tool ignores it', {
    script: [{ toolCalls: [{ name: 'deaf' }] }],
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: () => [tool({ name: 'deaf', timeoutMs: 60_000, execute: () => never<string>() })],
    async during({ abort, clock }) {
      await clock.advance(1)
      expect(clock.waiting).toBe(1)
      abort.abort(REASON)
    },
    check({ error, clock }) {
      expect(error).toBe(REASON)
      expect(clock.waiting).toBe(0)
    },
  })

  scenario('a signal that a tool looks at only afterwards is aborted', {
    script: [{ toolCalls: [{ name: 'late' }] }],
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ log, clock }) => [
      tool({
        name: 'late',
        timeoutMs: 'unlimited',
        async execute(_input, context) {
          await new Promise<void>((wake) => clock.timer(100, wake))
          log.push(context.signal.aborted, context.signal.reason)
        },
      }),
    ],
    async during({ abort, clock }) {
      await clock.advance(1)
      abort.abort(REASON)
      await clock.advance(500)
    },
    check: ({ log }) => void expect(log).toEqual([true, REASON]),
  })

  scenario('calls that wait for a lock do not start afterwards', {
    script: [{ toolCalls: [1, 2, 3].map((n) => ({ name: 'pay', arguments: { n } })) }],
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ log, clock }) => [
      tool({
        name: 'pay',
        input: z.object({ n: z.number() }),
        lock: () => 'account',
        async execute({ n }) {
          log.push(n)
          await new Promise<void>((wake) => clock.timer(100, wake))
        },
      }),
    ],
    async during({ abort, clock }) {
      await clock.advance(10)
      abort.abort(REASON)
      await clock.advance(10_000)
    },
    check({ error, log }) {
      expect(error).toBe(REASON)
      expect(log).toEqual([1])
    },
  })

  scenario('between two tries ends the pause', {
    script: [{ toolCalls: [{ name: 'flaky' }] }],
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ log }) => [
      tool({
        name: 'flaky',
        effect: 'keyed',
        retry: { attempts: 5, delayMs: 1000 },
        execute() {
          log.push('tried')
          throw new Error('down')
        },
      }),
    ],
    async during({ abort, clock }) {
      await clock.advance(10)
      abort.abort(REASON)
      await clock.advance(100_000)
    },
    check({ error, log, clock }) {
      expect(error).toBe(REASON)
      expect(log).toEqual(['tried'])
      expect(clock.waiting).toBe(0)
    },
  })

  scenario('while the policy thinks: nothing runs', {
    script: [{ toolCalls: [{ name: 'pay' }] }],
    client: ({ clock }) => ({
      async policy() {
        await new Promise<void>((wake) => clock.timer(100, wake))
        return 'allow' as const
      },
    }),
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    tools: ({ log }) => [tool({ name: 'pay', execute: () => void log.push('paid') })],
    async during({ abort, clock }) {
      await clock.advance(10)
      abort.abort(REASON)
      await clock.advance(1000)
    },
    check({ error, log }) {
      expect(error).toBe(REASON)
      expect(log).toEqual([])
    },
  })

  it('between two events rejects with the reason, too', async () => {
    const abort = new AbortController()
    const run = ChatClient.create(scriptedModel(['one two three']))
      .prompt('Go')
      .signal(abort.signal)
      .stream()
    const reading = async (): Promise<void> => {
      for await (const event of run) if (event.type === 'text-delta') abort.abort(REASON)
    }
    await expect(reading()).rejects.toBe(REASON)
    await expect(run.result()).rejects.toBe(REASON)
    expect(listeners(abort.signal)).toBe(0)
  })

  it('that never comes leaves no listener, however the run ends', async () => {
    const abort = new AbortController()
    const client = ChatClient.create(
      scriptedModel([
        { error: new Error('down') },
        'one two three',
        { toolCalls: [{ name: 'x' }] },
      ]),
    )
    const request = client.prompt('Go').signal(abort.signal)
    await expect(request.call().result()).rejects.toThrow('down')
    expect(listeners(abort.signal)).toBe(0)
    for await (const event of request.stream()) if (event.type === 'text-delta') break
    expect(listeners(abort.signal)).toBe(0)
    const asking = tool({ name: 'x', approval: true, execute: () => 1 })
    expect((await request.tools(asking).call().result()).status).toBe('suspended')
    expect(listeners(abort.signal)).toBe(0)
  })

  scenario('leaves no listener on the run’s own signal either, round after round', {
    script: [{ toolCalls: [{ name: 'x' }] }, { toolCalls: [{ name: 'x' }] }, 'Done.'],
    client: ({ log }) => ({
      limits: { runTimeoutMs: 1000 },
      advisors: [
        advisor({
          name: 'look',
          order: ORDER.first,
          before: ({ signal }) => void log.push(() => listeners(signal)),
          after: (_answer, { signal }) => void log.push(listeners(signal)),
        }),
        advisor({
          name: 'inside',
          order: ORDER.last,
          before: ({ signal }) => void log.push(listeners(signal)),
        }),
      ],
    }),
    tools: () => [tool({ name: 'x', execute: async () => 1 })],
    check({ log }) {
      const [after, ...rounds] = log.splice(0)
      expect((after as () => number)()).toBe(0)
      expect(rounds).toEqual([0, 0, 0, 0])
    },
  })

  it('after the end changes nothing', async () => {
    const abort = new AbortController()
    const run = ChatClient.create(scriptedModel(['Hello.']))
      .prompt('Go')
      .signal(abort.signal)
      .call()
    expect(await run.content()).toBe('Hello.')
    abort.abort(REASON)
    expect(await run.content()).toBe('Hello.')
  })

  it('leaves no listener on a signal that many runs share', async () => {
    const abort = new AbortController()
    const client = ChatClient.create(scriptedModel(Array.from({ length: 200 }, () => 'Hi.')))
    const runs = Array.from({ length: 200 }, (_, index) => {
      const request = client.prompt('Go').signal(abort.signal)
      return index % 2 ? request.call() : request.stream()
    })
    await Promise.all(runs.map((run) => run.result()))
    expect(listeners(abort.signal)).toBe(0)
  })

  for (const mode of ['call', 'stream'] as const) {
    it(`of a model that does not listen (${mode}) settles all the same`, async () => {
      const abort = new AbortController()
      const request = ChatClient.create(deafModel()).prompt('Go').signal(abort.signal)
      const result = (mode === 'call' ? request.call() : request.stream()).result()
      await Promise.resolve()
      abort.abort(REASON)
      await expect(result).rejects.toBe(REASON)
    })

    it(`by the run's own deadline, of a model that does not listen (${mode})`, async () => {
      const clock = manualClock()
      const client = ChatClient.create(deafModel(), { clock, limits: { runTimeoutMs: 100 } })
      const request = client.prompt('Go')
      const result = (mode === 'call' ? request.call() : request.stream()).result()
      const settled = expect(result).rejects.toMatchObject({ limit: 'runTimeoutMs' })
      await clock.advance(1000)
      await settled
    })
  }
})

function deafModel(): ChatModel {
  const model = scriptedModel([])
  return {
    ...model,
    call: () => never(),
    async *stream() {
      yield await never()
    },
  }
}

describe('a manager used by hand', () => {
  const CALL = {
    results: [
      {
        message: {
          role: 'assistant' as const,
          content: [{ type: 'tool-call' as const, id: 'a', name: 'pay', arguments: '{}' }],
        },
        finishReason: 'tool-calls' as const,
        metadata: {},
      },
    ],
    usage: {},
    metadata: {},
  }

  it('rejects with the reason when it is aborted while it prepares', async () => {
    const abort = new AbortController()
    const ran: string[] = []
    const pay = tool({ name: 'pay', returnDirect: true, execute: () => ran.push('paid') })
    const prompt: Prompt = {
      messages: [{ role: 'user', content: 'Pay' }],
      options: { tools: [pay] },
    }
    const manager = toolCallingManager({
      policy() {
        abort.abort(REASON)
        return 'allow'
      },
    })
    await expect(manager.executeToolCalls(prompt, CALL, { signal: abort.signal })).rejects.toBe(
      REASON,
    )
    expect(ran).toEqual([])
    expect(listeners(abort.signal)).toBe(0)
  })

  it('uses a durability that is an object with state', async () => {
    class Recording {
      readonly keys: string[] = []
      step<T>(key: string, run: () => Promise<T>): Promise<T> {
        this.keys.push(key)
        return run()
      }
    }
    const durability = new Recording()
    const pay = tool({ name: 'pay', execute: () => 'paid' })
    const result = await toolCallingManager({ durability }).executeToolCalls(
      { messages: [{ role: 'user', content: 'Pay' }], options: { tools: [pay] } },
      CALL,
    )
    expect(result.responses).toEqual([{ id: 'a', name: 'pay', content: 'paid' }])
    expect(durability.keys).toEqual(['tool/a'])
  })

  it('leaves no listener behind when all went well', async () => {
    const { signal } = new AbortController()
    const pay = tool({ name: 'pay', execute: async () => 'paid' })
    const prompt: Prompt = { messages: [], options: { tools: [pay] } }
    await toolCallingManager().executeToolCalls(prompt, CALL, { signal })
    expect(listeners(signal)).toBe(0)
  })

  it('gives nothing directly while a call waits', async () => {
    const pay = tool({ name: 'pay', approval: true, returnDirect: true, execute: () => 'paid' })
    const result = await toolCallingManager().executeToolCalls(
      { messages: [{ role: 'user', content: 'Pay' }], options: { tools: [pay] } },
      CALL,
    )
    expect(result).toMatchObject({ responses: [], returnDirect: false, pending: [{ callId: 'a' }] })
    expect(result.conversationHistory.map((message) => message.role)).toEqual(['user', 'assistant'])
  })

  it('refuses a response without calls', async () => {
    await expect(
      toolCallingManager().executeToolCalls(
        { messages: [] },
        { results: [], usage: {}, metadata: {} },
      ),
    ).rejects.toMatchObject({ code: 'no-tool-call' })
  })

  it('tells the definitions a model would get', async () => {
    const pay = tool({ name: 'pay', execute: () => 'paid' })
    const definitions = await toolCallingManager({
      resolver: { resolve: (name) => (name === 'pay' ? pay : undefined) },
    }).resolveToolDefinitions({ toolNames: ['pay'] })
    expect(definitions).toEqual([pay.definition])
  })
})
