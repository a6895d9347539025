/** Tools that call tools in a durable run: which steps there are, and that every replay starts them in the same order. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  clientTool,
  DurabilityError,
  tool,
  toolRunOf,
  type ChatClientOptions,
  type ChatEvent,
  type Durability,
  type Prompt,
  type RunResult,
  type ToolCallback,
} from 'toolwright'
import { scriptedModel, seededRandom, type ScriptedAnswer } from 'toolwright/testing'
import { Ledger, Life } from '../durable-life.ts'
import { asks, fanOut } from './program.ts'

const ids = {
  next: (prefix: string) => (prefix === 'run' ? 'run_1' : `${prefix}_${Math.random()}`),
}

/** Answers by what it is sent, so that it can be met at any point of the run. */
const answering = (first: ScriptedAnswer) => {
  const answer = ({ messages }: Prompt): ScriptedAnswer =>
    messages.at(-1)!.role === 'tool' ? { text: 'Done.' } : first
  return scriptedModel([answer, answer, answer, answer])
}

interface Told {
  readonly result: RunResult
  readonly events: readonly ChatEvent[]
}

async function ask(
  first: ScriptedAnswer,
  options: ChatClientOptions & { readonly durability: Durability },
): Promise<Told> {
  const client = ChatClient.create(answering(first), { ids, ...options })
  const run = client.prompt('Go').call()
  const events: ChatEvent[] = []
  for await (const event of run) events.push(event)
  return { result: await run.result(), events }
}

const named = (keys: readonly string[]): readonly string[] =>
  keys.flatMap((key) => /round-1\/(.*)$/.exec(key)?.[1] ?? [])

const working = (life: Life): readonly ToolCallback[] => [
  tool({ name: 'work', execute: (_input, { callId }) => life.effectOf(callId, { did: callId }) }),
  tool({
    name: 'fail',
    timeoutMs: 'unlimited',
    execute: () => life.pause().then(() => Promise.reject(new Error('No.'))),
  }),
  tool({ name: 'none', execute: () => life.pause() }),
  tool({
    name: 'long',
    execute: async () => (await life.pause(), 'x'.repeat(5000)),
  }),
]

const CALLS = asks('work', 'fail', 'none', 'long', 'nobody', 'work')

describe('a tool that calls tools in a durable run', () => {
  it('is no step; its calls are, what each is permitted too, and so is what it records itself', async () => {
    const life = new Life()
    const program = tool({
      name: 'program',
      composite: { tools: working(life) },
      async execute(_input, context) {
        const run = toolRunOf(context)
        const made = [0, 1].map((index) => run.call({ index, name: 'work', arguments: {} }))
        const at = await run.step('clock', async () => 7)
        await Promise.all(made)
        return [run.isDurable, at]
      },
    })
    const { result } = await ask(
      { toolCalls: [{ name: 'program', id: 'p' }] },
      { durability: life, tools: [program], policy: () => 'allow' },
    )
    expect(named(life.keys)).toEqual([
      'model',
      'permit/p',
      'permit/p/0',
      'tool/p/0',
      'permit/p/1',
      'tool/p/1',
      'inside-call/p/clock',
    ])
    expect(JSON.stringify(result.messages)).toContain('[true,7]')
  })

  it('starts its steps in the same order at every replay, and gets the same outcomes', async () => {
    for (let seed = 0; seed < 10; seed++) {
      const ledger = new Ledger()
      const told = (life: Life): Promise<Told> =>
        ask(
          { toolCalls: [...CALLS.toolCalls, { name: 'work', id: 'w' }, { ...CALLS.toolCalls[0], id: 'q' }] }, // prettier-ignore
          {
            durability: life,
            tools: [fanOut(working(life)), ...working(life)],
            limits: { parallel: 2, resultBytes: 500 },
            policy: async () => (await life.pause(), 'allow' as const),
          },
        )
      const first = new Life(ledger, { random: seededRandom(seed) })
      const before = await told(first)
      const replay = new Life(ledger, { random: seededRandom(seed + 100) })
      const after = await told(replay)
      expect(replay.keys).toEqual(first.keys)
      expect(replay.ran).toEqual([])
      expect(after.result).toEqual(before.result)
      const outcome = (events: readonly ChatEvent[]): unknown =>
        events.flatMap((event) =>
          event.type === 'tool-result' && event.toolCall.id === 'p' ? [event.value] : [],
        )
      expect(outcome(after.events)).toEqual(outcome(before.events))
      expect(outcome(before.events)).toEqual([
        [
          { did: 'p/0' },
          'failed: No.',
          'nothing',
          'x'.repeat(5000),
          expect.stringContaining('unknown-tool: '),
          { did: 'p/5' },
        ],
      ])
      expect([...ledger.effects.values()]).toEqual(Array.from({ length: 5 }, () => 1))
    }
  })

  it('also where the calls that it makes are of such tools', async () => {
    for (let seed = 0; seed < 10; seed++) {
      const ledger = new Ledger()
      const expertOf = (life: Life): ToolCallback => {
        const model = answering({ toolCalls: ['work', 'work'].map((name) => ({ name, id: `${name}_${Math.random()}` })) }) // prettier-ignore
        const inner = ChatClient.create(model, { tools: [...working(life)] })
        return clientTool(inner, { name: 'expert', description: 'Knows' }) as ToolCallback
      }
      const told = (life: Life): Promise<Told> => {
        const inside = fanOut(working(life), 'inside')
        const makes = (...names: readonly string[]) => ({ name: 'inside', input: { calls: names.map((name) => ({ name })) } }) // prettier-ignore
        const consults = { name: 'expert', input: { prompt: 'Go' } }
        return ask(
          asks('work', makes('work', 'none', 'work'), 'long', makes('work', 'long'), consults, consults, 'work'), // prettier-ignore
          {
            durability: life,
            tools: [fanOut([inside, expertOf(life), ...working(life)])],
            limits: { parallel: 2 },
            policy: async () => (await life.pause(), 'allow' as const),
          },
        )
      }
      const first = new Life(ledger, { random: seededRandom(seed) })
      const before = await told(first)
      const replay = new Life(ledger, { random: seededRandom(seed + 100) })
      const after = await told(replay)
      expect(replay.keys).toEqual(first.keys)
      expect(replay.ran).toEqual([])
      expect(after.result).toEqual(before.result)
    }
  })

  it('cannot catch that the engine failed: no model is told of it as of a failed tool', async () => {
    const broken = new DurabilityError('replay-mismatch', 'The records are of another run.')
    for (const at of [/tool\/p\/0$/, /inside-call\/p\/own$/]) {
      const durability: Durability = {
        step: async (key, run) => {
          if (at.test(key)) throw broken
          return run()
        },
      }
      const program = tool({
        name: 'program',
        composite: { tools: working(new Life()) },
        async execute(_input, context) {
          const run = toolRunOf(context)
          await run.call({ index: 0, name: 'work', arguments: {} }).catch(() => {})
          await run.step('own', async () => 1).catch(() => {})
          return 'all is well'
        },
      })
      const asked = ask({ toolCalls: [{ name: 'program', id: 'p' }] }, { durability, tools: [program] }) // prettier-ignore
      await expect(asked).rejects.toBe(broken)
    }
  })
})

describe('a client as a tool in a durable run', () => {
  const expertOf = (keys: string[], options: ChatClientOptions = {}): ToolCallback => {
    const work = tool({ name: 'work', effect: 'keyed', execute: (_input, { idempotencyKey }) => void keys.push(idempotencyKey) }) // prettier-ignore
    const inner = ChatClient.create(answering({ toolCalls: [{ name: 'work', id: 'i' }] }), {
      tools: [work],
      ...options,
    })
    return clientTool(inner, { name: 'expert', description: 'Knows' }) as ToolCallback
  }
  const ASK = { toolCalls: [{ name: 'expert', id: 'e', arguments: { prompt: 'Go' } }] }

  it('is no step; the steps of its run are steps of the outer one', async () => {
    const life = new Life()
    await ask(ASK, { durability: life, tools: [expertOf([])] })
    const inner = /inside-call\/e\/(run_[^/]+)\//.exec(life.keys.join('\n'))![1]!
    expect(named(life.keys).map((key) => key.replace(`inside-call/e/${inner}/tool-calling/`, '… '))).toEqual([
      'model', 'inside-call/e/run', '… round-1/model', '… round-1/tool/i', '… round-2/model',
    ]) // prettier-ignore
  })

  it('has its steps there too if its client is durable itself', async () => {
    const own = new Life()
    const life = new Life()
    await ask(ASK, { durability: life, tools: [expertOf([], { durability: own })] })
    expect(own.keys).toEqual([])
    expect(life.keys).toHaveLength(6)
  })

  it('has the same name in every life, so that keys of effects stay the same', async () => {
    const ledger = new Ledger()
    const keys: string[] = []
    const died = new Life(ledger, { death: { step: 4, moment: 'done' } })
    await expect(ask(ASK, { durability: died, tools: [expertOf(keys)] })).rejects.toThrow('died')
    await ask(ASK, { durability: new Life(ledger), tools: [expertOf(keys)] })
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('asks the outer run what became of a call of its own that was cut off', async () => {
    const ledger = new Ledger()
    const inner = ChatClient.create(answering({ toolCalls: [{ name: 'pay', id: 'i' }] }), {
      tools: [tool({ name: 'pay', execute: () => 'paid' })],
      stateSecret: 'a secret of all workers',
    })
    const expert = clientTool(inner, { name: 'expert', description: 'Knows' }) as ToolCallback
    const options = { tools: [expert], stateSecret: 'a secret of all workers' }
    const died = new Life(ledger, { death: { step: 4, moment: 'done' } })
    await expect(ask(ASK, { durability: died, ...options })).rejects.toThrow('died')
    const { result } = await ask(ASK, { durability: new Life(ledger), ...options })
    expect(result.pending).toMatchObject([
      { callId: 'e', kind: 'question', question: { pending: [{ callId: 'i', kind: 'unknown-outcome' }] } }, // prettier-ignore
    ])
    const client = ChatClient.create(scriptedModel(['Done.']), { durability: new Life(ledger), ...options }) // prettier-ignore
    const ended = await client
      .resume(result.state!, { e: { answer: { i: { result: 'paid by hand' } } } })
      .call()
      .result()
    expect(ended.status).toBe('done')
  })

  it('is one step if it is timed, tried again, cached or undone as a whole', async () => {
    const inner = ChatClient.create(scriptedModel(Array.from({ length: 4 }, () => 'Yes.')))
    for (const whole of [
      { timeoutMs: 1000 },
      { retry: { attempts: 2 }, effect: 'idempotent' },
      { cache: { ttlMs: 1000 } },
      { undo: () => {} },
    ] as const) {
      const life = new Life()
      const expert = clientTool(inner, { name: 'expert', description: 'Knows', ...whole })
      await ask(ASK, { durability: life, tools: [expert as ToolCallback] })
      expect(named(life.keys)).toEqual(['model', 'tool/e'])
    }
  })

  it('brings what its run has read into the outer one', async () => {
    const secret = tool({ name: 'work', labels: { reads: 'private' }, execute: () => 's' })
    const { result } = await ask(ASK, {
      durability: new Life(),
      tools: [expertOf([], { tools: [secret] })],
    })
    const message = result.messages.find(({ role }) => role === 'tool')
    expect(message).toMatchObject({ responses: [{ label: { private: true, source: 'expert' } }] })
  })
})
