/** A run that runs out of time, is aborted or fails: what it had obtained is kept, and can be read. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  RunLimitError,
  tool,
  toolCallsOf,
  type ChatClientOptions,
  type Message,
  type ToolSource,
} from 'toolwright'
import { manualClock, scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { eventsOf, scenario, type Stage } from '../e2e/scenario.ts'

/** One that answers at once, and one that waits for the clock and does not listen. */
const tools = ({ clock, log }: Pick<Stage, 'clock' | 'log'>): readonly ToolSource[] => [
  tool({ name: 'quick', execute: () => (log.push('quick'), 'quick result') }),
  tool({
    name: 'slow',
    timeoutMs: 'unlimited',
    execute: () => new Promise((done) => clock.timer(10_000, () => done('too late'))),
  }),
]
const BOTH: ScriptedStep = {
  text: 'Let me see. ',
  toolCalls: [
    { name: 'slow', id: 's' },
    { name: 'quick', id: 'q' },
  ],
  usage: { inputTokens: 3, outputTokens: 2 },
}
const rolesOf = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ role }) => role)
const responsesIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? message.responses : []))

/** Every call is answered by the next message. */
function expectValid(messages: readonly Message[]): void {
  messages.forEach((message, at) => {
    const calls = toolCallsOf(message)
    if (calls.length === 0) return
    const next = messages[at + 1]
    expect(next?.role === 'tool' && next.responses.map(({ id }) => id)).toEqual(
      calls.map(({ id }) => id),
    )
  })
}

describe('runTimeoutMs in the middle of a batch', () => {
  const timed = (more: ChatClientOptions = {}): ChatClientOptions => ({
    limits: { runTimeoutMs: 100 },
    ...more,
  })
  const check = (messages: readonly Message[]): void => {
    expectValid(messages)
    expect(responsesIn(messages)).toMatchObject([
      { id: 's', isError: true, content: expect.stringContaining('time of the run') as string },
      { id: 'q', content: 'quick result' },
    ])
  }

  scenario('the results that were there are in messages, and the others say why they are not', {
    script: [BOTH],
    tools,
    client: () => timed(),
    during: ({ clock }) => clock.advance(200),
    check({ result, events }) {
      expect(result.status).toBe('limit')
      expect(result.response.results[0]).toMatchObject({ metadata: { limit: 'runTimeoutMs' } })
      check(result.messages)
      expect(result.response.usage).toEqual({ inputTokens: 3, outputTokens: 2 })
      expect(eventsOf(events, 'tool-result').map(({ response }) => response.id)).toEqual(['q'])
    },
  })

  scenario('with onLimit "throw" they are in the result of the error', {
    script: [BOTH],
    tools,
    client: () => timed({ onLimit: 'throw' }),
    during: ({ clock }) => clock.advance(200),
    check({ error }) {
      expect(error).toBeInstanceOf(RunLimitError)
      check((error as RunLimitError).result!.messages)
    },
  })

  for (const mode of ['call', 'stream'] as const)
    it(`in a resumed batch, what was answered before the suspension is kept too (${mode})`, async () => {
      const clock = manualClock()
      const client = ChatClient.create(scriptedModel([BOTH]), {
        ...timed({ policy: ({ toolName }) => (toolName === 'slow' ? 'ask' : 'allow') }),
        tools: tools({ clock, log: [] }),
        clock,
      })
      const { state } = await client.prompt('Go').call().result()
      const resumed = client.resume(state!, { s: 'approve' })
      const run = mode === 'call' ? resumed.call() : resumed.stream()
      for await (const { type } of run)
        if (type === 'tool-execution-start') await clock.advance(200)
      check((await run.result()).messages)
    })

  for (const [place, options] of Object.entries({
    inside: { order: 500 },
    'outside, with storeToolExchange': { storeToolExchange: true },
  }))
    scenario(`a memory ${place} has them, and the next turn reads them`, {
      script: [BOTH, 'Next.'],
      tools,
      client: ({ log }) => {
        const memory = messageWindowMemory()
        log.push(memory)
        return timed({ advisors: [chatMemoryAdvisor(memory, options)] })
      },
      request: (client) => client.prompt('Go').conversation('c'),
      during: ({ clock }) => clock.advance(200),
      async check({ log, model }) {
        const memory = log.shift() as ReturnType<typeof messageWindowMemory>
        const stored = await memory.get('c')
        expect(rolesOf(stored)).toEqual(['user', 'assistant', 'tool'])
        check(stored)
        const next = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory, options)] })
        await next.prompt('And?').conversation('c').call().content()
        check(model.prompts.at(-1)!.messages)
      },
    })
})

describe('run.partial', () => {
  const USAGE = { inputTokens: 3, outputTokens: 2 }
  const FIRST: ScriptedStep = { toolCalls: [{ name: 'quick', id: 'f' }], usage: USAGE }
  const start = (
    mode: 'call' | 'stream',
    script: readonly ScriptedStep[],
    signal?: AbortSignal,
  ) => {
    const clock = manualClock()
    const client = ChatClient.create(scriptedModel(script, { clock }), { clock })
    const offered = client.prompt('Go').tools(...tools({ clock, log: [] }))
    const request = signal ? offered.signal(signal) : offered
    return { run: mode === 'call' ? request.call() : request.stream(), clock }
  }
  const idle = () => new Promise((wake) => setImmediate(wake))

  for (const mode of ['call', 'stream'] as const) {
    it(`is empty before the run has started, and reading it starts nothing (${mode})`, async () => {
      const { run } = start(mode, [])
      expect(run.partial).toEqual({ messages: [], rounds: [], usage: {} })
      await idle()
      expect(run.partial).toEqual({ messages: [], rounds: [], usage: {} })
    })

    it(`after an abort it has the results that were there; the run rejects with the reason (${mode})`, async () => {
      const abort = new AbortController()
      const { run, clock } = start(mode, [FIRST, BOTH], abort.signal)
      const result = run.result()
      result.catch(() => {})
      for await (const event of run) {
        if (event.type !== 'tool-result' || event.response.id !== 'q') continue
        const { partial } = run
        expectValid(partial.messages)
        expect(responsesIn(partial.messages)[1]).toMatchObject({ id: 's', isError: true })
        break
      }
      const reason = new Error('enough')
      abort.abort(reason)
      await expect(result).rejects.toBe(reason)
      await clock.advance(20_000)
      const { messages, rounds, usage } = run.partial
      expect(rolesOf(messages)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool'])
      expectValid(messages)
      expect(responsesIn(messages)).toMatchObject([
        { id: 'f', content: 'quick result' },
        { id: 's', isError: true, content: 'This call has not ended.' },
        { id: 'q', content: 'quick result' },
      ])
      expect(rounds).toHaveLength(2)
      expect(usage).toEqual({ inputTokens: 6, outputTokens: 4 })
    })

    it(`after a failure of the model it has the rounds before (${mode})`, async () => {
      const { run } = start(mode, [FIRST, { error: new Error('down') }])
      await expect(run.result()).rejects.toThrow('down')
      const { messages, rounds, usage } = run.partial
      expect(rolesOf(messages)).toEqual(['user', 'assistant', 'tool'])
      expect(rounds).toHaveLength(1)
      expect(usage).toEqual(USAGE)
    })

    it(`after a tool that ends the run it has what the others gave (${mode})`, async () => {
      const calls = ['quick', 'bad'].map((name) => ({ name, id: name }))
      const client = ChatClient.create(scriptedModel([{ toolCalls: calls }]), {
        throwOnError: true,
        tools: [
          tool({ name: 'quick', execute: () => 'quick result' }),
          tool({
            name: 'bad',
            execute: async () => {
              await idle()
              throw new Error('broken')
            },
          }),
        ],
      })
      const run = mode === 'call' ? client.prompt('Go').call() : client.prompt('Go').stream()
      await expect(run.result()).rejects.toThrow('broken')
      expectValid(run.partial.messages)
      expect(responsesIn(run.partial.messages)).toMatchObject([
        { id: 'quick', content: 'quick result' },
        { id: 'bad', isError: true },
      ])
    })

    it(`of a run that ended it is what the result has (${mode})`, async () => {
      const { run } = start(mode, [FIRST, { text: 'Done.', usage: USAGE }])
      const { messages, rounds, response } = await run.result()
      expect(run.partial).toEqual({ messages, rounds, usage: response.usage })
    })

    it(`of a suspended run too, without answers to what waits (${mode})`, async () => {
      const client = ChatClient.create(scriptedModel([FIRST]), {
        tools: [tool({ name: 'quick', approval: true, execute: () => 1 })],
      })
      const run = mode === 'call' ? client.prompt('Go').call() : client.prompt('Go').stream()
      const { messages } = await run.result()
      expect(rolesOf(messages)).toEqual(['user', 'assistant'])
      expect(run.partial.messages).toEqual(messages)
    })
  }
})
