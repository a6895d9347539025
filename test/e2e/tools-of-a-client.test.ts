/** Which tools a client offers, and whether they are still the same: what an engine asks before it goes on with a run. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  clientTool,
  staticResolver,
  tool,
  toolFingerprints,
  withToolExecution,
  type ChatClientOptions,
  type ToolCallback,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const named = (name: string, more: object = {}): ToolCallback =>
  tool({ name, execute: () => name, ...more })
const namesOf = (tools: readonly ToolCallback[]): readonly string[] =>
  tools.map(({ definition }) => definition.name)
const resolver = staticResolver(['x', 'y'].map((name) => named(name)))

describe('client.offeredTools()', () => {
  const CLIENTS: Record<string, ChatClientOptions> = {
    'tools and names': { tools: [named('a')], toolNames: ['x'], resolver },
    'a provider': { tools: [{ toolCallbacks: async () => [named('late')] }] },
    'options of the client': { options: { tools: [named('o')] } },
    nothing: {},
  }
  it.each(Object.entries(CLIENTS))('%s: what a request offers', async (_name, options) => {
    const model = scriptedModel(['Hi', 'Hi'])
    const client = ChatClient.create(model, options)
    const offered = namesOf(await client.offeredTools())
    await client.prompt('Go').call().content()
    for await (const _piece of client.prompt('Go').stream().content());
    for (const prompt of model.prompts)
      expect(namesOf((prompt.options?.tools ?? []) as readonly ToolCallback[])).toEqual(offered)
  })

  it('the model’s own where the client names none', async () => {
    const model = { ...scriptedModel([]), options: { tools: [named('m')] } }
    expect(namesOf(await ChatClient.create(model).offeredTools())).toEqual(['m'])
    const client = ChatClient.create(model, { tools: [named('a')] })
    expect(namesOf(await client.offeredTools())).toEqual(['a'])
  })

  it('rejects as a request would', async () => {
    const unknown = ChatClient.create(scriptedModel([]), { toolNames: ['nix'], resolver })
    await expect(unknown.offeredTools()).rejects.toMatchObject({ code: 'unknown-tool-name' })
    const broken = ChatClient.create(scriptedModel([]), {
      tools: [{ toolCallbacks: () => Promise.reject(new Error('down')) }],
    })
    await expect(broken.offeredTools()).rejects.toMatchObject({ code: 'tool-source' })
  })
})

describe('toolFingerprints()', () => {
  const pay = (more: object = {}): ToolCallback =>
    named('pay', { description: 'Pay', input: z.object({ amount: z.number() }), ...more })

  it('is the same for equal definitions, whatever the tool does', async () => {
    const { pay: first } = await toolFingerprints([pay()])
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(await toolFingerprints([pay({ execute: () => 'other', timeoutMs: 5 })])).toEqual({
      pay: first,
    })
    const { definition } = pay()
    const turned = Object.fromEntries(Object.entries(definition).reverse()) as typeof definition
    expect(await toolFingerprints([{ ...pay(), definition: turned }])).toEqual({ pay: first })
  })

  const CHANGED: Record<string, object> = {
    description: { description: 'Pay anybody' },
    input: { input: z.object({ amount: z.number().describe('in cents') }) },
    output: { output: z.string() },
    title: { title: 'Payment' },
  }
  it.each(Object.entries(CHANGED))('is another for another %s', async (_field, more) => {
    expect(await toolFingerprints([pay(more)])).not.toEqual(await toolFingerprints([pay()]))
  })

  it('keeps tools apart by any name', async () => {
    const prints = await toolFingerprints([named('__proto__'), named('constructor')])
    expect(Object.keys(prints)).toEqual(['__proto__', 'constructor'])
    expect(await toolFingerprints([])).toEqual({})
  })

  it('a definition without a JSON form is an error that names it', async () => {
    const definition = { ...pay().definition, providerOptions: { x: { n: 1n } } } as never
    await expect(toolFingerprints([{ ...pay(), definition }])).rejects.toMatchObject({
      code: 'invalid-tool',
      message: expect.stringContaining('"pay" has no JSON form'),
    })
  })
})

describe('the id of a run', () => {
  const MODES = ['call', 'stream'] as const
  const durable = (runId: () => string | undefined | Promise<string | undefined>) => ({
    step: <T>(_key: string, run: () => Promise<T>): Promise<T> => run(),
    runId,
  })
  const idsSeen: string[] = []
  const key = tool({
    name: 'key',
    execute: (_input, context) => void idsSeen.push(context.idempotencyKey),
  })
  const script = [{ toolCalls: [{ name: 'key' }] }, 'Done.']

  for (const mode of MODES) {
    const idOf = async (client: ChatClient): Promise<string | undefined> => {
      const request = client.prompt('Go')
      const ids = new Set<string | undefined>()
      for await (const event of mode === 'call' ? request.call() : request.stream())
        ids.add(event.runId)
      expect(ids.size).toBe(1)
      return [...ids][0]
    }
    it(`is the durability’s, at once or later, in ${mode}`, async () => {
      for (const runId of [() => 'order-7', async () => 'order-7']) {
        idsSeen.splice(0)
        const options = { tools: [key], durability: durable(runId) }
        expect(await idOf(ChatClient.create(scriptedModel(script), options))).toBe('order-7')
        expect(idsSeen).toEqual(['order-7/call_1'])
      }
    })

    it(`is a new one if the durability names none, in ${mode}`, async () => {
      const ids = { next: (prefix: string) => `${prefix}_own` }
      const durability = durable(() => undefined)
      const client = ChatClient.create(scriptedModel(['Done.']), { durability, ids })
      expect(await idOf(client)).toBe('run_own')
    })

    it(`is the durability’s for a model that runs its tools itself, in ${mode}`, async () => {
      idsSeen.splice(0)
      const durability = durable(async () => 'order-8')
      const model = withToolExecution(scriptedModel(script), { durability })
      const prompt = {
        messages: [{ role: 'user' as const, content: 'Go' }],
        options: { tools: [key] },
      }
      if (mode === 'call') await model.call(prompt)
      else for await (const _event of model.stream(prompt));
      expect(idsSeen).toEqual(['order-8/call_1'])
    })

    it(`is another for a run inside a tool, in ${mode}`, async () => {
      idsSeen.splice(0)
      const options = { durability: durable(() => 'order-9') }
      const inner = ChatClient.create(scriptedModel(script), {
        ...options,
        tools: [key],
        ids: { next: (prefix: string) => `${prefix}_inner` },
      })
      const calls = [{ name: 'ask', arguments: { prompt: 'Go' } }]
      const outer = ChatClient.create(scriptedModel([{ toolCalls: calls }, 'Done.']), {
        ...options,
        tools: [clientTool(inner, { name: 'ask', description: 'Ask' })],
      })
      const request = outer.prompt('Go')
      const run = mode === 'call' ? request.call() : request.stream()
      expect((await run.result()).status).toBe('done')
      expect(idsSeen).toEqual(['run_inner/call_1'])
    })

    it(`stays that of a resumed run, in ${mode}`, async () => {
      const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
      const names = ['first', 'second']
      const client = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'Paid.']), {
        tools: [pay],
        durability: durable(() => names.shift()),
      })
      const { state } = await client.prompt('Go').call().result()
      expect(state?.runId).toBe('first')
      const request = client.resume(state!, { call_1: 'approve' })
      for await (const event of mode === 'call' ? request.call() : request.stream())
        expect(event.runId).toBe('first')
      expect(names).toEqual(['second'])
    })
  }
})
