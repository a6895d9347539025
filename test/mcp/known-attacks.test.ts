/**
 * What was done to others, done to us. Each row of the catalogue of MCP faults, and each published hole that concerns MCP,
 * has a test; those that are not here are elsewhere:
 *
 *     MC-1   conformance.matrix.test.ts
 *     MC-2   tools.test.ts: pins
 *     MC-3   tools.test.ts: hidden characters, trust
 *     MC-4   tools.test.ts: names
 *     MC-5   bad-servers.matrix.test.ts: pages, 5,000 tools, a storm of news
 *     MC-6   bad-servers.matrix.test.ts: ids that were not asked
 *     MC-7   packages/mcp/src/server/http-safety.test.ts: many at once (CVE-2026-25536), and here
 *     MC-8   http-safety.test.ts: a session of the older protocol
 *     MC-9   http-safety.test.ts: host and origin (CVE-2025-66414)
 *     MC-10  http-safety.test.ts: a token; and here
 *     MC-11  here (CVE-2025-6514); wrong issuers: conformance.matrix.test.ts, auth/iss-*
 *     MC-12  bad-servers.matrix.test.ts: garbage, lines, processes
 *     MC-13  bad-servers.matrix.test.ts: a few harmless variables
 *     MC-14  here (CVE-2026-0621)
 *     MC-15  questions.test.ts: models and folders are refused; bad-servers.matrix.test.ts: a storm of requests
 *     MC-16  here; cuts.matrix.test.ts
 *     MC-17  here
 *     MC-18  bad-servers.matrix.test.ts: ids that were not asked (progress of another)
 *     MC-19  tools.test.ts: results; bad-servers.matrix.test.ts: lines; http.test.ts: an answer without an end (CVE-2026-8769)
 *     MC-20  bad-servers.matrix.test.ts: a protocol of another age; http-safety.test.ts: unknown versions
 *     CVE-2025-49596  packages/mcp/src/server/serve-tools.test.ts: does not listen to the network without auth
 */
import { McpError } from 'toolwright'
import { afterEach, describe, expect, test } from 'vitest'
import { mcpTools, serveTools, type McpAuth, type McpTools } from '@toolwright/mcp'
import { httpServer, type HttpServerOptions, type TestServer } from './http-server.ts'
import { ask, rawServer } from './servers.ts'
import { person, signInServer } from './sign-in-server.ts'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close()
})
const kept = <T extends { close(): Promise<void> }>(one: T): T => {
  closing.push(one)
  return one
}
const serving = async (options?: HttpServerOptions): Promise<TestServer> =>
  kept(await httpServer(options))
const toolsAt = (url: string, auth?: McpAuth): McpTools =>
  kept(mcpTools({ url, ...(auth && { auth }) }, { name: 'web', trust: 'trusted' }))
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'fine',
    (thrown: unknown) => (thrown instanceof McpError ? thrown.code : thrown),
  )
const echo = (words: string) => ({ name: 'echo', arguments: { words } })

test('MC-7, CVE-2026-25536: clients that count alike get their own answers', async () => {
  const { url } = await serving()
  const clients = Array.from({ length: 4 }, () => toolsAt(url))
  const answers = await Promise.all(
    clients.flatMap((tools, client) =>
      Array.from({ length: 25 }, async (_, call) => {
        const [tool] = await tools.toolCallbacks()
        const words = `${client}/${call}`
        return (await tool!.call(JSON.stringify({ words }))) === `echo: ${words}`
      }),
    ),
  )
  expect(answers).toEqual(Array(100).fill(true))
})

test("MC-10: a client's token goes no further than the server that it is for", async () => {
  const theirs = await serving()
  const ours = serveTools(toolsAt(theirs.url), {
    name: 'ours',
    version: '1.0.0',
    auth: { token: 'token-for-ours-only' },
  })
  const { url } = kept(await kept(ours).listen({ port: 0 }))
  const client = kept(mcpTools({ url, auth: 'token-for-ours-only' }, { trust: 'trusted' }))
  const { told } = await ask(client, [echo('hi')])
  expect(told).toMatchObject([{ content: 'echo: hi' }])
  expect(JSON.stringify(theirs.asked)).not.toContain('token-for-ours-only')
  expect(theirs.asked.every(({ headers }) => headers.authorization === undefined)).toBe(true)
})

describe('MC-11, CVE-2025-6514', () => {
  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'vscode://open',
    'cmd:calc',
    '--exec=calc',
    '$(calc)',
  ])('people are not sent to %s', async (authorizationEndpoint) => {
    const server = kept(await signInServer({ authorizationEndpoint }))
    const someone = person()
    const code = await codeOf(toolsAt(server.url, someone).toolCallbacks())
    expect(code).toMatch(/^mcp-/)
    expect(someone.visited).toEqual([])
  })

  test('an answer that belongs to another question gets no token', async () => {
    const server = kept(await signInServer())
    const someone = person((back) => {
      back.searchParams.set('state', 'of-another')
      return back
    })
    expect(await codeOf(toolsAt(server.url, someone).toolCallbacks())).toBe('mcp-unauthorized')
    expect(server.tokens()).toBe(0)
  })

  test('a person who signs in is asked once, and the work goes on', async () => {
    const server = kept(await signInServer())
    const someone = person()
    const { told } = await ask(toolsAt(server.url, someone), [echo('one'), echo('two')])
    expect(told).toMatchObject([{ content: 'echo: one' }, { content: 'echo: two' }])
    expect(someone.visited).toHaveLength(1)
  })

  test('a token that ends in the middle: the person signs in again, and the call runs once', async () => {
    const server = kept(
      await signInServer({
        accepts: (token, { body }) =>
          token === 'token-2' || (token === 'token-1' && body.method !== 'tools/call'),
      }),
    )
    const someone = person()
    const { told } = await ask(toolsAt(server.url, someone), [echo('hi')])
    expect(told).toMatchObject([{ content: 'echo: hi' }])
    expect(someone.visited).toHaveLength(2)
  })

  test('a server that lets nobody in is not obeyed without end', async () => {
    const server = kept(await signInServer({ accepts: () => false }))
    const someone = person()
    expect(await codeOf(toolsAt(server.url, someone).toolCallbacks())).toBe('mcp-unauthorized')
    expect(someone.visited).toHaveLength(3)
  })

  test('a program that cannot know what the browser came back with is told so', async () => {
    const server = kept(await signInServer())
    const { authorizationResponse: _none, ...someone } = person()
    expect(await codeOf(toolsAt(server.url, someone).toolCallbacks())).toBe('mcp-unauthorized')
    expect(someone.visited).toHaveLength(1)
  })
})

test('MC-14, CVE-2026-0621: no address of a stranger is matched against a template', async () => {
  const uri = `file:///${'a,'.repeat(200_000)}!`
  const content = [{ type: 'resource_link', name: 'hostile', uri }]
  const theirs = await serving({ call: () => ({ content }) })
  const { told } = await ask(toolsAt(theirs.url), [echo('hi')])
  expect(told).toHaveLength(1)
  const ours = kept(serveTools([], { name: 'ours', version: '1.0.0' }))
  const { url } = kept(await ours.listen({ port: 0 }))
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const capabilities = { 'io.modelcontextprotocol/clientCapabilities': {} }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'resources/read',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri, _meta: { ...meta, ...capabilities } },
    }),
  })
  expect(response.ok).toBe(false)
})

test('MC-16: a call that is sent again carries the same key', async () => {
  let isFirst = true
  const server = await serving({
    intercept: ({ body }, response) => {
      if (body.method !== 'tools/call' || !isFirst) return false
      isFirst = false
      response.socket?.destroy()
      return true
    },
  })
  await ask(toolsAt(server.url), [echo('hi')])
  const keys = server
    .of('tools/call')
    .map(({ body }) => body.params!._meta as { readonly [key: string]: unknown })
    .map((meta) => meta['toolwright/idempotency-key'])
  expect(keys).toHaveLength(2)
  expect(keys[0]).toEqual(expect.any(String))
  expect(keys[1]).toBe(keys[0])
})

test('MC-17: an abort that meets the answer has one outcome', async () => {
  const leaving = new Map<string, AbortController>()
  const server = await serving({
    call: ({ arguments: input }) => {
      const { words } = input as { readonly words: string }
      queueMicrotask(() => leaving.get(words)!.abort(new Error('left')))
      return { content: [{ type: 'text', text: words }] }
    },
  })
  const [tool] = await toolsAt(server.url).toolCallbacks()
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const controller = new AbortController()
      leaving.set(`${index}`, controller)
      const context = { signal: controller.signal, values: {}, idempotencyKey: `${index}/1` }
      return tool!.call(JSON.stringify({ words: `${index}` }), context as never).then(
        (output) => output === `${index}`,
        (thrown: unknown) => thrown === controller.signal.reason,
      )
    }),
  )
  expect(outcomes).toEqual(Array(50).fill(true))
  expect(server.of('tools/call')).toHaveLength(50)
})

test('SE-9: names and values of a server cannot reach prototypes', async () => {
  const evil = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
  const result = `{"content":[{"type":"text","text":"hi","__proto__":{"polluted":true}}],"structuredContent":${evil},"_meta":${evil}}`
  const { told } = await ask(
    kept(mcpTools(rawServer('wrong-shape', result), { trust: 'trusted' })),
    [echo('hi')],
  )
  expect(told).toMatchObject([{ content: 'hi' }])
  const inputSchema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"words":{"type":"string"}}}',
  ) as object
  const names = ['__proto__', 'constructor', 'toString', 'echo']
  const server = await serving({ tools: names.map((name) => ({ name, inputSchema })) })
  const tools = toolsAt(server.url)
  const offered = (await tools.toolCallbacks()).map(({ definition }) => definition.name)
  expect([...offered, ...tools.quarantined.map(({ name }) => name)]).toHaveLength(names.length)
  expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined()
})
