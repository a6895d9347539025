/** Servers at an address: both protocols, what goes over the wire, questions across processes, and refusals. */
import type { ServerResponse } from 'node:http'
import { inputRequired, type ServerContext } from '@modelcontextprotocol/server'
import { ChatClient, McpError, type RunState } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { mcpTools, type HttpServer, type McpTools, type McpToolsOptions } from '@toolwright/mcp'
import {
  ECHO,
  httpServer,
  type AskedRequest,
  type HttpServerOptions,
  type TestServer,
} from './http-server.ts'
import { ask, MODES, toldBy, type Mode, type Told } from './servers.ts'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close()
})

async function serving(options?: HttpServerOptions): Promise<TestServer> {
  const server = await httpServer(options)
  closing.push(server)
  return server
}

function toolsAt(
  server: TestServer,
  options?: McpToolsOptions & {
    readonly headers?: { readonly [name: string]: string }
    readonly auth?: HttpServer['auth']
  },
): McpTools {
  const { headers, auth, ...rest } = options ?? {}
  const tools = mcpTools(
    { url: server.url, headers, auth },
    { name: 'web', timeoutMs: 20_000, ...rest },
  )
  closing.push(tools)
  return tools
}

const echo = { name: 'echo', arguments: { words: 'hi' } }
const go = (mode: Mode, request: ReturnType<ChatClient['prompt']>): Promise<Told> =>
  toldBy(mode === 'call' ? request.call() : request.stream())
const carried = (state: RunState | undefined): RunState =>
  JSON.parse(JSON.stringify(state)) as RunState

describe.each(['modern', 'legacy'] as const)('%s', (era) => {
  test.each(MODES)('a call by %s', async (mode) => {
    const server = await serving()
    const { told, events } = await ask(toolsAt(server, { era }), [echo], { mode })
    expect(told).toMatchObject([{ content: 'echo: hi' }])
    const result = events.find((event) => event.type === 'tool-result')
    expect(result?.value).toMatchObject({ content: [{ type: 'text', text: 'echo: hi' }] })
    expect(result?.response.label).toEqual({ trust: 'untrusted', source: 'echo' })
  })

  test('the list is asked once, and again when its time is over, or refresh() says so', async () => {
    const server = await serving()
    const tools = toolsAt(server, { era })
    await ask(tools, [echo])
    await ask(tools, [echo])
    expect(server.of('tools/list')).toHaveLength(1)
    tools.refresh()
    await tools.toolCallbacks()
    expect(server.of('tools/list')).toHaveLength(2)
  })

  test('headers, token and what the program allows in _meta; nothing else', async () => {
    const server = await serving()
    const tools = toolsAt(server, {
      era,
      headers: { 'x-team': 'blue' },
      auth: 'token-of-mine',
      context: ['locale'],
      traceContext: () => ({ traceparent: '00-1-2-01', baggage: 'a=b' }),
    })
    const client = ChatClient.create(scriptedModel([{ toolCalls: [echo] }, 'Done.']))
    const request = client.prompt('Go').tools(tools)
    await request.toolContext({ locale: 'de', password: 'hidden' }).call().content()
    const [call] = server.of('tools/call')
    expect(call!.headers).toMatchObject({ authorization: 'Bearer token-of-mine', 'x-team': 'blue' })
    expect(call!.body.params!._meta).toMatchObject({
      traceparent: '00-1-2-01',
      baggage: 'a=b',
      'toolwright/context': { locale: 'de' },
      'toolwright/idempotency-key': expect.stringContaining('call_1') as string,
    })
    expect(JSON.stringify(call)).not.toContain('hidden')
  })
})

test('old and new protocol are told apart', async () => {
  const server = await serving()
  await toolsAt(server).toolCallbacks()
  expect(server.of('server/discover').length).toBeGreaterThan(0)
  expect(server.of('initialize')).toHaveLength(0)
})

test('parameters that the server wants as headers are sent as such', async () => {
  const tool = {
    ...ECHO,
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
  }
  const server = await serving({ tools: [tool] })
  await ask(toolsAt(server), [{ name: 'echo', arguments: { region: 'Köln' } }])
  expect(server.of('tools/call')[0]!.headers['mcp-param-region']).toMatch(/^=\?base64\?/)
})

test('a list that changed is asked again', async () => {
  let tools = [ECHO]
  const server = await serving({
    list: () => ({ tools }),
    capabilities: { tools: { listChanged: true } },
  })
  const source = toolsAt(server)
  expect(await source.toolCallbacks()).toHaveLength(1)
  await expect.poll(() => server.of('subscriptions/listen').length, { timeout: 20_000 }).toBe(1)
  tools = [ECHO, { ...ECHO, name: 'second' }]
  await expect
    .poll(
      async () => {
        server.toolsChanged()
        return (await source.toolCallbacks()).length
      },
      { timeout: 20_000 },
    )
    .toBe(2)
})

const SIZE = {
  type: 'object',
  properties: { size: { type: 'integer' } },
  required: ['size'],
} as const
const words = (text: string): object => ({ content: [{ type: 'text', text }] })

/** Asks for two things at once, then for one more, and remembers in its state. */
function asking({ mcpReq }: ServerContext): object {
  const { inputResponses } = mcpReq
  const state = mcpReq.requestState()
  if (state === undefined)
    return inputRequired({
      inputRequests: {
        a: inputRequired.elicit({ message: 'Size?', requestedSchema: SIZE as never }),
        b: inputRequired.elicit({ message: 'Second?', requestedSchema: SIZE as never }),
      },
      requestState: 'stäte-1 \u0001"',
    })
  if (state === 'stäte-1 \u0001"')
    return inputRequired({
      inputRequests: {
        c: inputRequired.elicit({ message: 'Sure?', requestedSchema: SIZE as never }),
      },
      requestState: `two ${JSON.stringify(inputResponses)}`,
    })
  return words(`${String(state)} ${JSON.stringify(inputResponses)}`)
}

describe.each(MODES)('questions of the new protocol, %s', (mode) => {
  test('several at once, several rounds, in other processes, state byte for byte', async () => {
    const server = await serving({ call: (_params, context) => asking(context) })
    const options = { stateSecret: 'a secret that several processes know' }
    const first = ChatClient.create(scriptedModel([{ toolCalls: [echo] }]), options)
    const one = await go(mode, first.prompt('Go').tools(toolsAt(server)))
    const { callId, question } = one.result.pending![0]!
    expect(question).toMatchObject({
      server: 'web',
      mode: 'several',
      requests: {
        a: { mode: 'form', message: 'Size?', requestedSchema: SIZE },
        b: { message: 'Second?' },
      },
    })
    expect(JSON.stringify(one.result.pending)).not.toContain('stäte')

    const elsewhere = (): ChatClient => ChatClient.create(scriptedModel(['Done.']), options)
    const resumed = async (told: Told, answer: unknown): Promise<Told> =>
      go(
        mode,
        elsewhere()
          .resume(carried(told.result.state), { [callId]: { answer: answer as never } })
          .tools(toolsAt(server)),
      )
    const wrong = await resumed(one, { a: { size: 1 }, b: { size: 'large' } })
    expect(wrong.result.pending![0]!.question).toMatchObject({
      problem: expect.stringMatching(/^b: /) as string,
    })
    expect(server.of('tools/call')).toHaveLength(1)
    const two = await resumed(wrong, { a: { size: 1 }, b: { action: 'decline' } })
    expect(two.result.pending![0]!.question).toMatchObject({ mode: 'form', message: 'Sure?' })
    const last = await resumed(two, { size: 7 })
    expect(last.result.status).toBe('done')
    expect(last.told[0]!.content).toContain('"a":{"action":"accept","content":{"size":1}}')
    expect(last.told[0]!.content).toContain('"b":{"action":"decline"}')
    expect(last.told[0]!.content).toContain('"c":{"action":"accept","content":{"size":7}}')
    const [, second] = server.of('tools/call')
    expect(second!.body.params).toMatchObject({ name: 'echo', requestState: 'stäte-1 \u0001"' })
    const ids = server.of('tools/call').map(({ body }) => body.id)
    expect(ids).toHaveLength(3)
  })

  test('state without a question is sent back at once, within bounds', async () => {
    let rounds = 0
    const server = await serving({
      call: (_params, { mcpReq }) =>
        ++rounds % 4 === 0
          ? words(`after ${String(mcpReq.requestState())}`)
          : inputRequired({ requestState: `s${rounds}` }),
    })
    const { told } = await ask(toolsAt(server), [echo], { mode })
    expect(told[0]).toMatchObject({ content: 'after s3' })
    const endless = await serving({ call: () => inputRequired({ requestState: 'again' }) })
    const refused = await ask(toolsAt(endless), [echo], { mode })
    expect(refused.told[0]).toMatchObject({ isError: true })
    expect(endless.of('tools/call').length).toBeLessThan(20)
  })
})

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  return { promise: new Promise<T>((done) => (resolve = done)), resolve }
}

test('an abort reaches the server, and the run ends once', async () => {
  const stopped = deferred<string>()
  const started = deferred<void>()
  const server = await serving({
    call: (_params, { mcpReq }) =>
      new Promise((resolve) => {
        started.resolve()
        mcpReq.signal.addEventListener('abort', () => {
          stopped.resolve('stopped')
          resolve(words('late'))
        })
      }),
  })
  const controller = new AbortController()
  const client = ChatClient.create(scriptedModel([{ toolCalls: [echo] }, 'Done.']))
  const run = client.prompt('Go').tools(toolsAt(server)).signal(controller.signal).call()
  const ended = expect(run.content()).rejects.toThrow('enough')
  await started.promise
  controller.abort(new Error('enough'))
  await ended
  expect(await stopped.promise).toBe('stopped')
})

test('a call that takes too long is given up', async () => {
  const server = await serving({ call: () => new Promise(() => undefined) })
  const { told } = await ask(toolsAt(server, { timeoutMs: 1_000 }), [echo])
  expect(told[0]).toMatchObject({ isError: true })
  expect(told[0]!.content).toMatch(/within 1000 ms/)
})

/** A server of the old protocol with sessions, written by hand: it asks on the stream of the call that it is about. */
function sessionServer(): { readonly options: HttpServerOptions; forget(): void } {
  const streams = new Map<string, { readonly response: ServerResponse; readonly id: unknown }>()
  let session = 'one'
  const send = (response: ServerResponse, message: object): void =>
    void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
  const intercept = (
    { method, headers, body }: AskedRequest,
    response: ServerResponse,
  ): boolean => {
    const { id, params = {} } = body
    const json = (result: object): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    if (method !== 'POST') response.writeHead(405).end()
    else if (body.method === 'server/discover') response.writeHead(400).end()
    else if (body.method === 'initialize') {
      const serverInfo = { name: 'session', version: '1' }
      json({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo })
    } else if (headers['mcp-session-id'] !== session) response.writeHead(404).end()
    else if (body.method === 'tools/list') json({ tools: [ECHO] })
    else if (body.method === 'tools/call') {
      const { words } = params.arguments as { readonly words: string }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (words === 'plain') {
        send(response, { id, result: { content: [{ type: 'text', text: 'plain' }] } })
        response.end()
        return true
      }
      streams.set(`ask-${words}`, { response, id })
      const asking = { message: `Size of ${words}?`, requestedSchema: SIZE }
      send(response, { id: `ask-${words}`, method: 'elicitation/create', params: asking })
    } else if (typeof id === 'string') {
      response.writeHead(202).end()
      const call = streams.get(id)!
      const text = `${id}: ${JSON.stringify((body as { readonly result?: unknown }).result)}`
      send(call.response, { id: call.id, result: { content: [{ type: 'text', text }] } })
      call.response.end()
    } else response.writeHead(202).end()
    return true
  }
  return { options: { intercept }, forget: () => (session = 'two') }
}

describe('sessions of the old protocol', () => {
  test('each run gets the question of its own call, and goes on with that call', async () => {
    const server = await serving(sessionServer().options)
    const tools = toolsAt(server)
    const runs = await Promise.all(
      ['shirt', 'shoe'].map(async (words) => {
        const toolCalls = [{ name: 'echo', arguments: { words } }]
        const client = ChatClient.create(scriptedModel([{ toolCalls }, 'Done.']), {
          tools: [tools],
        })
        return { client, words, ...(await toldBy(client.prompt('Go').call())) }
      }),
    )
    for (const { client, words, result } of runs.reverse()) {
      const { callId, question } = result.pending![0]!
      expect(question).toMatchObject({ message: `Size of ${words}?` })
      const after = await toldBy(
        client.resume(result.state!, { [callId]: { answer: { size: 4 } } }).call(),
      )
      expect(after.told[0]!.content).toBe(`ask-${words}: {"action":"accept","content":{"size":4}}`)
    }
    expect(server.of('tools/call')).toHaveLength(2)
  })

  test('a session that the server forgot is made anew, and the call is sent again', async () => {
    const { options, forget } = sessionServer()
    const server = await serving(options)
    const tools = toolsAt(server)
    await tools.toolCallbacks()
    forget()
    const { told } = await ask(tools, [{ name: 'echo', arguments: { words: 'plain' } }])
    expect(told[0]).toMatchObject({ content: 'plain' })
    expect(server.of('initialize')).toHaveLength(2)
  })
})

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(McpError)
  return (thrown as McpError).code
}

describe('refusals', () => {
  test.each([
    [401, 'mcp-unauthorized'],
    [403, 'mcp-unauthorized'],
    [404, 'mcp-unreachable'],
    [500, 'mcp-unreachable'],
  ])('%i', async (status, code) => {
    const server = await serving({
      intercept: (_asked, response) => {
        response.writeHead(status).end('no')
        return true
      },
    })
    expect(await codeOf(toolsAt(server).toolCallbacks())).toBe(code)
  })

  test('nobody listens', async () => {
    const server = await httpServer()
    await server.close()
    expect(await codeOf(toolsAt(server).toolCallbacks())).toBe('mcp-unreachable')
  })

  test('a redirect to another place does not get the token', async () => {
    const other = await serving()
    const server = await serving({
      intercept: (_asked, response) => {
        response.writeHead(307, { location: other.url }).end()
        return true
      },
    })
    await expect(toolsAt(server, { auth: 'token-of-mine' }).toolCallbacks()).rejects.toThrow()
    expect(JSON.stringify(other.asked)).not.toContain('token-of-mine')
  })

  test('an answer without an end is not read without end', async () => {
    const server = await serving({
      intercept: ({ body }, response) => {
        if (body.method !== 'tools/call') return false
        response.writeHead(200, { 'content-type': 'application/json' })
        const piece = Buffer.alloc(1_000_000, 'x')
        const more = (): void => {
          while (!response.destroyed && response.write(piece));
          if (!response.destroyed) response.once('drain', more)
        }
        response.on('error', () => undefined)
        more()
        return true
      },
    })
    const { told } = await ask(toolsAt(server), [echo])
    expect(told[0]).toMatchObject({ isError: true })
  })

  test('a connection that breaks in a call: nothing says whether it ran, and it is not sent again', async () => {
    const server = await serving({
      intercept: ({ body }, response) => {
        if (body.method !== 'tools/call') return false
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(': wait\n\n', () => response.destroy())
        return true
      },
    })
    const { told } = await ask(toolsAt(server), [echo])
    expect(told[0]!.content).toMatch(/nothing says whether it ran/)
    expect(server.of('tools/call')).toHaveLength(1)
    const trusted = await ask(toolsAt(server, { trust: 'trusted' }), [echo])
    expect(trusted.told[0]).toMatchObject({ isError: true })
    expect(server.of('tools/call')).toHaveLength(3)
  })

  test('an address to sign in at that is none of the web is not opened', async () => {
    const opened: string[] = []
    const base = (asked: { readonly headers: { readonly [name: string]: unknown } }): string =>
      `http://${String(asked.headers.host)}`
    const server = await httpServer({
      intercept: (asked, response) => {
        if (asked.method === 'GET') {
          const origin = base(asked)
          const metadata = {
            resource: `${origin}/mcp`,
            authorization_servers: [origin],
            issuer: origin,
            authorization_endpoint: 'javascript:alert(1)',
            token_endpoint: `${origin}/token`,
            registration_endpoint: `${origin}/register`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
          }
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify(metadata))
        } else response.writeHead(401).end()
        return true
      },
    })
    closing.push(server)
    const auth = {
      redirectUrl: 'http://127.0.0.1:1/callback',
      clientMetadata: { redirect_uris: ['http://127.0.0.1:1/callback'] },
      clientInformation: () => ({ client_id: 'me' }),
      tokens: () => undefined,
      saveTokens: () => undefined,
      redirectToAuthorization: (url: URL) => void opened.push(url.href),
      saveCodeVerifier: () => undefined,
      codeVerifier: () => 'verifier',
    }
    await expect(toolsAt(server, { auth }).toolCallbacks()).rejects.toThrow()
    expect(opened).toEqual([])
  })
})
