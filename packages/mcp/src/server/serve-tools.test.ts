/** Tools as clients see and call them, over HTTP and in both protocols. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { tool, type ToolSource } from 'toolwright'
import { recordingObserver } from 'toolwright/testing'
import type { TraceContext } from '../client/mcp-tools-options.ts'
import { serveTools } from './serve-tools.ts'
import type { ServeToolsOptions } from './serve-tools-options.ts'
import {
  add,
  connected,
  lastMessage,
  listening,
  rpc,
  serve,
  textOfResult,
} from './serving.cases.ts'

const returning = (value: unknown, more: object = {}): ToolSource =>
  tool({
    name: 'gives',
    description: 'Gives',
    input: { type: 'object', properties: {} },
    ...more,
    execute: () => value,
  })
const GIVES = { name: 'gives', arguments: {} }

it('asks for the tools once for each call', async () => {
  let asked = 0
  const source = { toolCallbacks: () => (asked++, [add]) }
  const url = await serve(source)
  const call = { name: 'add', arguments: { a: 1, b: 2 } }
  const { result } = await rpc(url, 'tools/call', call)
  expect(result).toMatchObject({ structuredContent: { sum: 3 } })
  expect(asked).toBe(1)
})

describe('the trace of the client', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const traces = new AsyncLocalStorage<TraceContext>()
  const inTrace = <Result>(trace: TraceContext, call: () => Promise<Result>): Promise<Result> =>
    traces.run(trace, call)
  const seen = tool({
    name: 'seen',
    description: 'Says which trace it sees',
    input: { type: 'object', properties: {} },
    execute: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return JSON.stringify(traces.getStore() ?? null)
    },
  })
  const seenBy = async (_meta: object, options: Partial<ServeToolsOptions>): Promise<unknown> => {
    const params = { name: 'seen', arguments: {}, _meta }
    const { result } = await rpc(await serve(seen, options), 'tools/call', params)
    return JSON.parse(textOfResult(result!))
  }

  it('is around the tool, and nothing else of _meta', async () => {
    const trace = { traceparent, tracestate: 'a=1', baggage: 'user=7' }
    expect(await seenBy({ ...trace, other: 'x' }, { inTrace })).toEqual(trace)
  })

  it('is left out where it is not asked for, not sent, or not one', async () => {
    expect(await seenBy({ traceparent }, {})).toBeNull()
    expect(await seenBy({}, { inTrace })).toBeNull()
    const wrong = { traceparent: 'x', tracestate: 'a\nb', baggage: 'x'.repeat(9000) }
    expect(await seenBy(wrong, { inTrace })).toBeNull()
  })
})

describe('long lists', () => {
  const many = (count: number): readonly ToolSource[] =>
    Array.from({ length: count }, (_each, at) =>
      tool({ name: `tool_${at}`, description: 'One of many', execute: () => at }),
    )

  it.each(['modern', 'legacy'] as const)(
    '5,000 tools reach a %s client, page by page',
    async (era) => {
      const client = await connected(await serve(many(5_000)), { era })
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(many(5_000).map((_each, at) => `tool_${at}`))
      await client.close()
    },
  )

  it('tools, prompts and resources come in pages of 1,000', async () => {
    const numbers = Array.from({ length: 1_001 }, (_each, at) => at)
    const url = await serve(many(1_001), {
      prompts: numbers.map((at) => ({ name: `p${at}`, get: () => 'text' })),
      resources: numbers.flatMap((at) => [
        { uri: `n://${at}`, name: `r${at}`, read: () => 'text' },
        { uri: `n://${at}/{x}`, name: `t${at}`, read: () => 'text' },
      ]),
    })
    for (const [method, key] of [
      ['tools/list', 'tools'],
      ['prompts/list', 'prompts'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
    ] as const) {
      const first = (await rpc(url, method)).result!
      expect(first[key]).toHaveLength(1_000)
      const { result } = await rpc(url, method, { cursor: first.nextCursor })
      expect(result![key]).toHaveLength(1)
      expect(result!.nextCursor).toBeUndefined()
      const { error } = await rpc(url, method, { cursor: 'bm8' })
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('cursor') })
    }
  })
})

describe('the list of tools', () => {
  it('has annotations, titles, schemas and how long it may be kept', async () => {
    const { result } = await rpc(await serve(add, { listTtlMs: 5000 }), 'tools/list')
    expect(result).toMatchObject({ ttlMs: 5000, cacheScope: 'private' })
    expect(result!.tools).toEqual([
      {
        name: 'add',
        title: 'Addition',
        description: 'Adds two numbers',
        inputSchema: expect.objectContaining({ type: 'object', required: ['a', 'b'] }),
        outputSchema: expect.objectContaining({ required: ['sum'] }),
        annotations: { title: 'Addition', readOnlyHint: true, openWorldHint: false },
      },
    ])
  })

  it('keeps the order of its sources', async () => {
    const names = ['zebra', 'ant', 'middle', 'b2', 'b1']
    const sources = names.map((name) =>
      tool({
        name,
        description: name,
        input: { type: 'object', properties: {} },
        execute: () => 1,
      }),
    )
    const url = await serve([{ toolCallbacks: async () => sources.slice(0, 2) }, sources.slice(2)])
    for (let time = 0; time < 2; time++) {
      const { result } = await rpc(url, 'tools/list')
      expect((result!.tools as { name: string }[]).map(({ name }) => name)).toEqual(names)
    }
  })

  it('writes names that MCP does not allow in allowed characters, and finds them again', async () => {
    const odd = tool({
      name: 'größe messen',
      description: 'Misst',
      input: { type: 'object', properties: {} },
      execute: () => 'gemessen',
    })
    const url = await serve(odd)
    const { result } = await rpc(url, 'tools/list')
    const [{ name } = { name: '' }] = result!.tools as { name: string }[]
    expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/)
    const called = await rpc(url, 'tools/call', { name, arguments: {} })
    expect(textOfResult(called.result!)).toBe('gemessen')
  })

  it('is discovered with versions, instructions and the server’s name', async () => {
    const { result } = await rpc(
      await serve(add, { instructions: 'Add first.' }),
      'server/discover',
    )
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      instructions: 'Add first.',
      capabilities: { tools: { listChanged: true } },
    })
    expect(JSON.stringify(result!._meta)).toContain('"name":"test"')
  })

  it.each(['modern', 'legacy'] as const)('tells %s clients when it changed', async (era) => {
    const { served, listening: at } = await listening(add)
    const client = await connected(at.url, { era })
    const heard = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    )
    if (era === 'modern') await client.listen({ toolsListChanged: true } as never)
    // The stream of the older protocol is opened by itself; it may need a moment.
    const telling = setInterval(() => void served.toolsChanged(), 20)
    await heard
    clearInterval(telling)
    await client.close()
  })
})

describe('a result', () => {
  it('of media becomes blocks', async () => {
    const data = Buffer.from('hello').toString('base64')
    const url = await serve(
      returning([
        { type: 'text', text: 'Look' },
        { type: 'image', mediaType: 'image/png', data },
        { type: 'audio', mediaType: 'audio/wav', data },
        { type: 'file', mediaType: 'application/pdf', data, name: 'a b.pdf' },
        { type: 'image', mediaType: 'image/png', url: 'https://example.com/x.png', name: 'x' },
        { type: 'image', mediaType: 'image/png', data: '%%%' },
      ]),
    )
    const { result } = await rpc(url, 'tools/call', GIVES)
    expect(result!.content).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image', mimeType: 'image/png', data },
      { type: 'audio', mimeType: 'audio/wav', data },
      {
        type: 'resource',
        resource: { uri: 'attachment:///a%20b.pdf', mimeType: 'application/pdf', blob: data },
      },
      { type: 'resource_link', uri: 'https://example.com/x.png', name: 'x', mimeType: 'image/png' },
      { type: 'text', text: '[image left out: its data is not base64]' },
    ])
  })

  it.each([
    ['a number', 42, { type: 'number' }],
    ['a text', '42', { type: 'string' }],
    [
      'a list',
      [1, 2],
      { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } },
    ],
    ['nothing', null, { type: 'null' }],
  ])(
    'that is %s is whole for the newer protocol and wrapped for the older',
    async (_name, value, output) => {
      const url = await serve(returning(value, { output }))
      const modern = await connected(url)
      await modern.listTools()
      const whole = await modern.callTool(GIVES)
      expect(whole.structuredContent).toEqual(value)
      const legacy = await connected(url, { era: 'legacy' })
      const { tools } = await legacy.listTools()
      expect(tools[0]!.outputSchema).toMatchObject({ type: 'object', required: ['result'] })
      // The client checks it against the schema that was listed.
      const wrapped = await legacy.callTool(GIVES)
      expect(wrapped.structuredContent).toEqual({ result: value })
      expect(textOfResult(wrapped)).toBe(typeof value === 'string' ? value : JSON.stringify(value))
      await modern.close()
      await legacy.close()
    },
  )

  it('of ten megabytes is cut; one with a schema says so instead', async () => {
    const long = 'x'.repeat(10_000_000)
    const { result } = await rpc(await serve(returning(long)), 'tools/call', GIVES)
    expect(textOfResult(result!).length).toBeLessThan(70_000)
    const url = await serve(returning({ long }, { output: { type: 'object' } }))
    const structured = await rpc(url, 'tools/call', GIVES)
    expect(structured.result).toMatchObject({ isError: true })
    expect(textOfResult(structured.result!)).toContain('larger than this server sends')
  })

  it('that refers to itself is one outcome all the same', async () => {
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    const { result } = await rpc(await serve(returning(cyclic)), 'tools/call', GIVES)
    expect(textOfResult(result!)).toContain('self')
  })

  it('never shows what its converter takes out', async () => {
    const url = await serve(
      returning(
        { user: 'ada', key: 'hidden-value' },
        {
          output: { type: 'object' },
          resultConverter: () => '{"user":"ada"}',
        },
      ),
    )
    const { result } = await rpc(url, 'tools/call', GIVES)
    expect(result!.structuredContent).toEqual({ user: 'ada' })
    expect(JSON.stringify(result)).not.toContain('hidden-value')
  })
})

describe('a call that fails', () => {
  const failing = (execute: () => unknown, more: object = {}): ToolSource =>
    tool({
      name: 'gives',
      description: 'Fails',
      input: { type: 'object', properties: {} },
      ...more,
      execute,
    })

  it('is an error in the result, without secrets', async () => {
    const url = await serve(
      failing(() => {
        throw new Error('refused with key sk-abcdef0123456789abcdef')
      }),
    )
    const { result } = await rpc(url, 'tools/call', GIVES)
    expect(result).toMatchObject({ isError: true })
    expect(textOfResult(result!)).toContain('refused with key')
    expect(JSON.stringify(result)).not.toContain('abcdef0123456789')
  })

  it('by a program that lets its errors through says nothing of them', async () => {
    const url = await serve(
      failing(() => {
        throw new Error('internal detail')
      }),
      {
        exceptionProcessor: ({ cause }) => {
          throw cause
        },
      },
    )
    const answer = await rpc(url, 'tools/call', GIVES)
    expect(answer.error).toMatchObject({ code: -32603 })
    expect(JSON.stringify(answer)).not.toContain('internal detail')
  })

  it('because it hangs ends with its time', async () => {
    const url = await serve(failing(() => new Promise(() => {}), { timeoutMs: 50 }))
    const { result } = await rpc(url, 'tools/call', GIVES)
    expect(result).toMatchObject({ isError: true })
    expect(textOfResult(result!)).toContain('50 ms')
  })

  it('because of its arguments reads what to correct', async () => {
    const { result } = await rpc(await serve(add), 'tools/call', {
      name: 'add',
      arguments: { a: 1 },
    })
    expect(result).toMatchObject({ isError: true })
    expect(textOfResult(result!)).toContain('$.b')
  })

  it('because there is no such tool is an error of the protocol', async () => {
    const { error } = await rpc(await serve(add), 'tools/call', { name: 'sub', arguments: {} })
    expect(error).toMatchObject({ code: -32602, message: 'Unknown tool: sub' })
  })

  it('because the policy denies it says why', async () => {
    const url = await serve(add, { policy: () => ({ deny: 'Not on Sundays.' }) })
    const { result } = await rpc(url, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } })
    expect(result).toMatchObject({ isError: true })
    expect(textOfResult(result!)).toContain('Not on Sundays.')
  })
})

it('a call is observed, and gets the context of the server and of its caller', async () => {
  const observer = recordingObserver()
  const whoami = tool({
    name: 'gives',
    description: 'Says who asks',
    input: { type: 'object', properties: {} },
    execute: (_input: unknown, { values }) => values,
  })
  const url = await serve(whoami, {
    observer,
    toolContext: { region: 'north' },
    auth: { verify: (token) => ({ id: token, context: { user: token } }) },
  })
  const { result } = await rpc(url, 'tools/call', GIVES, {
    headers: { authorization: 'Bearer ada' },
  })
  expect(JSON.parse(textOfResult(result!))).toEqual({ region: 'north', user: 'ada' })
  expect(observer.outline().join()).toContain('gives')
})

describe('progress', () => {
  const steps = tool({
    name: 'gives',
    description: 'Reports',
    input: { type: 'object', properties: {} },
    execute: (_input: unknown, { progress }) => {
      progress(1)
      progress({ progress: 2, total: 4, message: 'half' })
      progress(2)
      progress('nearly')
      return 'done'
    },
  })

  it.each(['modern', 'legacy'] as const)('grows, for a %s client that wants it', async (era) => {
    const client = await connected(await serve(steps), { era })
    const heard: object[] = []
    await client.callTool(GIVES, { onprogress: (each) => void heard.push(each) })
    expect(heard).toEqual([
      { progress: 1 },
      { progress: 2, total: 4, message: 'half' },
      { progress: 3, message: 'nearly' },
    ])
    await client.close()
  })

  it('is not sent to a client that did not ask', async () => {
    const url = await serve(steps)
    const { result } = await rpc(url, 'tools/call', GIVES)
    expect(textOfResult(result!)).toBe('done')
  })
})

describe('a client that gives up', () => {
  function waitingTool(): { source: ToolSource; started: Promise<void>; aborted: Promise<void> } {
    let start = (): void => {}
    let abort = (): void => {}
    const started = new Promise<void>((resolve) => (start = resolve))
    const aborted = new Promise<void>((resolve) => (abort = resolve))
    const source = tool({
      name: 'gives',
      description: 'Waits',
      input: { type: 'object', properties: {} },
      execute: (_input: unknown, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => (abort(), reject(signal.reason as Error)))
          start()
        }),
    })
    return { source, started, aborted }
  }

  it('by closing the response aborts the tool', async () => {
    const { source, started, aborted } = waitingTool()
    const controller = new AbortController()
    const asking = rpc(await serve(source), 'tools/call', GIVES, { signal: controller.signal })
    await started
    controller.abort()
    await expect(asking).rejects.toThrow()
    await aborted
  })

  it.each(['modern', 'legacy'] as const)('with the SDK, %s, aborts the tool', async (era) => {
    const { source, started, aborted } = waitingTool()
    const client = await connected(await serve(source), { era })
    const controller = new AbortController()
    const calling = client.callTool(GIVES, { signal: controller.signal })
    await started
    controller.abort()
    await expect(calling).rejects.toThrow()
    await aborted
    await client.close()
  })
})

it('is a web-standard handler without a network', async () => {
  const served = serveTools(add, { name: 'test', version: '1' })
  const response = await served.fetch(
    new Request('http://localhost/', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'add', arguments: { a: 1, b: 2 } },
      }),
    }),
  )
  expect(response.status).toBe(200)
  expect(lastMessage(await response.text())).toMatchObject({
    id: 7,
    result: { structuredContent: { sum: 3 } },
  })
  await served.close()
})

it.each([
  [{ name: '', version: '1' }, 'name and the version'],
  [{ name: 'x', version: '1', stateSecret: 'short' }, 'at least 16 characters'],
  [{ name: 'x', version: '1', auth: { token: '' } }, 'everybody would be let in'],
  [{ name: 'x', version: '1', taskAfterMs: -1 }, 'taskAfterMs'],
])('refuses options %j', (options, words) => {
  expect(() => serveTools(add, options)).toThrow(words)
})

it('does not listen to the network without auth', async () => {
  const served = serveTools(add, { name: 'x', version: '1' })
  await expect(served.listen({ port: 0, host: '0.0.0.0' })).rejects.toThrow(/Give auth/)
  await expect(served.listen({ port: 0, host: '192.168.1.1' })).rejects.toThrow(/Give auth/)
})

it('a provider that fails is an error without the program’s words, and the next request is served', async () => {
  let fails = true
  const provider = {
    toolCallbacks: () => {
      if (fails) throw new Error('no database at sk-abcdef0123456789abcdef')
      return [add]
    },
  }
  const url = await serve(provider)
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', { name: 'add', arguments: {} }],
  ] as const) {
    const { error } = await rpc(url, method, params)
    expect(error).toMatchObject({ code: -32603 })
    expect(error!.message).not.toContain('abcdef0123456789')
  }
  fails = false
  expect((await rpc(url, 'tools/list')).result!.tools).toHaveLength(1)
})

it('two tools of one name are refused when they are listed', async () => {
  const { error } = await rpc(await serve([add, { ...add }]), 'tools/list')
  expect(error!.message).toContain('add')
})
