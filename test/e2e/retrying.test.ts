/** Asking again: only while nothing has been shown, and never after a tool has run. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  ModelResponseError,
  ORDER,
  ProviderError,
  retryAdvisor,
  tool,
  type Advisor,
  type ChatModel,
  type Durability,
  type RetryAdvisorOptions,
  type ToolSource,
} from 'toolwright'
import { manualClock, recordingObserver, scriptedModel, seededRandom } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { scenario, type Stage } from './scenario.ts'

const busy = (retryAfterMs?: number): { readonly error: unknown } => ({
  error: new ProviderError('provider-unavailable', 'Busy.', {
    provider: 'scripted',
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }),
})
const wrong = { error: new ProviderError('provider-auth', 'No.', { provider: 'scripted' }) }
const retrying = ({ clock }: Pick<Stage, 'clock'>, options: RetryAdvisorOptions = {}): Advisor =>
  retryAdvisor({ clock, random: { next: () => 0.5, bytes: () => new Uint8Array() }, ...options })
const step = (log: unknown[]): ToolSource =>
  tool({ name: 'step', input: z.object({ n: z.number() }), execute: ({ n }) => (log.push(n), n) })
const CALL = { toolCalls: [{ name: 'step', arguments: { n: 1 } }] }
interface Recorded {
  readonly key: string
  json?: string
  message?: string
}

/** Records failures too, in the order of the steps; what it hands on at a replay are bare errors. */
function journaled(journal: Recorded[]): Durability {
  let at = 0
  return {
    async step(key, run) {
      const known = journal[at++]
      if (known) {
        expect(known.key).toBe(key)
        if (known.message !== undefined) throw new Error(known.message)
        return JSON.parse(known.json!)
      }
      const entry: Recorded = { key }
      journal.push(entry)
      try {
        const result = await run()
        entry.json = JSON.stringify(result)
        return result
      } catch (thrown) {
        entry.message = (thrown as Error).message
        throw thrown
      }
    },
  }
}

/** Passes events on by hand. */
const watching: Advisor = {
  name: 'watching',
  order: ORDER.first,
  advise: (request, next) => next({ ...request, emit: (event) => request.emit(event) }),
}

const noticing: Advisor = {
  name: 'noticing',
  order: 20,
  advise(request, next) {
    request.emit({ type: 'notice', code: 'n', message: 'By the way.' })
    return next(request)
  },
}

for (const through of ['unwatched', 'passed on by an advisor'] as const) {
  const others = through === 'unwatched' ? [] : [watching]

  describe(`retryAdvisor, events ${through}`, () => {
    scenario('inside the loop it asks the model again, in any round', {
      script: [busy(), busy(), CALL, busy(), 'Done.'],
      client: (stage) => ({ advisors: [...others, retrying(stage)] }),
      tools: ({ log }) => [step(log)],
      during: ({ clock }) => clock.advance(10_000),
      check({ result, log, prompts }) {
        expect(result.status).toBe('done')
        expect(log).toEqual([1])
        expect(result.rounds).toHaveLength(2)
        expect(prompts.map(({ messages }) => messages.length)).toEqual([1, 1, 1, 3, 3])
      },
    })

    scenario('outside the loop it asks again while nothing has happened', {
      script: [busy(), CALL, 'Done.'],
      client: (stage) => ({ advisors: [...others, retrying(stage, { order: 10 })] }),
      tools: ({ log }) => [step(log)],
      during: ({ clock }) => clock.advance(10_000),
      check({ result, log }) {
        expect(result.status).toBe('done')
        expect(log).toEqual([1])
      },
    })

    scenario('outside the loop it never repeats a run whose tools have run', {
      script: [CALL, busy()],
      client: (stage) => ({ advisors: [...others, retrying(stage, { order: 10 })] }),
      tools: ({ log }) => [step(log)],
      during: ({ clock }) => clock.advance(10_000),
      check({ error, log, prompts }) {
        expect(error).toMatchObject({ code: 'provider-unavailable' })
        expect(log).toEqual([1])
        expect(prompts).toHaveLength(2)
      },
    })

    scenario('outside the loop it never repeats a resumed run', {
      script: [{ toolCalls: [{ name: 'pay' }] }, busy()],
      client: (stage) => ({ advisors: [...others, retrying(stage, { order: 10 })] }),
      tools: ({ log }) => [tool({ name: 'pay', approval: true, execute: () => log.push('paid') })],
      resume: [() => ({ call_1: 'approve' })],
      during: ({ clock }) => clock.advance(10_000),
      check({ error, log }) {
        expect(error).toMatchObject({ code: 'provider-unavailable' })
        expect(log).toEqual(['paid'])
      },
    })

    scenario('a notice does not count as shown', {
      script: [busy(), 'Done.'],
      client: (stage) => ({ advisors: [...others, retrying(stage, { order: 10 }), noticing] }),
      during: ({ clock }) => clock.advance(10_000),
      check({ result, events }) {
        expect(result.status).toBe('done')
        expect(events.filter(({ type }) => type === 'notice')).toHaveLength(2)
      },
    })

    it('a stream that broke after its first word is not begun again', async () => {
      const clock = manualClock()
      const broken = { chunks: ['Well, '], ...busy() }
      const model = scriptedModel([broken, 'Never.'])
      const client = ChatClient.create(model, { advisors: [...others, retrying({ clock })] })
      const seen: string[] = []
      const reading = (async () => {
        for await (const piece of client.prompt('Go').stream().content()) seen.push(piece)
      })()
      await expect(reading).rejects.toMatchObject({ code: 'provider-unavailable' })
      expect(seen).toEqual(['Well, '])
      expect(model.prompts).toHaveLength(1)
    })

    scenario('gives up after its attempts, with the last error', {
      script: [busy(), busy(), busy(77)],
      client: (stage) => ({ advisors: [...others, retrying(stage)] }),
      during: ({ clock }) => clock.advance(10_000),
      check({ error, prompts }) {
        expect(error).toMatchObject({ retryAfterMs: 77 })
        expect(prompts).toHaveLength(3)
      },
    })
  })
}

describe('retryAdvisor', () => {
  scenario('leaves a resumed run alone that failed before its tool could start', {
    script: [{ toolCalls: [{ name: 'pay' }] }],
    client: (stage) => ({
      advisors: [retrying(stage, { order: 10, retryIf: () => true })],
      durability: {
        async step(key, run) {
          if (key.includes('/tool/call_1/')) throw new RangeError('the journal is gone')
          return run()
        },
      },
    }),
    tools: () => [tool({ name: 'pay', approval: true, execute: () => 'paid' })],
    resume: [() => ({ call_1: 'approve' })],
    during: ({ clock }) => clock.advance(10_000),
    check: ({ error }) => void expect(error).toEqual(new RangeError('the journal is gone')),
  })

  scenario('does not ask again when that cannot help', {
    script: [wrong],
    client: (stage) => ({ advisors: [retrying(stage)] }),
    check: ({ error, prompts }) => {
      expect(error).toMatchObject({ code: 'provider-auth' })
      expect(prompts).toHaveLength(1)
    },
  })

  scenario('retryIf decides instead', {
    script: [wrong, busy()],
    client: (stage) => ({
      advisors: [
        retrying(stage, {
          retryIf(error, attempt) {
            stage.log.push(attempt)
            return (error as { code?: string }).code === 'provider-auth'
          },
        }),
      ],
    }),
    during: ({ clock }) => clock.advance(10_000),
    check({ error, log }) {
      expect(error).toMatchObject({ code: 'provider-unavailable' })
      expect(log).toEqual([1, 2])
    },
  })

  it('waits longer each time, shortened by chance, or as long as the provider asks', async () => {
    const pauses: number[] = []
    const clock = manualClock()
    const noting = {
      ...clock,
      timer: (ms: number, wake: () => void) => (pauses.push(ms), clock.timer(0, wake)),
    }
    const model = scriptedModel([busy(), busy(), busy(1234), busy(60_000), 'Done.'])
    const client = ChatClient.create(model, {
      advisors: [retrying({ clock: noting as never }, { attempts: 5, delayMs: 100 })],
    })
    const asked = client.prompt('Go').call().content()
    await clock.advance(10)
    expect(await asked).toBe('Done.')
    expect(pauses).toEqual([50, 100, 1234, 400])
  })

  it('spreads its pauses by chance', async () => {
    const pauses: number[] = []
    const clock = manualClock()
    const timer = (ms: number, wake: () => void) => (pauses.push(ms), clock.timer(0, wake))
    const model = scriptedModel([busy(), busy(), 'Done.'])
    const advisors = [retryAdvisor({ clock: { ...clock, timer }, random: seededRandom(7) })]
    const asked = ChatClient.create(model, { advisors }).prompt('Go').call().content()
    await clock.advance(10)
    await asked
    expect(pauses.every((ms, index) => ms >= 0 && ms < 500 * 2 ** index)).toBe(true)
    expect(new Set(pauses).size).toBe(2)
  })

  scenario('an abort ends the waiting at once', {
    script: [busy(), 'Never.'],
    client: (stage) => ({ advisors: [retrying(stage)] }),
    request: (client, { abort }) => client.prompt('Go').signal(abort.signal),
    async during({ abort, clock }) {
      await clock.advance(1)
      abort.abort(new RangeError('enough'))
    },
    check({ error, prompts, clock }) {
      expect(error).toEqual(new RangeError('enough'))
      expect(prompts).toHaveLength(1)
      expect(clock.waiting).toBe(0)
    },
  })

  for (const mode of ['call', 'stream'] as const) {
    it(`a durable run records one answer per exchange, and replays it (${mode})`, async () => {
      const recorded = new Map<string, string>()
      const durability: Durability = {
        async step(key, run) {
          const known = recorded.get(key)
          if (known !== undefined) return JSON.parse(known)
          const result = await run()
          recorded.set(key, JSON.stringify(result))
          return result
        },
      }
      const ask = async (steps: Parameters<typeof scriptedModel>[0]) => {
        const clock = manualClock()
        const client = ChatClient.create(scriptedModel(steps), {
          durability,
          ids: countingIds(),
          advisors: [retrying({ clock })],
          tools: [step([])],
        })
        const request = client.prompt('Go')
        const asked = (mode === 'call' ? request.call() : request.stream()).result()
        let isOver = false
        void asked.finally(() => (isOver = true)).catch(() => {})
        // Hashing a call's arguments takes real time, so the second pause may begin later than the clock is looked at.
        while (!isOver) await clock.advance(10_000)
        return asked
      }
      const first = await ask([busy(), CALL, busy(), 'Done.'])
      expect([...recorded.keys()]).toEqual([
        'run_1/tool-calling/round-1/retry/again',
        'run_1/tool-calling/round-1/retry/model',
        'run_1/tool-calling/round-1/tool/call_1',
        'run_1/tool-calling/round-2/retry/again',
        'run_1/tool-calling/round-2/retry/model',
      ])
      expect(await ask([])).toEqual(first)
    })

    it(`a replay decides as the run did, though it sees other errors and no events (${mode})`, async () => {
      const cutOff: ChatModel = {
        ...scriptedModel([busy()]),
        async *stream() {
          yield { type: 'text-delta', text: 'Half' }
          throw busy().error
        },
      }
      const ends: Record<string, readonly [ChatModel, RetryAdvisorOptions?]> = {
        retried: [scriptedModel([busy(), 'Done.'])],
        failed: [scriptedModel([wrong])],
        'cut off': [cutOff, { retryIf: () => true, attempts: 2 }],
      }
      for (const [end, [model, options]] of Object.entries(ends)) {
        const journal: Recorded[] = []
        const ask = async (asked: ChatModel): Promise<string> => {
          const clock = manualClock()
          const client = ChatClient.create(asked, {
            durability: journaled(journal),
            ids: countingIds(),
            advisors: [retrying({ clock }, options)],
          })
          const request = client.prompt('Go')
          const run = mode === 'call' ? request.call() : request.stream()
          const ending = run.result().then(
            ({ status }) => status as string,
            ({ message }: Error) => message,
          )
          await clock.advance(10_000)
          return ending
        }
        const first = await ask(model)
        const { length } = journal
        expect(await ask(scriptedModel([])), end).toBe(first)
        expect(journal, end).toHaveLength(length)
      }
    })
  }

  for (const [where, order, script, roles] of [
    ['outside the loop', ORDER.memory, [busy(), 'Done.'], ['user', 'assistant']],
    [
      'inside the loop',
      500,
      [busy(), CALL, busy(), 'Done.'],
      ['user', 'assistant', 'tool', 'assistant'],
    ],
  ] as const)
    it(`a memory ${where} and further in stores nothing twice, and the model is told nothing twice`, async () => {
      const clock = manualClock()
      const memory = messageWindowMemory()
      await memory.add('c', [{ role: 'user', content: 'Go' }])
      const model = scriptedModel(script)
      const client = ChatClient.create(model, {
        advisors: [retrying({ clock }, { order: order - 1 }), chatMemoryAdvisor(memory, { order })],
        tools: [step([])],
      })
      const asked = client.prompt('Go').conversation('c').call().content()
      await clock.advance(10_000)
      await asked
      expect((await memory.get('c')).map(({ role }) => role)).toEqual(['user', ...roles])
      expect(model.prompts[1]!.messages).toEqual(model.prompts[0]!.messages)
      expect(model.prompts.at(-1)!.messages.length).toBe(roles.length)
    })

  it('an observer is told of every try', async () => {
    const observer = recordingObserver()
    const clock = manualClock()
    const client = ChatClient.create(scriptedModel([busy(), 'Done.']), {
      observer,
      advisors: [retrying({ clock })],
    })
    const asked = client.prompt('Go').call().content()
    await clock.advance(10_000)
    await asked
    expect(observer.outline()).toEqual([
      'client scripted',
      '  advisor tool-calling',
      '    round 1',
      '      advisor retry',
      '        model scripted !',
      '        model scripted',
    ])
    const retry = observer.observations[0]!.children[0]!.children[0]!.children[0]!
    expect(retry.events).toMatchObject([{ code: 'retry', data: { attempt: 1 } }])
  })

  it('an incomplete stream that showed nothing is asked for again', async () => {
    const clock = manualClock()
    const incomplete = new ModelResponseError('incomplete-stream', 'Cut.', { retryable: true })
    const client = ChatClient.create(scriptedModel([{ error: incomplete }, 'Whole.']), {
      advisors: [retrying({ clock })],
    })
    const asked = client.prompt('Go').stream().chatResponse()
    await clock.advance(10_000)
    expect((await asked).results[0]!.message.content).toBe('Whole.')
  })

  it('refuses options that make no sense', () => {
    for (const options of [{ attempts: 0 }, { attempts: 1.5 }, { delayMs: -1 }, { tries: 3 }])
      expect(() => retryAdvisor(options as never)).toThrow(/attempts/)
  })
})
