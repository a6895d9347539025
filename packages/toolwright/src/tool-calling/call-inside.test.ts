/** A call that a running tool makes takes the same walk, in the same batch. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  tool,
  type ChatClientOptions,
  type Durability,
  type ToolCallback,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { DefaultToolContext } from '../tools/default-tool-context.ts'

interface Called {
  readonly name: string
  readonly arguments?: string
}

/** A tool that makes calls of its own, one after the other, and reports what became of them. */
const program = (calls: readonly Called[], tools: readonly ToolCallback[]): ToolCallback =>
  tool({
    name: 'program',
    async execute(_input, context) {
      if (!(context instanceof DefaultToolContext)) throw new Error('no run around it')
      const outcomes: unknown[] = []
      for (const [index, { name, arguments: text = '{}' }] of calls.entries()) {
        const id = `${context.callId}-${index}`
        const call = { type: 'tool-call' as const, id, name, arguments: text }
        const { response, pending } = await context.outer!.callInside(call, tools)
        outcomes.push(pending ? pending.kind : response!.content)
      }
      return outcomes
    },
  })

async function run(
  calls: readonly Called[],
  tools: readonly ToolCallback[],
  options: ChatClientOptions = {},
): Promise<readonly string[]> {
  const model = scriptedModel([{ toolCalls: [{ name: 'program' }] }, 'Done.'])
  const result = await ChatClient.create(model, options)
    .prompt('Go')
    .tools(program(calls, tools))
    .call()
    .result()
  const told = result.messages.find((message) => message.role === 'tool')
  return JSON.parse(told!.responses[0]!.content as string) as readonly string[]
}

const greet = tool({
  name: 'greet',
  input: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
  },
  execute: ({ name }) => `Hello, ${String(name)}.`,
})

describe('a call inside a call', () => {
  it('is found among its own tools, checked and run', async () => {
    const outcomes = await run(
      [
        { name: 'greet', arguments: '{"name":"Ada"}' },
        { name: 'greet', arguments: '{}' },
        { name: 'greett' },
      ],
      [greet],
    )
    expect(outcomes[0]).toBe('Hello, Ada.')
    expect(outcomes[1]).toMatch(/arguments are invalid/)
    expect(outcomes[2]).toMatch(/there is no tool called "greett"/)
  })

  it('counts against the limits of the run', async () => {
    const calls = [{ name: 'greet', arguments: '{"name":"a"}' }, { name: 'greet', arguments: '{"name":"b"}' }] // prettier-ignore
    const outcomes = await run(calls, [greet], { limits: { callsTotal: 2 } })
    expect(outcomes[0]).toBe('Hello, a.')
    expect(outcomes[1]).toMatch(/2 tool calls were already made/)
  })

  it('is a step of a durable run, and needs no place beside the call that makes it', async () => {
    const keys: string[] = []
    const step: Durability['step'] = (key, work, toolStep) => {
      if (toolStep) keys.push(`${toolStep.toolName} ${key.split('/').at(-1)}`)
      return work()
    }
    const calls = [{ name: 'greet', arguments: '{"name":"a"}' }]
    const model = scriptedModel([
      { toolCalls: [{ name: 'program', id: 'p' }, { name: 'program', id: 'q' }] }, // prettier-ignore
      'Done.',
    ])
    const client = ChatClient.create(model, { durability: { step }, limits: { parallel: 1 } })
    const result = await client
      .prompt('Go')
      .tools(program(calls, [greet]))
      .call()
      .result()
    const told = result.messages.find((message) => message.role === 'tool')
    const content = '["Hello, a."]'
    expect(told!.responses).toMatchObject([{ content }, { content }])
    expect(keys).toEqual(['program p', 'program q', 'greet p-0', 'greet q-0'])
  })

  it('meets the policy and the approval of its tool', async () => {
    const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
    expect(await run([{ name: 'pay' }], [pay])).toEqual(['approval'])
    const policy: ChatClientOptions['policy'] = ({ toolName }) =>
      toolName === 'greet' ? { deny: 'not today' } : 'allow'
    const outcomes = await run([{ name: 'greet', arguments: '{"name":"Ada"}' }], [greet], {
      policy,
    })
    expect(outcomes[0]).toMatch(/not today/)
  })

  it('is told of an abort of the run', async () => {
    const abort = new AbortController()
    let reason: unknown
    const slow = tool({
      name: 'slow',
      execute: (_input, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject((reason = signal.reason) as Error))
          abort.abort('enough')
        }),
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'program' }] }])
    const request = ChatClient.create(model)
      .prompt('Go')
      .tools(program([{ name: 'slow' }], [slow]))
    await expect(request.signal(abort.signal).call().result()).rejects.toBe('enough')
    expect(reason).toBe('enough')
  })

  for (const [how, description, told] of [
    ['as it was', 'Look up a word', 'found'],
    ['that changed meanwhile', 'Look up anything', 'another than when the run was suspended'],
  ] as const)
    it(`is sealed with a run that waits: a tool ${how}`, async () => {
      const ran: string[] = []
      const asking = (words: string): ToolCallback => {
        const look = tool({ name: 'look', description: words, execute: () => (ran.push(words), 'found') }) // prettier-ignore
        return tool({
          name: 'program',
          async execute(_input, context) {
            const { outer } = context as DefaultToolContext
            const call = { type: 'tool-call', id: `${context.callId}-0`, name: 'look', arguments: '{}' } as const // prettier-ignore
            const { response } = await outer!.callInside(call, [look])
            return `${String(context.suspend('sure?'))}: ${String(response!.content)}`
          },
        })
      }
      const model = scriptedModel([{ toolCalls: [{ name: 'program', id: 'p' }] }, 'Done.'])
      const client = ChatClient.create(model)
      const { state } = await client.prompt('Go').tools(asking('Look up a word')).call().result()
      expect(Object.keys(state!.nestedTools!)).toEqual(['look'])
      await client
        .resume(state!, { p: { answer: 'yes' } })
        .tools(asking(description))
        .call()
        .content()
      const results = model.prompts[1]!.messages.find(({ role }) => role === 'tool')
      expect(JSON.stringify(results)).toContain(told)
      expect(ran).toHaveLength(description === 'Look up a word' ? 2 : 1)
    })
})
