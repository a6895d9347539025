/** Asking: requests, runs and their readers. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  textOf,
  tool,
  toolCallsOf,
  type ChatEvent,
  type Prompt,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import { scriptedModel, type ScriptedModel } from 'toolwright/testing'
import { scenario } from './scenario.ts'

const named = (name: string): ToolCallback => tool({ name, execute: () => name })
const offeredIn = (prompt: Prompt | undefined): readonly string[] =>
  ((prompt?.options?.tools ?? []) as readonly ToolCallback[]).map((each) => each.definition.name)

describe('a run', () => {
  it('is lazy: nothing happens until a result is asked', async () => {
    const model = scriptedModel(['Hello.'])
    const call = ChatClient.create(model).prompt('Go').call()
    ChatClient.create(model).prompt('Go').stream().events()
    await Promise.resolve()
    expect(model.prompts).toHaveLength(0)
    expect(await call.content()).toBe('Hello.')
  })

  it('is executed once, however many results are asked of it', async () => {
    const model = scriptedModel(['Hello.'])
    const run = ChatClient.create(model).prompt('Go').call()
    const [text, response, result] = await Promise.all([
      run.content(),
      run.chatResponse(),
      run.result(),
    ])
    expect(text).toBe('Hello.')
    expect(result.response).toBe(response)
    expect(await run.content()).toBe('Hello.')
    expect(model.prompts).toHaveLength(1)
  })

  it('replays its events to later readers, also beside each other', async () => {
    const model = scriptedModel(['one two three'])
    const run = ChatClient.create(model).prompt('Go').stream()
    const read = async (): Promise<ChatEvent[]> => {
      const events: ChatEvent[] = []
      for await (const event of run.events()) events.push(event)
      return events
    }
    const [first, second] = await Promise.all([read(), read()])
    const third = await read()
    expect(first.map((event) => event.type)).toEqual([
      'text-delta',
      'text-delta',
      'text-delta',
      'round-end',
      'response',
    ])
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(model.prompts).toHaveLength(1)
  })

  it('fails the same way for every reader', async () => {
    const failure = new Error('model down')
    const run = ChatClient.create(scriptedModel([{ text: 'Half ', error: failure }]))
      .prompt('Go')
      .stream()
    await expect(run.result()).rejects.toBe(failure)
    await expect(run.chatResponse()).rejects.toBe(failure)
    const seen: string[] = []
    const read = async (): Promise<void> => {
      for await (const piece of run.content()) seen.push(piece)
    }
    await expect(read()).rejects.toBe(failure)
    expect(seen.join('')).toBe('Half ')
  })

  it('is aborted when its only reader leaves', async () => {
    const signals: AbortSignal[] = []
    const scripted = scriptedModel(['one two three'])
    const model: ScriptedModel = {
      ...scripted,
      stream: (prompt, run) => (signals.push(run!.signal!), scripted.stream(prompt, run)),
    }
    const run = ChatClient.create(model).prompt('Go').stream()
    for await (const event of run) if (event.type === 'text-delta') break
    expect(signals[0]!.aborted).toBe(true)
    await expect(run.result()).rejects.toMatchObject({ code: 'run-abandoned' })
  })

  it('goes on when one of two readers leaves', async () => {
    const run = ChatClient.create(scriptedModel(['one two three']))
      .prompt('Go')
      .stream()
    const result = run.result()
    for await (const event of run) if (event.type === 'text-delta') break
    expect(textOf((await result).response)).toBe('one two three')
  })

  it('is aborted when a reader leaves that waits for a silent model', async () => {
    const run = ChatClient.create(scriptedModel([{ hang: true }]))
      .prompt('Go')
      .stream()
    const events = run.events()
    const waiting = events.next()
    waiting.catch(() => {})
    await Promise.resolve()
    await events.return()
    await expect(run.result()).rejects.toMatchObject({ code: 'run-abandoned' })
  })

  it('streams the answer of a model that has no deltas', async () => {
    const scripted = scriptedModel(['All at once.'])
    const model: ScriptedModel = {
      ...scripted,
      async *stream(prompt, run) {
        yield { type: 'response', response: await scripted.call(prompt, run) }
      },
    }
    const pieces: string[] = []
    for await (const piece of ChatClient.create(model).prompt('Go').stream().content())
      pieces.push(piece)
    expect(pieces).toEqual(['All at once.'])
  })

  for (const mode of ['call', 'stream'] as const) {
    it(`rejects an answer without any generation (${mode})`, async () => {
      const empty = { results: [], usage: {}, metadata: {} }
      const model: ScriptedModel = {
        ...scriptedModel([]),
        call: async () => empty,
        async *stream() {
          yield { type: 'response', response: empty }
        },
      }
      const request = ChatClient.create(model).prompt('Go')
      const run = mode === 'call' ? request.call() : request.stream()
      await expect(run.result()).rejects.toMatchObject({ code: 'invalid-response' })
    })
  }

  it('rejects a stream that ends without a response', async () => {
    const model: ScriptedModel = {
      ...scriptedModel([]),
      async *stream() {
        yield { type: 'text-delta', text: 'Half' }
      },
    }
    const run = ChatClient.create(model).prompt('Go').stream()
    await expect(run.result()).rejects.toMatchObject({ code: 'incomplete-stream' })
  })
})

describe('toReadableStream', () => {
  const linesOf = async (stream: ReadableStream<Uint8Array>): Promise<readonly ChatEvent[]> => {
    const text = await new Response(stream).text()
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ChatEvent)
  }

  it('with full, is every event as a line of JSON', async () => {
    const run = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'big' }] }, 'Done.']), {
      tools: [tool({ name: 'big', execute: () => 10n })],
    })
      .prompt('Go')
      .stream()
    const lines = await linesOf(run.toReadableStream({ full: true }))
    const events: ChatEvent[] = []
    for await (const event of run) events.push(event)
    expect(lines.map((line) => line.type)).toEqual(events.map((event) => event.type))
    expect(lines.find((line) => line.type === 'tool-result')).toMatchObject({
      response: { content: '10' },
      value: '10',
    })
  })

  it('aborts the run when it is cancelled, also while the model is silent', async () => {
    for (const script of [['one two three'], [{ hang: true }]]) {
      const run = ChatClient.create(scriptedModel(script)).prompt('Go').stream()
      const reader = run.toReadableStream().getReader()
      const first = reader.read()
      if (script[0] === 'one two three') await first
      else await new Promise((wake) => setImmediate(wake))
      await reader.cancel()
      await expect(run.result()).rejects.toMatchObject({ code: 'run-abandoned' })
    }
  })
})

describe('a request', () => {
  it('is immutable: every word makes a new one', async () => {
    const model = scriptedModel(['1', '2', '3'])
    const client = ChatClient.create(model, { resolver: { resolve: () => named('byName') } })
    const base = client.prompt('Go')
    const richer = base
      .system('Be brief.')
      .messages({ role: 'user', content: 'Earlier' })
      .tools(named('a'))
      .toolNames('byName')
      .options({ temperature: 0.5 })
      .toolContext({ key: 1 })
      .param('p', 1)
    await base.call().content()
    await richer.call().content()
    await base.call().content()
    expect(model.prompts[0]).toEqual(model.prompts[2])
    expect(model.prompts[0]!.messages).toEqual([{ role: 'user', content: 'Go' }])
    expect(offeredIn(model.prompts[1])).toEqual(['a', 'byName'])
    expect(model.prompts[1]).toMatchObject({
      options: { temperature: 0.5, toolContext: { key: 1 } },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Earlier' },
        { role: 'user', content: 'Go' },
      ],
    })
  })

  it('puts system first, then messages, then the user', async () => {
    const model = scriptedModel(['1', '2', '3'])
    const client = ChatClient.create(model, { system: 'Default.' })
    await client
      .prompt()
      .user('Now')
      .messages({ role: 'user', content: 'A' }, { role: 'assistant', content: 'B' })
      .call()
      .content()
    await client
      .prompt([{ role: 'user', content: 'Mine' }])
      .system('Other.')
      .call()
      .content()
    await client
      .prompt({ messages: [{ role: 'user', content: 'P' }], options: { seed: 7 } })
      .call()
      .content()
    const said = model.prompts.map((prompt) => prompt.messages.map((message) => textOf(message)))
    expect(said).toEqual([
      ['Default.', 'A', 'B', 'Now'],
      ['Other.', 'Mine'],
      ['Default.', 'P'],
    ])
    expect(model.prompts[2]!.options!.seed).toBe(7)
  })

  it('fills templates, in text parts too, and leaves other braces alone', async () => {
    const model = scriptedModel(['1', '2', '3'])
    const client = ChatClient.create(model)
    await client
      .prompt()
      .system('You are {who}.', { who: 'Ada' })
      .user('{"a": 1} {n}', { n: 2 })
      .call()
      .content()
    await client.prompt().user('{n} stays').call().content()
    await client
      .prompt()
      .user([{ type: 'text', text: 'See {what}' }], { what: 'this' })
      .call()
      .content()
    expect(
      model.prompts.map((prompt) => prompt.messages.map((message) => textOf(message))),
    ).toEqual([['You are Ada.', '{"a": 1} 2'], ['{n} stays'], ['See this']])
    expect(() => client.prompt().user('{name}', { nam: 1 })).toThrow(/"name".*Did you mean "nam"/)
    expect(() => client.prompt().user('{toString}', {})).toThrow(/toString/)
  })

  it('offers the client’s tools, its own instead, or both', async () => {
    const model = scriptedModel(Array.from({ length: 8 }, () => 'ok'))
    const byName = new Map(['x', 'y'].map((name) => [name, named(name)]))
    const client = ChatClient.create(model, {
      tools: [named('default')],
      toolNames: ['x'],
      resolver: { resolve: (name) => byName.get(name) },
    })
    const go = client.prompt('Go')
    const requests = [
      go,
      go.tools(named('a')),
      go.tools(named('a')).tools(named('b')),
      go.toolNames('y'),
      go.tools(),
      go.addTools(named('a')),
      go.addToolNames('y'),
      go.options({ tools: [named('o')] }),
    ]
    for (const request of requests) await request.call().content()
    expect(model.prompts.map(offeredIn)).toEqual([
      ['default', 'x'],
      ['a'],
      ['a', 'b'],
      ['y'],
      [],
      ['default', 'a', 'x'],
      ['default', 'x', 'y'],
      ['o'],
    ])
  })

  it('falls back to the tools of the model’s own options', async () => {
    const model = scriptedModel(['1', '2'], { options: { tools: [named('model')] } })
    const client = ChatClient.create(model)
    await client.prompt('Go').call().content()
    await client
      .with({ tools: [named('client')] })
      .prompt('Go')
      .call()
      .content()
    expect(model.prompts.map(offeredIn)).toEqual([['model'], ['client']])
  })

  it('with() changes defaults and leaves the first client alone', async () => {
    const model = scriptedModel(['1', '2'])
    const client = ChatClient.create(model, { system: 'One.', tools: [named('a')] })
    const other = client.with({ system: 'Two.', options: { temperature: 1 } })
    await client.prompt('Go').call().content()
    await other.prompt('Go').call().content()
    expect(model.prompts.map((prompt) => textOf(prompt.messages[0]!))).toEqual(['One.', 'Two.'])
    expect(model.prompts.map(offeredIn)).toEqual([['a'], ['a']])
    expect(model.prompts.map((prompt) => prompt.options!.temperature)).toEqual([undefined, 1])
  })

  scenario('toolCalling(false): calls come back unexecuted', {
    script: [{ toolCalls: [{ name: 'pay' }] }],
    request: (client) => client.prompt('Go').toolCalling(false),
    tools: ({ log }) => [tool({ name: 'pay', execute: () => void log.push('paid') })],
    check({ result, log, prompts }) {
      expect(log).toEqual([])
      expect(toolCallsOf(result.response)).toHaveLength(1)
      expect(result.response.results[0]!.finishReason).toBe('tool-calls')
      expect(offeredIn(prompts[0])).toEqual(['pay'])
    },
  })
})

describe('bad input', () => {
  const model = scriptedModel([])
  const client = ChatClient.create(model, { tools: [named('a')] })
  const go = client.prompt('Go')

  const atOnce: Record<string, readonly [make: () => unknown, code: string, words: RegExp]> = {
    'no model': [() => ChatClient.create(undefined as never), 'invalid-option', /chat model first/],
    'an unknown option': [
      () => ChatClient.create(model, { sytem: 'x' } as never),
      'unknown-option',
      /"sytem".*Did you mean "system"/,
    ],
    'an unknown option of the loop': [
      () => ChatClient.create(model, { toolCalling: { stopwhen: () => true } as never }),
      'unknown-option',
      /stopWhen/,
    ],
    'a manager and its options': [
      () => ChatClient.create(model, { manager: {} as never, limits: {} }),
      'invalid-option',
      /manager and limits/,
    ],
    'an exception processor and throwOnError': [
      () => ChatClient.create(model, { exceptionProcessor: () => '', throwOnError: true }),
      'invalid-option',
      /exceptionProcessor/,
    ],
    'a Standard Schema as outputSchema': [
      () => go.options({ outputSchema: z.object({ city: z.string() }) as never }),
      'invalid-option',
      /outputSchema is .*; it takes a JSON Schema; toJsonSchema\(schema\)/,
    ],
    'an empty state secret': [
      () => ChatClient.create(model, { stateSecret: '' }),
      'invalid-option',
      /stateSecret/,
    ],
    'a promise as a source': [
      () => go.tools(Promise.resolve(named('p')) as never),
      'invalid-tool-source',
      /promise/,
    ],
    'an empty object as a source': [
      () => go.tools({} as never),
      'invalid-tool-source',
      /empty object/,
    ],
    'an object without tools': [
      () => go.addTools({ a: 1 } as never),
      'invalid-tool-source',
      /"a" is 1/,
    ],
    'a record with something else in it': [
      () => go.tools({ a: named('a'), b: 5 } as never),
      'invalid-tool-source',
      /"b" is 5/,
    ],
    'a string as a source': [
      () => go.tools('weather' as never),
      'invalid-tool-source',
      /\.toolNames\("weather"\)/,
    ],
    'nothing as a source': [() => go.tools(undefined as never), 'invalid-tool-source', /nothing/],
    'null as a source': [() => go.tools(null as never), 'invalid-tool-source', /null/],
    'null as an added source': [() => go.addTools(null as never), 'invalid-tool-source', /null/],
    'nothing among sources': [
      () => go.tools([named('a'), null as never]),
      'invalid-tool-source',
      /null/,
    ],
    'a nameless tool': [() => go.tools(tool({ execute: () => 1 })), 'invalid-tool', /record/],
    'a client with a bad source': [
      () => ChatClient.create(model, { tools: [null as never] }),
      'invalid-tool-source',
      /null/,
    ],
    'an empty conversation id': [() => go.conversation(''), 'missing-conversation-id', /empty/],
    'half a conversation key': [
      () => go.conversation({ tenant: 'a', conversation: '' }),
      'missing-conversation-id',
      /empty/,
    ],
    'something else than a prompt': [() => client.prompt(5 as never), 'invalid-message', /prompt/],
    'an unknown option of tool()': [
      () => tool({ name: 'a', exectue: () => 1 } as never),
      'unknown-option',
      /Did you mean "execute"/,
    ],
    'a misspelt hint': [
      () => tool({ name: 'a', hints: { destructve: true } as never, execute: () => 1 }),
      'unknown-option',
      /Did you mean "destructive"/,
    ],
    'an approval that is neither yes nor a rule': [
      () => tool({ name: 'a', approval: 'always' as never, execute: () => 1 }),
      'invalid-tool',
      /approval/,
    ],
    'an empty name': [() => tool({ name: ' ', execute: () => 1 }), 'invalid-tool', /non-empty/],
    'an execute that is no function': [
      () => tool({ name: 'a', execute: 'ls' as never }),
      'invalid-tool',
      /execute is "ls"; it takes a function/,
    ],
    'a negative timeout': [
      () => tool({ name: 'a', timeoutMs: -1, execute: () => 1 }),
      'invalid-option',
      /timeoutMs/,
    ],
    'an unknown effect': [
      () => tool({ name: 'a', effect: 'twice' as never, execute: () => 1 }),
      'invalid-tool',
      /effect/,
    ],
    'a record of schemas': [
      () => tool({ name: 'a', input: { city: z.string() } as never, execute: () => 1 }),
      'invalid-schema',
      /z\.object/,
    ],
  }
  for (const [name, [make, code, words]] of Object.entries(atOnce)) {
    it(`${name}: an error at once`, () => {
      expect(make).toThrow(words)
      expect(make).toThrow(expect.objectContaining({ code }))
    })
  }

  const provider = (given: unknown): ToolSource => ({ toolCallbacks: () => given as never })
  const atStart: Record<string, readonly [request: () => typeof go, code: string, words: RegExp]> =
    {
      'two tools of one name': [() => go.tools(named('x'), named('x')), 'duplicate-tool', /"x"/],
      'two of one name, one by name': [
        () =>
          ChatClient.create(model, { resolver: { resolve: () => named('x') } })
            .prompt('Go')
            .tools(named('x'))
            .toolNames('x'),
        'duplicate-tool',
        /"x"/,
      ],
      'names without a resolver': [() => go.toolNames('weather'), 'unknown-tool-name', /resolver/],
      'an unknown name': [
        () =>
          ChatClient.create(model, {
            resolver: { resolve: () => undefined, names: () => ['weather'] },
          })
            .prompt('Go')
            .toolNames('wether'),
        'unknown-tool-name',
        /Did you mean "weather"/,
      ],
      'a provider of nothing': [
        () => go.tools(provider(undefined)),
        'invalid-tool-source',
        /nothing/,
      ],
      'a provider of something else': [
        () => go.tools(provider([1])),
        'invalid-tool-source',
        /gave 1 instead of a tool/,
      ],
      'nothing to ask': [() => client.prompt(), 'invalid-message', /nothing to ask/],
      'only a system text': [
        () => client.prompt().system('Be brief.'),
        'invalid-message',
        /nothing to ask/,
      ],
      'a message of an unknown role': [
        () => client.prompt([{ role: 'robot', content: 'x' } as never]),
        'invalid-message',
        /robot/,
      ],
    }
  for (const [name, [request, code, words]] of Object.entries(atStart)) {
    it(`${name}: an error before the model is asked`, async () => {
      await expect(request().call().content()).rejects.toMatchObject({ code })
      await expect(request().stream().result()).rejects.toThrow(words)
      expect(model.prompts).toEqual([])
    })
  }
})
