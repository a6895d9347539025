/** The calls of a durable run are steps: what they record, in which order they are taken, and what nobody knows. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  clientTool,
  DurabilityError,
  textOf,
  tool,
  type Advisor,
  type ChatClientOptions,
  type ChatEvent,
  type Decisions,
  type ChatModel,
  type Durability,
  type Ids,
  type PendingCall,
  type Prompt,
  type RunResult,
  type ToolCallback,
} from 'toolwright'
import {
  scriptedModel,
  seededRandom,
  type ScriptedAnswer,
  type ScriptedCall,
} from 'toolwright/testing'
import { Ledger, Life } from './durable-life.ts'

const MODES = ['call', 'stream'] as const
type Mode = (typeof MODES)[number]

interface Asked {
  readonly mode: Mode
  readonly calls: readonly ScriptedCall[]
  readonly tools: readonly ToolCallback[]
  readonly durability: Durability
  readonly options?: ChatClientOptions
  readonly decisions?: ((pending: readonly PendingCall[]) => Decisions) | undefined
}

interface Told {
  readonly result: RunResult
  readonly events: readonly ChatEvent[]
}

/** Answers by what it is sent, so that it can be met at any point of the run. */
const modelOf = (calls: readonly ScriptedCall[]): ChatModel => {
  const answer = ({ messages }: Prompt): ScriptedAnswer =>
    messages.at(-1)!.role === 'tool' ? { text: 'Done.' } : { toolCalls: calls }
  return scriptedModel([answer, answer, answer])
}

/** Only the run's own name is known again in another life. */
const idsOf = (): Ids => ({
  next: (prefix) => (prefix === 'run' ? 'run_1' : `${prefix}_${Math.random()}`),
})

/** Asks for the calls, decides what waits for a decision if there is somebody to decide, and ends. */
async function ask({ mode, calls, tools, durability, options, decisions }: Asked): Promise<Told> {
  const client = ChatClient.create(modelOf(calls), {
    tools,
    durability,
    ids: idsOf(),
    stateSecret: 'a secret of all workers',
    ...options,
  })
  const events: ChatEvent[] = []
  const resultOf = async (request: ReturnType<typeof client.prompt>): Promise<RunResult> => {
    const run = mode === 'call' ? request.call() : request.stream()
    for await (const event of run) events.push(event)
    return run.result()
  }
  const first = await resultOf(client.prompt('Go'))
  if (!first.state || !decisions) return { result: first, events }
  return { result: await resultOf(client.resume(first.state, decisions(first.pending!))), events }
}

const responsesIn = ({ messages }: RunResult): readonly unknown[] =>
  messages.flatMap((message) => (message.role === 'tool' ? message.responses : []))

const toolKeys = ({ keys }: Life): readonly string[] =>
  keys.flatMap((key) => /\/((?:tool|permit|order)\/.*)$/.exec(key)?.[1] ?? [])

const CALL = { name: 'pay', id: 'p', arguments: { amount: '5' } }
const amount = { type: 'object', properties: { amount: { type: 'number' } } } as const
const pay = (execute: () => unknown = () => 'paid'): ToolCallback =>
  tool({ name: 'pay', input: amount, execute }) as ToolCallback

for (const mode of MODES) {
  describe(`a tool step (${mode})`, () => {
    it('says which call it runs, with its checked input and its effect', async () => {
      const life = new Life()
      const tools = [
        pay(),
        tool({ name: 'look', hints: { readOnly: true }, execute: () => 'seen' }),
        tool({ name: 'note', effect: 'keyed', execute: () => 'noted' }),
      ]
      await ask({ mode, durability: life, tools, calls: [CALL, { name: 'look', id: 'l' }, { name: 'note', id: 'n' }] }) // prettier-ignore
      const isUndoable = false
      expect(life.tools).toEqual([
        { callId: 'p', toolName: 'pay', effect: 'once', input: { amount: 5 }, isUndoable },
        { callId: 'l', toolName: 'look', effect: 'read', input: {}, isUndoable },
        { callId: 'n', toolName: 'note', effect: 'keyed', input: {}, isUndoable },
      ])
      expect(toolKeys(life)).toEqual(['tool/p', 'tool/l', 'tool/n', 'order/p'])
    })

    it('records what a tool returned that can undo it', async () => {
      const life = new Life()
      const made = pay(() => ({ receipt: 7, at: new Date(0) }))
      const undo = () => undefined
      const undoable = { ...made, metadata: { ...made.metadata, undo } } as ToolCallback
      await ask({ mode, durability: life, tools: [undoable], calls: [CALL] })
      expect(life.tools).toMatchObject([{ isUndoable: true }])
      const [record] = [...life.ledger.records].filter(([key]) => key.includes('/tool/'))
      expect(JSON.parse(record![1])).toMatchObject({
        value: { receipt: 7, at: '1970-01-01T00:00:00.000Z' },
      })
    })

    it('records what the model is told, cut; a direct result is whole', async () => {
      const life = new Life()
      const long = 'x'.repeat(5000)
      const direct = tool({ name: 'direct', returnDirect: true, execute: () => long })
      const asked = {
        mode,
        durability: life,
        options: { limits: { resultBytes: 500 } },
        tools: [pay(() => long), direct],
        calls: [CALL, { name: 'direct', id: 'd' }],
      }
      const { result } = await ask(asked)
      const sizes = [...life.ledger.records].flatMap(([key, record]) =>
        key.includes('/tool/') ? [record.length] : [],
      )
      expect(sizes[0]).toBeLessThan(700)
      expect(sizes[1]).toBeGreaterThan(5000)
      const again = await ask({ ...asked, durability: new Life(life.ledger) })
      expect(again.result).toEqual(result)
    })

    it('fails at a replay that comes to another call under its key', async () => {
      const life = new Life()
      await ask({ mode, durability: life, tools: [pay()], calls: [CALL] })
      // The record of the model's answer is gone, and the model answers otherwise now.
      const lost = (): Life => {
        const ledger = new Ledger()
        for (const [key, record] of life.ledger.records)
          if (key.includes('/tool/')) ledger.records.set(key, record)
        return new Life(ledger)
      }
      const other = { ...CALL, arguments: { amount: 6 } }
      const run = ask({ mode, durability: lost(), tools: [pay()], calls: [other] })
      await expect(run).rejects.toMatchObject({
        code: 'replay-mismatch',
        message: expect.stringMatching(/"p" of tool "pay".*other arguments/) as string,
      })
      const give = tool({ name: 'give', execute: () => 'given' })
      await expect(
        ask({ mode, durability: lost(), tools: [give], calls: [{ name: 'give', id: 'p' }] }),
      ).rejects.toMatchObject({ code: 'replay-mismatch', message: expect.stringMatching(/is of tool "pay"/) as string }) // prettier-ignore
    })

    it('takes equal arguments for equal, however they are written', async () => {
      const life = new Life()
      const both = { type: 'object', properties: { a: amount, b: amount } } as const
      const tools = [tool({ name: 'both', input: both, execute: () => 'ok' })]
      const called = (rawArguments: string) => [{ name: 'both', id: 'p', rawArguments }]
      await ask({ mode, durability: life, tools, calls: called('{"a":{},"b":{}}') })
      life.ledger.records.delete('run_1/tool-calling/round-1/model')
      const next = new Life(life.ledger)
      const { result } = await ask({ mode, durability: next, tools, calls: called('{"b":{}, "a":{}}') }) // prettier-ignore
      expect(result.status).toBe('done')
      expect(next.ran).toEqual(['run_1/tool-calling/round-1/model'])
    })

    it('records a question: a replay asks it without running the tool, and the answer is a step of its own', async () => {
      const ledger = new Ledger()
      let ran = 0
      const curious = tool({
        name: 'pay',
        execute(_input, { suspend }) {
          ran += 1
          return `they said ${String(suspend({ sure: true, time: ran }))}`
        },
      })
      const asked = { mode, tools: [curious], calls: [{ name: 'pay', id: 'p' }] }
      const first = await ask({ ...asked, durability: new Life(ledger) })
      const second = await ask({ ...asked, durability: new Life(ledger) })
      expect(second.result.state).toEqual(first.result.state)
      expect(ran).toBe(1)
      const life = new Life(ledger)
      const { result } = await ask({
        ...asked,
        durability: life,
        decisions: () => ({ p: { answer: 'yes' } }),
      })
      expect(responsesIn(result)).toMatchObject([{ content: 'they said yes' }])
      expect(toolKeys(life)).toEqual(['tool/p', `tool/p/${first.result.state!.id}`])
    })
  })

  describe(`calls side by side (${mode})`, () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const calls = names.map((id) => ({ name: 'work', id }))

    it('start in call order; only as many work at a time as may', async () => {
      let open = 0
      let most = 0
      const life = new Life()
      const work = tool({
        name: 'work',
        async execute() {
          most = Math.max(most, ++open)
          await new Promise((resolve) => setImmediate(resolve))
          open -= 1
          return 'ok'
        },
      })
      const started: string[] = []
      const durability: Durability = {
        step(key, run, step) {
          if (step) started.push(`${step.callId} while ${open} work`)
          return life.step(key, run, step)
        },
      }
      await ask({ mode, durability, tools: [work], calls, options: { limits: { parallel: 2 } } })
      expect(started).toEqual(names.map((id) => `${id} while 0 work`))
      expect(most).toBe(2)
    })

    it('are told in the recorded order at a replay, whatever record comes first', async () => {
      for (let seed = 0; seed < 20; seed++) {
        const ledger = new Ledger()
        const told = async (life: Life): Promise<readonly string[]> => {
          const work = tool({ name: 'work', execute: (_input, { callId }) => life.effectOf(callId, 'ok') }) // prettier-ignore
          const { events } = await ask({ mode, durability: life, tools: [work], calls })
          return events.flatMap((event) => (event.type === 'tool-result' ? event.toolCall.id : []))
        }
        const first = await told(new Life(ledger, { random: seededRandom(seed) }))
        const replay = new Life(ledger, { random: seededRandom(seed + 100) })
        expect(await told(replay)).toEqual(first)
        expect(replay.ran).toEqual([])
        expect([...first].sort()).toEqual(names)
      }
    })

    it('are told as they end, while others still run', async () => {
      const life = new Life()
      let finish = (): void => {}
      const slow = tool({ name: 'slow', execute: () => new Promise((resolve) => (finish = () => resolve('slow'))) }) // prettier-ignore
      const quick = tool({ name: 'quick', execute: () => 'quick' })
      const client = ChatClient.create(
        scriptedModel([{ toolCalls: [{ name: 'slow' }, { name: 'quick' }] }, 'Done.']),
        { durability: life, tools: [slow, quick] },
      )
      const request = client.prompt('Go')
      const run = mode === 'call' ? request.call() : request.stream()
      const told: string[] = []
      for await (const event of run)
        if (event.type === 'tool-result') {
          told.push(event.toolCall.name)
          finish()
        }
      expect(told).toEqual(['quick', 'slow'])
    })

    it('keep the results that were recorded when another ended the run', async () => {
      const ledger = new Ledger()
      const ran: string[] = []
      let isBroken = true
      const work = tool({
        name: 'work',
        execute(_input, { callId }) {
          ran.push(callId)
          if (callId === 'a' && isBroken) throw new TypeError('broken')
          return `did ${callId}`
        },
      })
      const asked = { mode, tools: [work], calls, options: { rethrow: [TypeError] } }
      await expect(ask({ ...asked, durability: new Life(ledger) })).rejects.toThrow('broken')
      expect(ran).toEqual(names)
      isBroken = false
      ledger.begun.clear()
      const { result } = await ask({ ...asked, durability: new Life(ledger) })
      expect(ran).toEqual([...names, 'a'])
      expect(responsesIn(result)).toMatchObject(names.map((id) => ({ content: `did ${id}` })))
    })

    it('fail if the recorded order is of other calls', async () => {
      const life = new Life()
      const work = tool({ name: 'work', execute: () => 'ok' })
      await ask({ mode, durability: life, tools: [work], calls })
      life.ledger.records.set('run_1/tool-calling/round-1/order/a', '["x","a"]')
      await expect(
        ask({ mode, durability: new Life(life.ledger), tools: [work], calls }),
      ).rejects.toMatchObject({ code: 'replay-mismatch' })
    })
  })

  describe(`permission (${mode})`, () => {
    it('is asked once: policy, approval rule and preview are not asked again at a replay', async () => {
      const ledger = new Ledger()
      const asked: string[] = []
      const careful = tool({
        name: 'pay',
        input: amount,
        approval: () => (asked.push('approval'), true),
        preview: () => (asked.push('preview'), { shows: 'this' }),
        execute: () => 'paid',
      })
      const policy: ChatClientOptions['policy'] = ({ toolName }) => {
        asked.push(`policy ${toolName}`)
        return toolName === 'look' ? { deny: 'no looking' } : 'allow'
      }
      const look = tool({ name: 'look', execute: () => 'seen' })
      const once = async (): Promise<Told & { readonly life: Life }> => {
        const life = new Life(ledger)
        const calls = [CALL, { name: 'look', id: 'l' }]
        const told = await ask({ mode, durability: life, tools: [careful, look], calls, options: { policy } }) // prettier-ignore
        return { ...told, life }
      }
      const first = await once()
      const whole = ['policy pay', 'approval', 'preview', 'policy look']
      expect(asked).toEqual(whole)
      const second = await once()
      expect(asked).toEqual(whole)
      expect(second.result).toEqual(first.result)
      expect(second.result.pending).toMatchObject([
        { callId: 'p', kind: 'approval', preview: { shows: 'this' } },
      ])
      expect(toolKeys(second.life)).toEqual(['permit/p', 'permit/l'])
    })

    it('of an edit belongs to that edit: another one is put to the policy again', async () => {
      const ledger = new Ledger()
      const seen: unknown[] = []
      const policy: ChatClientOptions['policy'] = ({ input }) => {
        seen.push(input)
        return (input as { readonly amount: number }).amount > 100 ? 'deny' : 'allow'
      }
      const careful = tool({ name: 'pay', input: amount, approval: true, execute: ({ amount: paid }) => `paid ${paid}` }) // prettier-ignore
      const edited = (to: number): Promise<Told> =>
        ask({
          mode,
          durability: new Life(ledger),
          tools: [careful],
          calls: [CALL],
          options: { policy },
          decisions: () => ({ p: { edit: { amount: to } } }),
        })
      await expect(edited(500)).rejects.toMatchObject({ code: 'decision-invalid-edit' })
      const { result } = await edited(50)
      expect(responsesIn(result)).toMatchObject([{ content: expect.stringMatching(/^paid 50\n/) as string }]) // prettier-ignore
      await edited(50)
      expect(seen).toEqual([{ amount: 5 }, { amount: 500 }, { amount: 50 }])
    })

    it('that was asked in a run that was aborted is not recorded as a refusal', async () => {
      const ledger = new Ledger()
      const abort = new AbortController()
      let isFirst = true
      const policy: ChatClientOptions['policy'] = () => {
        if (!isFirst) return 'allow'
        isFirst = false
        abort.abort(new Error('The worker stops.'))
        return new Promise(() => {})
      }
      const client = (): ChatClient =>
        ChatClient.create(modelOf([CALL]), {
          durability: new Life(ledger),
          policy,
          tools: [pay()],
          ids: idsOf(),
        })
      const stopped = client().prompt('Go').signal(abort.signal)
      await expect((mode === 'call' ? stopped.call() : stopped.stream()).result()).rejects.toThrow()
      const next = client().prompt('Go')
      const result = await (mode === 'call' ? next.call() : next.stream()).result()
      expect(responsesIn(result)).toMatchObject([{ content: 'paid' }])
    })
  })

  it(`rounds after a resume are no rounds of what an advisor asked before (${mode})`, async () => {
    const free = tool({ name: 'free', execute: () => 'free' })
    const careful = tool({ name: 'pay', approval: true, execute: () => 'paid' })
    const twice: Advisor = {
      name: 'twice',
      order: 250,
      async advise(request, next) {
        if (request.phase === 'start') await next(request)
        return next(request)
      },
    }
    const answers = [{ toolCalls: [{ name: 'free' }] }, 'First.', { toolCalls: [{ name: 'pay', id: 'p' }] }, 'Second.'] // prettier-ignore
    const client = ChatClient.create(scriptedModel(answers), {
      advisors: [twice],
      durability: new Life(),
      tools: [free, careful],
    })
    const resultOf = (request: ReturnType<typeof client.prompt>): Promise<RunResult> =>
      (mode === 'call' ? request.call() : request.stream()).result()
    const { state } = await resultOf(client.prompt('Go'))
    const { response } = await resultOf(client.resume(state!, { p: 'approve' }))
    expect(textOf(response)).toBe('Second.')
  })

  describe(`a call whose outcome nobody knows (${mode})`, () => {
    /** A life that died while the tool ran, and the one after it. */
    const cutOff = async (
      asked: Omit<Asked, 'mode' | 'durability'>,
      onUnknownOutcome?: Durability['onUnknownOutcome'],
    ) => {
      const ledger = new Ledger()
      const dying = new Life(ledger)
      const last = asked.decisions ? /\/tool\/p\/state_[^/]+$/ : /\/tool\/p$/
      const durability: Durability = {
        async step(key, run, step) {
          const result = await dying.step(key, run, step)
          if (!last.test(key)) return result
          ledger.records.delete(key)
          throw new Error('The process died.')
        },
      }
      await expect(ask({ mode, durability, ...asked })).rejects.toThrow('The process died.')
      return new Life(ledger, { onUnknownOutcome })
    }

    let paid = 0
    const counted = pay(() => `paid ${++paid}`)
    const look = tool({ name: 'look', effect: 'read', execute: () => 'seen' }) as ToolCallback
    const asked = { tools: [counted, look], calls: [CALL, { name: 'look', id: 'l' }] }

    it('waits for a decision, with what is known about it', async () => {
      const life = await cutOff(asked)
      const { result } = await ask({ mode, durability: life, ...asked })
      expect(result.pending).toEqual([
        {
          callId: 'p',
          toolName: 'pay',
          input: { amount: 5 },
          kind: 'unknown-outcome',
          reason:
            'The run was cut off while the tool ran, and nobody knows whether it had its effect.',
        },
      ])
      expect(result.state!.answered).toMatchObject([{ id: 'l', content: 'seen' }])
    })

    it('takes a result, a retry or a refusal', async () => {
      const decided = async (decision: Decisions[string]): Promise<unknown> => {
        paid = 0
        const life = await cutOff(asked)
        const decisions = () => ({ p: decision })
        const { result } = await ask({ mode, durability: life, ...asked, decisions })
        expect(result.status).toBe('done')
        return [responsesIn(result)[0], paid]
      }
      expect(await decided({ result: 'paid by hand' })).toMatchObject([{ content: 'paid by hand' }, 1]) // prettier-ignore
      expect(await decided('retry')).toMatchObject([{ content: 'paid 2' }, 2])
      expect(await decided({ deny: 'Ask the bank.' })).toMatchObject([
        {
          content: 'Nobody knows whether this call had its effect. It is not tried again. Ask the bank.', // prettier-ignore
          isError: true,
        },
        1,
      ])
    })

    it('runs again without asking for approval again, and the model still reads what was changed', async () => {
      const careful = tool({ name: 'pay', input: amount, approval: true, execute: ({ amount: sum }) => `paid ${sum}` }) // prettier-ignore
      const approved = {
        tools: [careful as ToolCallback],
        calls: [CALL],
        decisions: () => ({ p: { edit: { amount: 7 } } }),
      }
      const life = await cutOff(approved)
      const { result } = await ask({ mode, durability: life, ...approved })
      expect(result.pending).toMatchObject([{ kind: 'unknown-outcome', input: { amount: 7 } }])
      const client = ChatClient.create(scriptedModel(['Done.']), {
        tools: [careful],
        durability: life,
        stateSecret: 'a secret of all workers',
      })
      const request = client.resume(result.state!, { p: 'retry' })
      const ended = await (mode === 'call' ? request.call() : request.stream()).result()
      expect(responsesIn(ended)).toMatchObject([
        { content: 'paid 7\n\nThe arguments were changed before it ran: {"amount":7}' },
      ])
    })

    it('ends the run if that is wanted', async () => {
      const life = await cutOff(asked, 'fail')
      await expect(ask({ mode, durability: life, ...asked })).rejects.toMatchObject({
        code: 'unknown-outcome',
      })
    })

    it('is told to the model if that is wanted', async () => {
      const life = await cutOff(asked, 'tell-model')
      const { result } = await ask({ mode, durability: life, ...asked })
      expect(responsesIn(result)).toMatchObject([
        { content: expect.stringMatching(/nobody knows/) as string, isError: true },
        { content: 'seen' },
      ])
      expect(result.status).toBe('done')
    })

    it('is no unknown outcome if the tool itself says so', async () => {
      const life = new Life()
      const inner = await cutOff(asked, 'fail')
      const nested = tool({
        name: 'pay',
        input: amount,
        execute: () => ask({ mode, durability: inner, ...asked }),
      }) as ToolCallback
      const asking = { mode, durability: life, tools: [nested], calls: [CALL] }
      const { result } = await ask(asking)
      const content = expect.stringMatching(/^Nobody knows how/) as string
      expect(responsesIn(result)).toMatchObject([{ content, isError: true }])
      const rethrowing = {
        ...asking,
        durability: new Life(),
        options: { rethrow: [DurabilityError] },
      }
      await expect(ask(rethrowing)).rejects.toMatchObject({ code: 'unknown-outcome' })
    })

    it('goes on from the question it had asked, if it is a run of its own that is one step', async () => {
      const inner = ChatClient.create(modelOf([{ name: 'inside', id: 'i' }]), {
        tools: [tool({ name: 'inside', approval: true, execute: () => 'done inside' })],
        stateSecret: 'a secret of all workers',
      })
      // With a time limit of its own it is one step, like any other tool.
      const options = { name: 'pay', description: 'Pays', timeoutMs: 60_000 }
      const delegate = clientTool(inner, options) as ToolCallback
      const asked = {
        mode,
        tools: [delegate],
        calls: [{ name: 'pay', id: 'p', arguments: { prompt: 'Pay' } }],
        decisions: () => ({ p: { answer: { i: 'approve' } } }),
      }
      const ledger = new Ledger()
      const first = new Life(ledger)
      await ask({ ...asked, decisions: undefined, durability: first })
      // The next life dies when the tool was begun for the second time, and the one after it is asked.
      const again = first.keys.length + 3
      const dying = new Life(ledger, { death: { step: again, moment: 'begun' } })
      await expect(ask({ ...asked, durability: dying })).rejects.toThrow(/died at .*tool\/p\/state/)
      const { result } = await ask({ ...asked, durability: new Life(ledger) })
      expect(result.pending).toMatchObject([{ kind: 'unknown-outcome' }])
      const client = ChatClient.create(modelOf([]), {
        tools: [delegate],
        durability: new Life(ledger),
        stateSecret: 'a secret of all workers',
      })
      const request = client.resume(result.state!, { p: 'retry' })
      const ended = await (mode === 'call' ? request.call() : request.stream()).result()
      expect(responsesIn(ended)).toMatchObject([{ content: 'Done.' }])
      expect(responsesIn(ended)[0]).not.toHaveProperty('isError')
    })
  })
}
