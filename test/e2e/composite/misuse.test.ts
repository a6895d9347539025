/** A composite tool that does what it must not: defined ends, nothing runs twice, nothing hangs. */
import { describe, expect, it } from 'vitest'
import { tool, toolRunOf, type ToolCallback, type ToolContext, type ToolRun } from 'toolwright'
import { eventsOf, scenario, toldByTools } from '../scenario.ts'

const ASK = { toolCalls: [{ name: 'program', id: 'p' }] }
const look = tool({ name: 'look', execute: (_input, { callId }) => `seen ${callId}` })
const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })

type Body = (run: ToolRun, context: ToolContext) => unknown

const program = (body: Body, tools: readonly ToolCallback[] = [look, pay]): ToolCallback =>
  tool({
    name: 'program',
    composite: { tools },
    execute: async (_input, context) => body(toolRunOf(context), context),
  })

const called = (index: number, name = 'look') => ({ index, name, arguments: {} })
const noticesIn = (events: Parameters<typeof eventsOf>[0]): readonly string[] =>
  eventsOf(events, 'notice').map(({ code }) => code)

describe('a composite tool', () => {
  const failing: { readonly [what: string]: readonly [Body, string] } = {
    'suspends with nothing pending': [(run) => run.suspend({}), 'none of its calls waits'],
    'suspends while a call runs': [
      (run) => (void run.call(called(0)), run.suspend({})),
      'suspends while 1 of its calls run',
    ],
    'uses an index twice': [
      async (run) => (await run.call(called(0)), run.call(called(0))),
      'two calls with the index 0',
    ],
    'has an index that is none': [(run) => run.call(called(-1)), 'a whole number from 0'],
    'gives no arguments': [
      (run) => run.call({ ...called(0), arguments: undefined as never }),
      'needs a name, and arguments',
    ],
    'throws while calls run': [
      (run) => {
        void run.call(called(0))
        throw new Error('Out of paper.')
      },
      'Out of paper.',
    ],
  }
  for (const [what, [body, words]] of Object.entries(failing))
    scenario(`that ${what} has failed; the model reads why`, {
      script: [ASK, 'Sorry.'],
      tools: () => [program(body)],
      check({ prompts, result, events }) {
        expect(toldByTools(prompts[1])).toEqual([
          { content: expect.stringContaining(words) as string, isError: true },
        ])
        expect(result.status).toBe('done')
        // Whoever wrote the tool is told, but of what it threw by itself.
        const misuses = eventsOf(events, 'notice').filter(({ code }) => code === 'nested-misuse')
        expect(misuses.map(({ message }) => message)).toEqual(
          words === 'Out of paper.' ? [] : [expect.stringContaining(words)],
        )
        // Calls that it does not wait for have ended before it has.
        const results = eventsOf(events, 'tool-result').map(({ toolCall }) => toolCall.id)
        expect(results.at(-1)).toBe('p')
      },
    })

  scenario('that does not wait for its calls has ended when they have', {
    script: [ASK, 'Done.'],
    tools: ({ log }) => {
      const slow = tool({
        name: 'slow',
        async execute() {
          for (let turn = 0; turn < 30; turn++) await Promise.resolve()
          log.push('slow')
        },
      })
      return [program((run) => (void run.call(called(0, 'slow')), 'quick'), [slow])]
    },
    check({ log, events, prompts }) {
      expect(log).toEqual(['slow'])
      expect(eventsOf(events, 'tool-result').map(({ toolCall }) => toolCall.id)).toEqual(['p/0', 'p']) // prettier-ignore
      expect(toldByTools(prompts[1])).toEqual([{ content: 'quick' }])
    },
  })

  scenario(
    'that does not wait for calls that cannot be made, or that end the run, costs the run only',
    {
      script: [ASK],
      tools: () => {
        const broken = tool({
          name: 'broken',
          execute: () => Promise.reject(new TypeError('broken')),
        })
        return [
          program(
            (run) => {
              void run.call(called(0, 'broken'))
              void run.call(called(0))
              return 'quick'
            },
            [broken],
          ),
        ]
      },
      client: () => ({ rethrow: [TypeError] }),
      check: ({ error }) => expect(error).toMatchObject({ message: 'broken' }),
    },
  )

  scenario('that ends although a call of it waits drops that call, and readers are told', {
    script: [ASK, 'Done.'],
    tools: () => [program(async (run) => JSON.stringify(await run.call(called(0, 'pay'))))],
    check({ result, events, prompts }) {
      expect(result.status).toBe('done')
      expect(toldByTools(prompts[1])).toEqual([{ content: '{"pending":true}' }])
      expect(noticesIn(events)).toEqual(['nested-call-dropped'])
    },
  })

  scenario(
    'that does not make a call again that was approved leaves it undone, and readers are told',
    {
      script: [ASK, 'Done.'],
      tools: ({ log }) => [
        program(async (run) => {
          log.push('ran')
          if (run.journal !== undefined) return 'changed my mind'
          await run.call(called(0, 'pay'))
          return run.suspend(null)
        }),
      ],
      resume: [() => ({ 'p/0': 'approve' })],
      check({ events, log }) {
        expect(noticesIn(events)).toEqual(['nested-call-dropped'])
        expect(log).toEqual(['ran', 'ran'])
      },
    },
  )

  scenario('that makes another call under the index of one that was approved ends the run', {
    script: [ASK, 'Done.'],
    tools: ({ log }) => {
      const input = { type: 'object', properties: { to: { type: 'string' } } } as const
      const give = tool({ name: 'give', input, approval: true, execute: ({ to }) => log.push(to) })
      return [
        program(
          async (run) => {
            const to = run.journal === undefined ? 'Ada' : 'Eve'
            const made = run.call({ index: 0, name: 'give', arguments: { to } })
            const outcome = await made.catch(() => 'caught')
            return typeof outcome === 'object' && 'pending' in outcome ? run.suspend(1) : 'ok'
          },
          [give as ToolCallback],
        ),
      ]
    },
    resume: [() => ({ 'p/0': 'approve' })],
    check({ error, log }) {
      expect(error).toMatchObject({ code: 'nested-call' })
      expect(log).toEqual([])
    },
  })

  scenario('that has ended can make no calls', {
    script: [ASK, ASK, 'Done.'],
    tools: ({ log }) => {
      let first: ToolRun | undefined
      return [
        program(async (run) => {
          if (!first) return void (first = run)
          await first.call(called(0)).catch(({ code }: { code: string }) => log.push(code))
        }),
      ]
    },
    check: ({ log }) => expect(log).toEqual(['nested-call']),
  })

  scenario('that caught its suspension is suspended all the same', {
    script: [ASK, 'Done.'],
    tools: ({ log }) => [
      program(async (run) => {
        await run.call(called(0, 'pay'))
        try {
          run.suspend('journal')
        } catch {
          await run.call(called(1)).catch(() => log.push('no more calls'))
        }
        return 'not so fast'
      }),
    ],
    check({ result, log }) {
      expect(result.pending).toMatchObject([{ callId: 'p/0', parentCallId: 'p' }])
      expect(result.state!.journals).toMatchObject({ p: { journal: 'journal' } })
      expect(log).toEqual(['no more calls'])
    },
  })

  scenario('an ordinary tool, or one called by hand, can make no calls', {
    script: [ASK, 'Done.'],
    tools: () => [
      tool({
        name: 'program',
        execute: async (_input, context) => toolRunOf(context).call(called(0)),
      }),
    ],
    async check({ prompts }) {
      expect(toldByTools(prompts[1])).toMatchObject([{ isError: true, content: expect.stringMatching(/not composite/) as string }]) // prettier-ignore
      await expect(program((run) => run.call(called(0))).call('{}')).rejects.toMatchObject({ code: 'nested-call' }) // prettier-ignore
      await expect(program((run) => run.step('a', async () => 1)).call('{}')).resolves.toBe('1')
    },
  })

  it('takes no options of tools that run as one', () => {
    const composite = { tools: [look] }
    for (const wrong of [
      { cache: { ttlMs: 1 } },
      { retry: { attempts: 2 }, effect: 'read' as const },
      { timeoutMs: 5 },
    ])
      expect(() => tool({ name: 'x', composite, ...wrong, execute: () => 1 })).toThrow(
        expect.objectContaining({ code: 'invalid-tool' }),
      )
    expect(() => tool({ name: 'x', composite: { tools: look as never } })).toThrow(
      /composite: tools is/,
    )
    expect(() => tool({ name: 'x', composite: { tool: [] } as never })).toThrow(/"tools"/)
  })

  scenario('whose tools cannot be told ends the run', {
    script: [ASK],
    tools: () => {
      const made = program((run) => run.call(called(0)))
      const tools = () => Promise.reject(new Error('No list.'))
      return [{ ...made, metadata: { ...made.metadata, composite: { tools } } }]
    },
    check: ({ error }) => expect(error).toMatchObject({ code: 'tool-source' }),
  })
})
