/** What a model is offered: tools of the request, the client and the model, and who gives way to whom. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  advisor,
  chatMemoryAdvisor,
  messageWindowMemory,
  staticResolver,
  textOf,
  tool,
  toolCallingManager,
  type ChatRequest,
  type Prompt,
  type ToolCallback,
} from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { eventsOf, scenario } from './scenario.ts'

const named = (name: string): ToolCallback => tool({ name, execute: () => name })
const offeredIn = (prompt: Prompt | undefined): readonly string[] =>
  ((prompt?.options?.tools ?? []) as readonly ToolCallback[]).map((each) => each.definition.name)
const resolver = staticResolver(['x', 'y', 'z'].map(named))

describe('tools of a request', () => {
  const offers: Record<string, readonly [say: (go: ChatRequest) => ChatRequest, string[]]> = {
    'nothing said: the client’s, held ones first': [(go) => go, ['default', 'x']],
    'tools drop the client’s tools and names': [(go) => go.tools(named('a')), ['a']],
    'names drop the client’s tools and names': [(go) => go.toolNames('y'), ['y']],
    'tools and names are one set': [
      (go) => go.tools(named('a')).toolNames('y').tools(named('b')).toolNames('z'),
      ['a', 'b', 'y', 'z'],
    ],
    'none at all': [(go) => go.tools(), []],
    'no names at all': [(go) => go.toolNames(), []],
    'added tools come after the client’s': [
      (go) => go.addTools(named('a')).addTools(named('b')),
      ['default', 'a', 'b', 'x'],
    ],
    'added names come after the client’s': [
      (go) => go.addToolNames('y').addToolNames('z'),
      ['default', 'x', 'y', 'z'],
    ],
    'what is added stays when the defaults are dropped, whatever was said first': [
      (go) => go.addTools(named('a')).addToolNames('y').tools(named('b')),
      ['b', 'a', 'y'],
    ],
    'tools in options drop the client’s, too': [
      (go) => go.options({ tools: [named('o')], toolNames: ['z'] }),
      ['o', 'z'],
    ],
    'an empty list in options drops the client’s, too': [(go) => go.options({ tools: [] }), []],
    'tools in options said again replace': [
      (go) => go.options({ tools: [named('o')] }).options({ tools: [named('p')] }),
      ['p'],
    ],
    'tools of the request win over those in its options': [
      (go) => go.options({ tools: [named('o')] }).toolNames('y'),
      ['y'],
    ],
    'records, arrays and providers, mixed and nested': [
      (go) => go.tools([{ r: tool({ execute: () => 1 }) }, [named('a'), provider]], named('b')),
      ['r', 'a', 'p', 'b'],
    ],
  }
  const provider = { toolCallbacks: () => [named('p')] }

  for (const [name, [say, expected]] of Object.entries(offers)) {
    scenario(name, {
      script: ['ok'],
      client: () => ({ tools: [named('default')], toolNames: ['x'], resolver }),
      request: (client) => say(client.prompt('Go')),
      check: ({ prompts }) => expect(offeredIn(prompts[0])).toEqual(expected),
    })
  }

  it('a callback is taken as it is: the model gets that very object', async () => {
    const given: ToolCallback = {
      definition: { name: 'raw', description: 'As it is.', inputSchema: { type: 'object' } },
      metadata: named('other').metadata,
      call: async () => 'ran',
    }
    const model = scriptedModel([{ toolCalls: [{ name: 'raw' }] }, 'ok'])
    await ChatClient.create(model).prompt('Go').tools(given).call().content()
    expect(model.prompts[0]!.options!.tools![0]).toBe(given)
    expect(model.prompts[0]!.options!.tools).toHaveLength(1)
    expect(textOf(model.prompts[1]!.messages.at(-1)!)).toBe('ran')
  })

  it('a default and an added tool of one name are an error before the model is asked', async () => {
    const model = scriptedModel([])
    const client = ChatClient.create(model, { tools: [named('a')] })
    const run = client.prompt('Go').addTools(named('a')).call()
    await expect(run.content()).rejects.toMatchObject({ code: 'duplicate-tool' })
    expect(model.prompts).toEqual([])
  })

  it('a provider is not asked when it is offered, only when the run starts', async () => {
    let asked = 0
    const request = ChatClient.create(scriptedModel(['ok']), {
      tools: [{ toolCallbacks: () => (asked++, [named('p')]) }],
    }).prompt('Go')
    const run = request.addTools({ toolCallbacks: () => (asked++, [named('q')]) }).call()
    expect(asked).toBe(0)
    await run.content()
    await run.result()
    expect(asked).toBe(2)
  })
})

describe('options', () => {
  scenario('of the request win over the client’s, and those over the model’s, field by field', {
    script: ['ok'],
    client: () => ({ options: { temperature: 0.1, topP: 0.2 }, toolContext: { a: 1, b: 1 } }),
    request: (client) =>
      client
        .prompt({ messages: [{ role: 'user', content: 'Go' }], options: { topP: 0.3, seed: 1 } })
        .options({ seed: 2 })
        .options({ maxTokens: 9 })
        .toolContext({ b: 2 })
        .toolContext({ c: 3 }),
    check({ prompts }) {
      expect(prompts[0]!.options).toMatchObject({
        temperature: 0.1,
        topP: 0.3,
        seed: 2,
        maxTokens: 9,
        toolContext: { a: 1, b: 2, c: 3 },
      })
    },
  })

  scenario('of model, client and request have one tool context: key by key, the nearest wins', {
    script: ['ok'],
    client: () => ({
      options: { toolContext: { overModel: 'client options', overOptions: 'client options' } },
      toolContext: { overOptions: 'client', overClient: 'client' },
    }),
    request: (client, { model }) => {
      Object.assign(model, { options: { toolContext: { own: 'model', overModel: 'model' } } })
      return client
        .prompt('Go')
        .options({ toolContext: { overClient: 'request options', overAll: 'request options' } })
        .toolContext({ overAll: 'request' })
    },
    check: ({ prompts }) =>
      expect(prompts[0]!.options!.toolContext).toEqual({
        own: 'model',
        overModel: 'client options',
        overOptions: 'client',
        overClient: 'request options',
        overAll: 'request',
      }),
  })

  it('are the caller’s: nothing writes into them, and frozen ones do', async () => {
    const model = scriptedModel(['1', '2'])
    const options = Object.freeze({ temperature: 1, tools: Object.freeze([named('a')]) })
    const client = ChatClient.create(model, { options })
    await client
      .prompt('Go')
      .options(Object.freeze({ seed: 1 }))
      .call()
      .content()
    await client.prompt('Go').call().content()
    expect(model.prompts[1]!.options).not.toHaveProperty('seed')
    expect(Object.keys(options)).toEqual(['temperature', 'tools'])
  })
})

describe('a model that cannot use tools', () => {
  scenario('is asked without them, and the run’s readers are told', {
    script: ['I have no tools.'],
    client: () => ({ tools: [named('a')], toolNames: ['x'], resolver }),
    request: (client, { model }) => {
      Object.assign(model.capabilities, { tools: false })
      return client.prompt('Go')
    },
    check({ prompts, events, result }) {
      expect(offeredIn(prompts[0])).toEqual([])
      expect(eventsOf(events, 'notice')).toEqual([
        {
          type: 'notice',
          code: 'tools-not-supported',
          message: expect.stringMatching(
            /^The model scripted cannot use tools, so it was not offered: a, x\. promptedTools\(model\)/,
          ),
          data: { tools: ['a', 'x'] },
          runId: expect.any(String),
        },
      ])
      expect(textOf(result.response)).toBe('I have no tools.')
    },
  })

  scenario('says nothing of it when none are offered', {
    script: ['Hello.'],
    request: (client, { model }) => {
      Object.assign(model.capabilities, { tools: false })
      return client.prompt('Go')
    },
    check: ({ events }) => expect(eventsOf(events, 'notice')).toEqual([]),
  })
})

describe('with()', () => {
  it('keeps tools, context, advisors and the loop’s settings', async () => {
    const seen: string[] = []
    const call = { toolCalls: [{ name: 'a' }] }
    const model = scriptedModel([call, call, call, 'never'])
    const client = ChatClient.create(model, {
      system: 'One.',
      tools: [named('a')],
      toolContext: { tenant: 't' },
      options: { seed: 1 },
      limits: { rounds: 2 },
      toolCalling: { onLoopStart: () => void seen.push('loop') },
      advisors: [advisor({ name: 'seen', order: 0, before: () => void seen.push('advisor') })],
    })
    const other = client.with({ system: 'Two.' })
    const { status, rounds } = await other.prompt('Go').call().result()
    expect([status, rounds.length]).toEqual(['limit', 2])
    expect(seen).toEqual(['advisor', 'loop'])
    expect(textOf(model.prompts[0]!.messages[0]!)).toBe('Two.')
    expect(offeredIn(model.prompts[0])).toEqual(['a'])
    expect(model.prompts[0]!.options).toMatchObject({ seed: 1, toolContext: { tenant: 't' } })
  })

  it('what it is given replaces the default', async () => {
    const model = scriptedModel(['1', '2'])
    const client = ChatClient.create(model, { tools: [named('a')], toolContext: { a: 1 } })
    await client
      .with({ tools: [named('b')], toolContext: { b: 1 } })
      .prompt('Go')
      .call()
      .content()
    await client.prompt('Go').call().content()
    expect(model.prompts.map(offeredIn)).toEqual([['b'], ['a']])
    expect(model.prompts.map((prompt) => prompt.options!.toolContext)).toEqual([{ b: 1 }, { a: 1 }])
  })

  it('shares what tools share: a cached result, until the manager’s own options change', async () => {
    let runs = 0
    const cached = tool({ name: 'a', cache: { ttlMs: 1000 }, execute: () => ++runs })
    const model = scriptedModel(
      Array.from({ length: 8 }, (_, i) => (i % 2 ? 'ok' : { toolCalls: [{ name: 'a' }] })),
    )
    const client = ChatClient.create(model, { tools: [cached], clock: manualClock() })
    for (const each of [client, client.with({ system: 'Two.' }), client.with({})])
      await each.prompt('Go').call().content()
    expect(runs).toBe(1)
    await client
      .with({ limits: { parallel: 1 } })
      .prompt('Go')
      .call()
      .content()
    expect(runs).toBe(2)
  })

  it('refuses options that belong to the manager the client was given', () => {
    const client = ChatClient.create(scriptedModel([]), { manager: toolCallingManager() })
    expect(() => client.with({ limits: { rounds: 1 } })).toThrow(/manager and limits/)
    expect(() => client.with({ sytem: 'x' } as never)).toThrow(/Did you mean "system"/)
  })

  it('keeps memory apart by conversation, not by client', async () => {
    const model = scriptedModel(['1', '2'])
    const advisors = [chatMemoryAdvisor(messageWindowMemory())]
    const client = ChatClient.create(model, { advisors })
    await client.prompt('One').conversation('c').call().content()
    await client.with({ system: 'S' }).prompt('Two').conversation('c').call().content()
    expect(model.prompts[1]!.messages.map((message) => textOf(message))).toEqual([
      'S',
      'One',
      '1',
      'Two',
    ])
  })
})
