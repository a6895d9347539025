/** What stands between a client and its model, and the keys under which its steps are recorded. */
import { describe, expect, it } from 'vitest'
import {
  advisor,
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  ORDER,
  textOf,
  tool,
  toolCallingAdvisor,
  type Advisor,
  type Durability,
  type Prompt,
} from 'toolwright'
import { scriptedModel, type ScriptedAnswer } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { scenario, toldByTools, typesOf } from './scenario.ts'

const looking = (log: unknown[], name: string, order?: number): Advisor =>
  advisor({
    name,
    ...(order !== undefined && { order }),
    before: () => void log.push(`${name} before`),
    after: () => void log.push(`${name} after`),
  })

const streaming = (log: unknown[], name: string, order: number): Advisor => ({
  name,
  order,
  async advise(request, next) {
    log.push(`${name} before`)
    const answer = await next(request)
    log.push(`${name} after`)
    return answer
  },
})

const STEP = { toolCalls: [{ name: 'step' }] }
const step = tool({ name: 'step', execute: () => 'ok' })

describe('order', () => {
  scenario('lower is further out; equal orders keep the order they were given in', {
    script: ['Hello.'],
    client: ({ log }) => ({
      advisors: [
        looking(log, 'c', 500),
        streaming(log, 'a', 10),
        looking(log, 'd', 500),
        looking(log, 'b', 10),
      ],
    }),
    request: (client, { log }) => client.prompt('Go').advisors(streaming(log, 'e', 500)),
    check({ log }) {
      const names = ['a', 'b', 'c', 'd', 'e']
      expect(log).toEqual([
        ...names.map((name) => `${name} before`),
        ...names.toReversed().map((name) => `${name} after`),
      ])
    },
  })

  scenario('inside the loop an advisor sees every round, outside once', {
    script: [STEP, STEP, 'Done.'],
    client: ({ log }) => ({
      advisors: [looking(log, 'out', ORDER.first), looking(log, 'in', ORDER.structuredOutput)],
    }),
    tools: () => [step],
    check({ log }) {
      const inside = ['in before', 'in after']
      expect(log).toEqual(['out before', ...inside, ...inside, ...inside, 'out after'])
    },
  })

  scenario('at the loop’s own order an advisor stands outside of the one that is added', {
    script: [STEP, 'Done.'],
    client: ({ log }) => ({ advisors: [looking(log, 'same', ORDER.toolCalling)] }),
    tools: () => [step],
    check: ({ log }) => void expect(log).toEqual(['same before', 'same after']),
  })

  scenario('inside, it knows the round and its phase', {
    script: [STEP, 'Done.'],
    client: ({ log }) => ({
      advisors: [
        advisor({
          name: 'x',
          order: ORDER.last,
          before: (r) => void log.push([r.round, r.phase, r.runId, r.mode.length > 0]),
        }),
      ],
    }),
    tools: () => [step],
    check: ({ log }) =>
      void expect(log).toEqual([
        [1, 'start', 'run_1', true],
        [2, 'start', 'run_1', true],
      ]),
  })

  for (const order of [-1, 1001, NaN, Infinity]) {
    it(`an order of ${order} is an error`, () => {
      const make = (): ChatClient =>
        ChatClient.create(scriptedModel([]), { advisors: [advisor({ name: 'x', order })] })
      expect(make).toThrow(/Advisor "x".*0 to 1000/)
      expect(make).toThrow(expect.objectContaining({ code: 'invalid-advisor' }))
    })
  }

  scenario('the first and the last order are orders too', {
    script: ['Done.'],
    client: ({ log }) => ({
      advisors: [looking(log, 'last', 1000), looking(log, 'first', 0)],
    }),
    check: ({ log }) =>
      void expect(log).toEqual(['first before', 'last before', 'last after', 'first after']),
  })

  it('two loops are an error, wherever they come from', () => {
    const two = expect.objectContaining({ code: 'two-tool-calling-advisors' })
    const model = scriptedModel([])
    const loop = toolCallingAdvisor()
    expect(() => ChatClient.create(model, { advisors: [loop, toolCallingAdvisor()] })).toThrow(two)
    expect(() => ChatClient.create(model, { advisors: [loop], toolCalling: {} })).toThrow(two)
    const client = ChatClient.create(model, { advisors: [loop] })
    expect(() => client.prompt('Go').advisors(toolCallingAdvisor()).call()).toThrow(two)
  })

  it('an advisor without a name, or with an unknown option, is an error', () => {
    expect(() => advisor({ name: '' })).toThrow(/name/)
    expect(() => advisor({ name: 'x', around: () => {} } as never)).toThrow(/no option "around"/)
  })
})

describe('before and after', () => {
  scenario('may change the request and the answer', {
    script: [(prompt) => `I heard ${textOf(prompt.messages.at(-1)!)}`],
    client: () => ({
      advisors: [
        advisor({
          name: 'loud',
          async before(request) {
            const messages = [{ role: 'user' as const, content: 'LOUD' }]
            return { ...request, prompt: { ...request.prompt, messages } }
          },
          after: async (answer) => ({
            ...answer,
            response: { ...answer.response, metadata: { loud: true } },
          }),
        }),
      ],
    }),
    check({ result }) {
      expect(textOf(result.response)).toBe('I heard LOUD')
      expect(result.response.metadata).toEqual({ loud: true })
    },
  })

  scenario('share one context, which the result shows', {
    script: [STEP, 'Done.'],
    client: () => ({
      advisors: [
        advisor({
          name: 'count',
          order: ORDER.last,
          before(request) {
            const { context } = request
            context['rounds'] = Number(context['rounds'] ?? 0) + 1
          },
        }),
        advisor({
          name: 'see',
          order: ORDER.first,
          after: (_answer, { context }) => void (context['seen'] = context['rounds']!),
        }),
      ],
    }),
    tools: () => [step],
    check: ({ result }) => void expect(result.context).toEqual({ rounds: 2, seen: 2 }),
  })

  scenario('are told the params of the request', {
    script: ['Hello.'],
    client: ({ log }) => ({
      advisors: [advisor({ name: 'p', before: (request) => void log.push(request.params) })],
    }),
    request: (client) => client.prompt('Go').param('tone', 'warm').conversation('c1'),
    check: ({ log }) => void expect(log).toEqual([{ tone: 'warm', conversation: 'c1' }]),
  })

  scenario('after is not called at a suspension, but once at the end', {
    script: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'],
    client: ({ log }) => ({ advisors: [looking(log, 'out', ORDER.first)] }),
    tools: () => [tool({ name: 'pay', approval: true, execute: () => 'ok' })],
    resume: [() => ({ call_1: 'approve' })],
    check: ({ log }) => void expect(log).toEqual(['out before', 'out before', 'out after']),
  })

  scenario('a context written before a suspension is there after it, and the phase says so', {
    script: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'],
    client: ({ log }) => ({
      advisors: [
        advisor({
          name: 'note',
          order: ORDER.first,
          before(request) {
            log.push([request.phase, { ...request.context }])
            request.context[request.phase] = { at: 1 }
          },
        }),
      ],
    }),
    tools: () => [tool({ name: 'pay', approval: true, execute: () => 'ok' })],
    resume: [() => ({ call_1: 'approve' })],
    check({ log, result }) {
      expect(log).toEqual([
        ['start', {}],
        ['resume', { start: { at: 1 } }],
      ])
      expect(result.context).toEqual({ start: { at: 1 }, resume: { at: 1 } })
    },
  })

  scenario('one that throws ends the run with what it threw', {
    script: ['Hello.'],
    client: () => ({
      advisors: [
        advisor({
          name: 'no',
          after() {
            throw new RangeError('not like this')
          },
        }),
      ],
    }),
    check({ error, events }) {
      expect(error).toEqual(new RangeError('not like this'))
      expect(typesOf(events)).not.toContain('response')
    },
  })

  scenario('an advisor may answer without the model', {
    script: [],
    client: () => ({
      advisors: [
        {
          name: 'cache',
          order: ORDER.first,
          async advise(request) {
            const message = { role: 'assistant' as const, content: 'From the cache.' }
            const response = {
              results: [{ message, finishReason: 'stop' as const, metadata: {} }],
              usage: {},
              metadata: {},
            }
            return { response, messages: [...request.prompt.messages, message], rounds: [] }
          },
        },
      ],
    }),
    check({ result, prompts }) {
      expect(textOf(result.response)).toBe('From the cache.')
      expect(prompts).toEqual([])
    },
  })

  it('an advisor may ask again: both answers are shown, the second counts', async () => {
    const again: Advisor = {
      name: 'again',
      order: 500,
      async advise(request, next) {
        const first = await next(request)
        return textOf(first.response) === 'Yes.' ? first : await next(request)
      },
    }
    const client = ChatClient.create(scriptedModel(['Maybe.', 'Yes.', 'Maybe.', 'Yes.']), {
      advisors: [again],
    })
    expect(await client.prompt('Go').call().content()).toBe('Yes.')
    const run = client.prompt('Go').stream()
    const pieces: string[] = []
    for await (const piece of run.content()) pieces.push(piece)
    expect(pieces).toEqual(['Maybe.', '\n\nYes.'])
    expect(textOf(await run.chatResponse())).toBe('Yes.')
  })
})

/** Records every step, and gives back what it has instead of running again. */
class Journal implements Durability {
  readonly keys: string[] = []
  readonly results: Map<string, string>
  readonly ran: string[] = []

  constructor(results = new Map<string, string>()) {
    this.results = results
  }

  async step<T>(key: string, run: () => Promise<T>): Promise<T> {
    this.keys.push(key)
    const known = this.results.get(key)
    if (known !== undefined) return JSON.parse(known) as T
    this.ran.push(key)
    const result = await run()
    this.results.set(key, JSON.stringify(result))
    return JSON.parse(JSON.stringify(result)) as T
  }
}

describe('durability', () => {
  const memory = () => chatMemoryAdvisor(messageWindowMemory())
  const memoryInside = () => chatMemoryAdvisor(messageWindowMemory(), { order: 500 })
  // Answers by what it is sent, so that it can be met at any point of the conversation.
  const answer = ({ messages }: Prompt): string | ScriptedAnswer =>
    messages.at(-1)!.role === 'tool'
      ? 'Done.'
      : {
          toolCalls: [
            { name: 'step', id: 'a' },
            { name: 'step', id: '' },
          ],
        }
  const script = () => [answer, answer]

  for (const mode of ['call', 'stream'] as const) {
    const resultOf = async (journal: Journal, advisors: readonly Advisor[]) => {
      const model = scriptedModel(script())
      let ran = 0
      const client = ChatClient.create(model, {
        durability: journal,
        ids: countingIds(),
        advisors,
        tools: [tool({ name: 'step', execute: () => `ran ${++ran}` })],
      })
      const request = client.prompt('Go').conversation('c')
      const result = await (mode === 'call' ? request.call() : request.stream()).result()
      return { result, asked: model.prompts.length, ran }
    }

    it(`every model call, tool call and memory access is a step (${mode})`, async () => {
      const journal = new Journal()
      await resultOf(journal, [memory()])
      expect(journal.keys).toEqual([
        'run_1/memory/get',
        'run_1/memory/add',
        'run_1/memory/tool-calling/round-1/model',
        'run_1/memory/tool-calling/round-1/tool/a',
        'run_1/memory/tool-calling/round-1/tool/call_1',
        'run_1/memory/tool-calling/round-1/order/a',
        'run_1/memory/tool-calling/round-2/model',
        'run_1/memory/add-answer',
      ])
    })

    it(`inside the loop the memory has its steps in every round (${mode})`, async () => {
      const journal = new Journal()
      await resultOf(journal, [memoryInside()])
      const loop = 'run_1/memory-end/tool-calling'
      expect(journal.keys).toEqual([
        `${loop}/round-1/memory/get`,
        `${loop}/round-1/memory/add`,
        `${loop}/round-1/memory/model`,
        `${loop}/round-1/memory/add-answer`,
        `${loop}/round-1/tool/a`,
        `${loop}/round-1/tool/call_1`,
        `${loop}/round-1/order/a`,
        `${loop}/round-2/memory/get`,
        `${loop}/round-2/memory/add`,
        `${loop}/round-2/memory/model`,
        `${loop}/round-2/memory/add-answer`,
      ])
    })

    it(`a replay runs nothing again and ends the same (${mode})`, async () => {
      const first = new Journal()
      const before = await resultOf(first, [memory()])
      const second = new Journal(first.results)
      const after = await resultOf(second, [memory()])
      expect(second.keys).toEqual(first.keys)
      expect(second.ran).toEqual([])
      expect([after.asked, after.ran]).toEqual([0, 0])
      expect(after.result).toEqual(before.result)
    })

    it(`a crash after any step goes on where it stopped (${mode})`, async () => {
      const whole = new Journal()
      const before = await resultOf(whole, [memory()])
      const steps = [...whole.results]
      for (let kept = 0; kept < steps.length; kept++) {
        const journal = new Journal(new Map(steps.slice(0, kept)))
        const after = await resultOf(journal, [memory()])
        expect(journal.ran).toEqual(steps.slice(kept).map(([key]) => key))
        expect(after.result.status).toBe(before.result.status)
      }
    })

    it(`ids that the loop gave are recorded, not made again (${mode})`, async () => {
      const journal = new Journal()
      const run = async (): Promise<readonly string[]> => {
        const client = ChatClient.create(scriptedModel(script()), {
          durability: journal,
          // Only the run's own name is known again after a crash.
          ids: { next: (prefix) => (prefix === 'run' ? 'run' : `${prefix}_${Math.random()}`) },
          tools: [step],
        })
        const request = client.prompt('Go')
        await (mode === 'call' ? request.call() : request.stream()).result()
        return journal.keys.splice(0)
      }
      expect(await run()).toEqual(await run())
    })

    it(`an advisor that asks twice gets two answers, also at a replay (${mode})`, async () => {
      const twice: Advisor = {
        name: 'twice',
        order: 500,
        async advise(request, next) {
          await next(request)
          return next(request)
        },
      }
      const journal = new Journal()
      const ask = async (steps: readonly string[]): Promise<string> => {
        const client = ChatClient.create(scriptedModel(steps), {
          durability: journal,
          ids: countingIds(),
          advisors: [twice],
        })
        const request = client.prompt('Go')
        const run = mode === 'call' ? request.call() : request.stream()
        return textOf(await run.chatResponse())
      }
      expect(await ask(['One.', 'Two.'])).toBe('Two.')
      expect(await ask([])).toBe('Two.')
      expect(new Set(journal.keys).size).toBe(2)
    })
  }

  scenario('the tools of a resumed run are steps too, under keys of their own', {
    script: [{ toolCalls: [{ name: 'pay' }, { name: 'free' }] }, 'Paid.'],
    client: ({ log }) => ({
      durability: {
        step(key, run) {
          log.push(key)
          return run()
        },
      },
    }),
    tools: () => [
      tool({ name: 'pay', approval: true, execute: () => 'paid' }),
      tool({ name: 'free', execute: () => 'free' }),
    ],
    resume: [() => ({ call_1: 'approve' })],
    check({ log, prompts }) {
      expect(new Set(log).size).toBe(log.length)
      expect(log.filter((key) => String(key).includes('/tool/'))).toHaveLength(2)
      expect(log.filter((key) => String(key).endsWith('/model'))).toHaveLength(2)
      expect(toldByTools(prompts[1])).toEqual([{ content: 'paid' }, { content: 'free' }])
    },
  })

  scenario('advisors of one name, folded or not, have steps of their own', {
    script: [STEP, 'Done.'],
    client({ log }) {
      const stepping = (name: string): Advisor =>
        advisor({
          name,
          order: ORDER.last,
          before: (request) => request.step('io', async () => undefined),
        })
      const wrapping: Advisor = {
        name: 'same',
        order: 500,
        async advise(request, next) {
          await request.step('io', async () => null)
          return next(request)
        },
      }
      return {
        durability: { step: (key, run) => (log.push(key), run()) },
        advisors: [stepping('same'), stepping('same'), wrapping, stepping('other')],
      }
    },
    tools: () => [step],
    check({ log }) {
      expect(log.filter((key) => String(key).endsWith('io'))).toHaveLength(8)
      expect(new Set(log).size).toBe(log.length)
    },
  })

  it('a durability that hands on other errors than it caught still lets a tool ask', async () => {
    const client = ChatClient.create(scriptedModel([STEP]), {
      durability: {
        step: (_key, run) =>
          run().catch((cause: unknown) => {
            throw new Error('step failed', { cause })
          }),
      },
      tools: [tool({ name: 'step', execute: (_input, context) => context.suspend('sure?') })],
    })
    const result = await client.prompt('Go').call().result()
    expect(result.pending).toMatchObject([{ kind: 'question', question: 'sure?' }])
  })
})
