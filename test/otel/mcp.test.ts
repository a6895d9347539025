/** Calls through MCP: what the span of a call says on this side, the span of a request on the other, and the metrics of both. */
import { mcpTools, serveTools, type McpTools, type ServeToolsOptions } from '@toolwright/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { inTraceContext, otelObserver, traceContext } from '@toolwright/otel'
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, toolRunOf, type JsonObject } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { rawServer } from '../mcp/servers.ts'
import { telemetry, type SeenSpan } from './telemetry.ts'

const seen = telemetry()
const MODES = ['call', 'stream'] as const
type Mode = (typeof MODES)[number]
const VERSIONS = { legacy: '2025-11-25', modern: '2026-07-28' } as const
const CANARY = 'canary-7f3a'

const greet = tool({
  name: 'greet',
  input: { type: 'object', properties: { who: { type: 'string' } } },
  hints: { readOnly: true },
  execute: ({ who }) => `Hello ${String(who)}`,
})
const boom = tool({
  name: 'boom',
  hints: { readOnly: true },
  execute() {
    throw new RangeError(CANARY)
  },
})

const serving = (options: Partial<ServeToolsOptions> = {}) =>
  serveTools([greet, boom], {
    name: 'greeter',
    version: '1',
    clock: manualClock(),
    ids: countingIds(),
    observer: otelObserver({ agentName: 'greeter' }),
    inTrace: inTraceContext,
    ...options,
  })

const ARGUMENTS: { readonly [tool: string]: JsonObject } = {
  greet: { who: CANARY },
  boom: {},
  echo: { words: CANARY },
}

/** Asks a model that calls one tool. */
async function calling(tools: McpTools, name: string, mode: Mode): Promise<SeenSpan> {
  const toolCalls = [{ name, arguments: ARGUMENTS[name]! }]
  const client = ChatClient.create(scriptedModel([{ toolCalls }, 'Done.']), {
    clock: manualClock(),
    ids: countingIds(),
    observer: otelObserver({ agentName: 'here' }),
    tools: [tools],
  })
  await client.prompt('Go')[mode]().result()
  return seen.trees()[0]!.children!.find((span) => span.name.startsWith('execute_tool'))!
}

const point = (attributes: object) => [{ ...attributes, is: { count: 1, sum: 0 } }]
const withoutChildren = ({ children: _, ...span }: SeenSpan): object => span

/** What a call's span has besides what MCP adds. */
const calledSpan = (name: string, agent: string, callId: string): object => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.description': name,
  'gen_ai.tool.call.id': callId,
  'gen_ai.agent.name': agent,
  'toolwright.run.id': 'run_1',
})

describe.each(['legacy', 'modern'] as const)('over HTTP, %s', (era) => {
  for (const mode of MODES)
    it(`one span for the call here, one for the request there: ${mode}`, async () => {
      seen.reset()
      const served = serving()
      await using listening = await served.listen({ port: 0 })
      await using tools = mcpTools(
        { url: `http://127.0.0.1:${listening.port}/mcp?key=geheim` },
        { trust: 'trusted', era, traceContext },
      )
      const call = await calling(tools, 'greet', mode)
      await served.close()
      expect(seen.outline()).toEqual([
        'invoke_agent here',
        '  chat scripted',
        '  execute_tool greet',
        '    tools/call greet',
        '      execute_tool greet',
        '  chat scripted',
      ])
      const session =
        era === 'legacy' ? { 'mcp.session.id': expect.stringMatching(/^[\da-f]{16}$/) } : {}
      const id = call.attributes['jsonrpc.request.id']
      expect(id).toMatch(/^\d+$/)
      const said = {
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': VERSIONS[era],
        'network.transport': 'tcp',
      }
      const server = { 'server.address': '127.0.0.1', 'server.port': listening.port }
      expect(withoutChildren(call)).toEqual({
        name: 'execute_tool greet',
        kind: 'INTERNAL',
        attributes: {
          ...calledSpan('greet', 'here', 'call_1'),
          ...said,
          ...server,
          ...session,
          'jsonrpc.request.id': id,
        },
      })
      const [request] = call.children!
      expect(withoutChildren(request!)).toEqual({
        name: 'tools/call greet',
        kind: 'SERVER',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'greet',
          ...said,
          ...session,
          'jsonrpc.request.id': id,
          'toolwright.run.id': 'run_1',
        },
      })
      // Both sides name the session alike, and neither by its id.
      expect(request!.attributes['mcp.session.id']).toBe(call.attributes['mcp.session.id'])
      expect(request!.children).toEqual([
        {
          name: 'execute_tool greet',
          kind: 'INTERNAL',
          attributes: calledSpan('greet', 'greeter', 'call'),
        },
      ])
      const points = await seen.points()
      const about = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'greet',
        ...said,
      }
      expect(points['mcp.client.operation.duration']).toEqual(point({ ...about, ...server }))
      expect(points['mcp.server.operation.duration']).toEqual(point(about))
      // A request is no run of an agent, and asks no model.
      expect(points['gen_ai.invoke_agent.duration']).toEqual(point({ 'gen_ai.agent.name': 'here' }))
      expect(points['gen_ai.client.operation.duration']).toMatchObject([{ is: { count: 2 } }])
      const bounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
      const shapes = await seen.shapes()
      for (const side of ['client', 'server'])
        expect(shapes[`mcp.${side}.operation.duration`]).toEqual(['s', bounds])
      const text = await seen.everything()
      expect(text).not.toContain('geheim')
      expect(text).not.toContain('canary')
    })

  for (const mode of MODES)
    it(`nothing that anybody said is in the export, here or there: ${mode}`, async () => {
      seen.reset()
      const pay = tool({
        name: 'pay',
        input: { type: 'object', properties: { who: { type: 'string' } } },
        approval: true,
        preview: () => CANARY,
        execute: ({ who }, { progress }) => (progress(CANARY), `paid ${String(who)}`),
      })
      const served = serveTools([greet, boom, pay], {
        name: 'till',
        version: '1',
        instructions: CANARY,
        observer: otelObserver(),
        inTrace: inTraceContext,
      })
      await using listening = await served.listen({ port: 0 })
      await using tools = mcpTools(
        {
          url: `http://127.0.0.1:${listening.port}/mcp?key=${CANARY}`,
          headers: { 'x-note': CANARY, authorization: `Bearer ${CANARY}` },
        },
        { trust: 'trusted', era, traceContext },
      )
      const toolCalls = ['greet', 'boom', 'pay', `made-up-${CANARY}`].map((name) => {
        const args: JsonObject = name === 'boom' ? {} : { who: CANARY }
        return { name, arguments: args }
      })
      const client = ChatClient.create(scriptedModel([{ toolCalls }, CANARY]), {
        stateSecret: 'a secret of sixteen',
        observer: otelObserver(),
        system: CANARY,
        toolContext: { user: CANARY },
        tools: [tools],
      })
      const { state, pending } = await client.prompt(CANARY)[mode]().result()
      expect(JSON.stringify(pending)).toContain(`It would: ${CANARY}`)
      const answer = { action: 'accept', content: { approve: true, reason: CANARY } }
      const { messages } = await client.resume(state!, { call_3: { answer } })[mode]().result()
      await served.close()
      // The run was as busy as it should be.
      for (const told of [`Hello ${CANARY}`, `paid ${CANARY}`])
        expect(JSON.stringify(messages)).toContain(told)
      const lines = seen.outline().map((line) => line.trim())
      expect(lines).toEqual(
        expect.arrayContaining([
          'tools/call greet',
          'tools/call boom !',
          'tools/call pay',
          'execute_tool boom !',
          'execute_tool _OTHER !',
        ]),
      )
      expect(await seen.everything()).not.toContain('canary')
    })

  for (const mode of MODES)
    it(`a tool that fails is its code on its spans, and a tool_error of MCP: ${mode}`, async () => {
      seen.reset()
      const served = serving()
      await using listening = await served.listen({ port: 0 })
      await using tools = mcpTools({ url: listening.url }, { trust: 'trusted', era, traceContext })
      const call = await calling(tools, 'boom', mode)
      await served.close()
      const [request] = call.children!
      const [inner] = request!.children!
      const spans = [call, request!, inner!]
      expect(spans.map(({ failed }) => failed)).toEqual([true, true, true])
      expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([
        'tool-execution',
        'tool_error',
        'tool-execution',
      ])
      const points = await seen.points()
      for (const side of ['client', 'server'])
        expect(points[`mcp.${side}.operation.duration`]).toMatchObject([
          { 'gen_ai.tool.name': 'boom', 'error.type': 'tool_error', is: { count: 1 } },
        ])
      expect(points['gen_ai.execute_tool.duration']).toMatchObject([
        { 'gen_ai.agent.name': 'greeter', 'error.type': 'tool-execution' },
        { 'gen_ai.agent.name': 'here', 'error.type': 'tool-execution' },
      ])
      expect(await seen.everything()).not.toContain('canary')
    })
})

describe('over a pipe', () => {
  for (const mode of MODES) {
    it(`the call has no address and no session: ${mode}`, async () => {
      seen.reset()
      await using tools = mcpTools(rawServer('good'), { trust: 'trusted' })
      const { attributes } = await calling(tools, 'echo', mode)
      expect(attributes).toEqual({
        ...calledSpan('echo', 'here', 'call_1'),
        'gen_ai.tool.description': 'Says it again',
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': '2025-11-25',
        'network.transport': 'pipe',
        'jsonrpc.request.id': '1073741824',
      })
      expect(await seen.everything()).not.toContain('canary')
    })

    it(`a refusal has the code of JSON-RPC: ${mode}`, async () => {
      seen.reset()
      await using tools = mcpTools(rawServer('error-object'), { trust: 'trusted' })
      const { attributes, failed } = await calling(tools, 'echo', mode)
      expect(failed).toBe(true)
      expect(attributes).toMatchObject({
        'error.type': 'mcp-refused',
        'rpc.response.status_code': '-32602',
      })
      const points = await seen.points()
      expect(points['mcp.client.operation.duration']).toEqual(
        point({
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'echo',
          'mcp.method.name': 'tools/call',
          'mcp.protocol.version': '2025-11-25',
          'network.transport': 'pipe',
          'rpc.response.status_code': '-32602',
          'error.type': '-32602',
        }),
      )
      expect(await seen.everything()).not.toContain('canary')
    })
  }
})

describe('a call that waits', () => {
  for (const mode of MODES) {
    it(`says how it was sent in each leg: ${mode}`, async () => {
      seen.reset()
      await using tools = mcpTools(rawServer('asks'), { name: 'shop', trust: 'trusted' })
      const toolCalls = [{ name: 'write', arguments: { words: CANARY } }]
      const client = ChatClient.create(scriptedModel([{ toolCalls }, 'Done.']), {
        clock: manualClock(),
        ids: countingIds(),
        stateSecret: 'a secret of sixteen',
        observer: otelObserver(),
        tools: [tools],
      })
      const { state, pending } = await client.prompt('Go')[mode]().result()
      const answer = { answer: { action: 'accept', content: { size: 3 } } }
      await client
        .resume(state!, { [pending![0]!.callId]: answer })
        [mode]()
        .result()
      const calls = seen.finished().filter(({ name }) => name === 'execute_tool write')
      // The same request, held open meanwhile.
      expect(calls.map(({ attributes }) => attributes['jsonrpc.request.id'])).toEqual([
        '1073741824',
        '1073741824',
      ])
      expect((await seen.points())['mcp.client.operation.duration']).toMatchObject([
        { 'mcp.method.name': 'tools/call', is: { count: 2 } },
      ])
      expect(await seen.everything()).not.toContain('canary')
    })
  }

  it('is one request for each leg where it is served, which link to the first', async () => {
    seen.reset()
    const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
    const served = serveTools(pay, {
      name: 'till',
      version: '1',
      ids: countingIds(),
      observer: otelObserver(),
    })
    await using listening = await served.listen({ port: 0 })
    const client = new Client(
      { name: 'own', version: '1' },
      { capabilities: { elicitation: { form: {} } } },
    )
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { approve: true },
    }))
    await client.connect(new StreamableHTTPClientTransport(new URL(listening.url)))
    await client.callTool({ name: 'pay', arguments: {} })
    await client.close()
    await served.close()
    expect(seen.outline()).toEqual(['tools/call pay', 'tools/call pay', '  execute_tool pay'])
    const [first, second] = seen.trees()
    expect(first!.events).toEqual([
      { name: 'toolwright.suspended', attributes: { 'toolwright.pending.tools': ['pay'] } },
    ])
    expect(second!.attributes['toolwright.resumed']).toBe(true)
    const ids = seen.finished().filter(({ name }) => name === 'tools/call pay')
    expect(second!.links).toEqual([ids[0]!.spanContext().spanId])
  })
})

it('a served call that its client gives up is aborted, whatever the SDK throws', async () => {
  seen.reset()
  let hasBegun = (): void => {}
  const begun = new Promise<void>((resolve) => (hasBegun = resolve))
  const waits = tool({
    name: 'waits',
    hints: { readOnly: true },
    execute: (_input: unknown, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        hasBegun()
      }),
  })
  const served = serveTools([waits], { name: 'slow', version: '1', observer: otelObserver() })
  await using listening = await served.listen({ port: 0 })
  const client = new Client({ name: 'own', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(listening.url)))
  const leaving = new AbortController()
  const call = client
    .callTool({ name: 'waits', arguments: {} }, { signal: leaving.signal })
    .catch(() => undefined)
  await begun
  leaving.abort()
  await call
  await client.close()
  await served.close()
  expect(seen.trees()[0]!.attributes).toMatchObject({
    'mcp.method.name': 'tools/call',
    'error.type': 'AbortError',
  })
})

describe('what a tool of the program says', () => {
  for (const mode of MODES)
    it(`is on its span by the known names, and on no metric: ${mode}`, async () => {
      seen.reset()
      const asks = tool({
        name: 'asks',
        execute(_input: unknown, context) {
          toolRunOf(context).facts?.({
            'server.address': 'weather.example',
            'server.port': 443,
            'error.type': 'not mine to say',
            'gen_ai.tool.name': 'another',
            'my.own': CANARY,
            constructor: CANARY,
          })
        },
      })
      const client = ChatClient.create(
        scriptedModel([{ toolCalls: [{ name: 'asks' }] }, 'Done.']),
        {
          clock: manualClock(),
          ids: countingIds(),
          observer: otelObserver({ agentName: 'here' }),
          tools: [asks],
        },
      )
      await client.prompt('Go')[mode]().result()
      expect(seen.trees()[0]!.children![1]).toEqual({
        name: 'execute_tool asks',
        kind: 'INTERNAL',
        attributes: {
          ...calledSpan('asks', 'here', 'call_1'),
          'server.address': 'weather.example',
          'server.port': 443,
        },
      })
      const points = await seen.points()
      expect(points).not.toHaveProperty(['mcp.client.operation.duration'])
      expect(points['gen_ai.execute_tool.duration']).toEqual(
        point({
          'gen_ai.tool.name': 'asks',
          'gen_ai.tool.type': 'function',
          'gen_ai.agent.name': 'here',
        }),
      )
      expect(await seen.everything()).not.toContain('canary')
    })
})

describe('what else is served', () => {
  const prompts = [
    { name: 'hello', arguments: [{ name: 'who' }], get: () => CANARY },
    {
      name: 'broken',
      get(): never {
        throw new Error(CANARY)
      },
    },
  ]
  const resources = [
    { name: 'notes', uri: 'notes://{who}', read: () => CANARY },
    { name: 'lost', uri: 'lost://{who}', read: () => undefined },
  ]

  it('has its method and the name of a prompt, but no address of a resource', async () => {
    seen.reset()
    const served = serving({ prompts, resources })
    await using listening = await served.listen({ port: 0 })
    const client = new Client({ name: 'own', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(listening.url)))
    await client.getPrompt({ name: 'hello', arguments: { who: CANARY } })
    await client.readResource({ uri: `notes://${CANARY}` })
    await client.getPrompt({ name: 'broken' }).catch(() => undefined)
    await client.close()
    await served.close()
    expect(seen.outline()).toEqual([
      'prompts/get hello',
      '  execute_tool prompts/get hello',
      'resources/read',
      '  execute_tool resources/read notes',
      'prompts/get broken !',
      '  execute_tool prompts/get broken !',
    ])
    const [hello, read, broken] = seen.trees().map(({ attributes }) => attributes)
    expect(hello).toEqual({
      'mcp.method.name': 'prompts/get',
      'gen_ai.prompt.name': 'hello',
      'mcp.protocol.version': '2025-11-25',
      'mcp.session.id': expect.any(String),
      'network.transport': 'tcp',
      'jsonrpc.request.id': expect.any(String),
      'toolwright.run.id': 'run_1',
    })
    expect(read).not.toHaveProperty(['gen_ai.operation.name'])
    expect(broken).toMatchObject({ 'error.type': '-32603', 'rpc.response.status_code': '-32603' })
    const points = await seen.points()
    expect(
      points['mcp.server.operation.duration']!.map(
        (each) => (each as { [key: string]: unknown })['error.type'],
      ),
    ).toEqual([undefined, undefined, '-32603'])
    // Their names are ours, and no provider gets them: nobody is warned.
    expect(seen.trees().flatMap(({ events = [] }) => events)).toEqual([])
    expect(await seen.everything()).not.toContain('canary')
  })

  it('a resource that is not found is an error with the code that the client gets', async () => {
    seen.reset()
    const served = serving({ resources })
    await using listening = await served.listen({ port: 0 })
    const client = new Client({ name: 'own', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(listening.url)))
    const refused = await client
      .readResource({ uri: `lost://${CANARY}` })
      .catch((error: unknown) => error)
    await client.close()
    await served.close()
    expect(refused).toMatchObject({ code: -32602 })
    expect(seen.outline()).toEqual(['resources/read !', '  execute_tool resources/read lost'])
    const code = { 'error.type': '-32602', 'rpc.response.status_code': '-32602' }
    expect(seen.trees()[0]!.attributes).toMatchObject(code)
    expect((await seen.points())['mcp.server.operation.duration']).toMatchObject([
      { 'mcp.method.name': 'resources/read', ...code },
    ])
    expect(await seen.everything()).not.toContain('canary')
  })

  it('an id that a client made of words stays out', async () => {
    seen.reset()
    const served = serving()
    const body = (id: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'greet', arguments: {} },
    })
    for (const id of ['a word of canary', 'plain-7'])
      await served
        .fetch(
          new Request('http://127.0.0.1/mcp', {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
              host: '127.0.0.1',
            },
            body: JSON.stringify(body(id)),
          }),
        )
        .then((response) => response.text())
    await served.close()
    expect(seen.trees().map(({ attributes }) => attributes['jsonrpc.request.id'])).toEqual([
      undefined,
      'plain-7',
    ])
    expect(await seen.everything()).not.toContain('canary')
  })
})
