/** What strangers, floods and garbage get from a server over HTTP. */
import { request as nodeRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { tool, type ToolSource } from 'toolwright'
import { manualClock } from 'toolwright/testing'
import type { Principal, ServeToolsOptions } from './serve-tools-options.ts'
import { add, connected, listening, rpc, textOfResult, type Running } from './serving.cases.ts'

async function serve(
  sources: ToolSource,
  options?: Partial<ServeToolsOptions>,
): Promise<Running['listening']> {
  return (await listening(sources, options)).listening
}

interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly body: string
}

/** A request with any headers: fetch does not let Host be set. */
function send(
  url: string,
  headers: { readonly [name: string]: string },
  { method = 'POST', body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = nodeRequest(
      url,
      {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => (text += piece))
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: text }),
        )
      },
    )
    asked.on('error', reject)
    asked.end(method === 'POST' ? body : undefined)
  })
}

describe('host and origin', () => {
  it.each([
    ['localhost', undefined, 200],
    ['LOCALHOST:1234', undefined, 200],
    ['127.0.0.1', undefined, 200],
    ['[::1]:80', undefined, 200],
    ['evil.example', undefined, 403],
    ['localhost.evil.example', undefined, 403],
    ['localhost.', undefined, 403],
    ['127.0.0.1.', undefined, 403],
    ['127.0.0.1.nip.io', undefined, 403],
    ['evil.example:80@localhost', undefined, 403],
    ['localhost:port', undefined, 403],
    ['[::1', undefined, 403],
    ['0.0.0.0', undefined, 403],
    [' ', undefined, 403],
    ['localhost', 'http://localhost:5173', 200],
    ['localhost', 'http://127.0.0.1', 200],
    ['localhost', 'http://[::1]:3000', 200],
    ['localhost', 'http://evil.example', 403],
    ['localhost', 'http://localhost.evil.example', 403],
    ['localhost', 'http://localhost.', 403],
    ['localhost', 'null', 403],
    ['localhost', '', 403],
    ['localhost', 'file://', 403],
    ['localhost', 'javascript:alert(1)', 403],
  ])('Host %j with Origin %j gives %i', async (host, origin, status) => {
    const { url } = await serve(add)
    const answer = await send(url, { host, ...(origin !== undefined && { origin }) })
    expect(answer.status).toBe(status)
  })

  it('of a list counts exactly; an empty list refuses all', async () => {
    const { url } = await serve(add, {
      allowedHosts: ['api.example:8080'],
      allowedOrigins: ['https://app.example'],
    })
    const status = async (host: string, origin?: string): Promise<number> =>
      (await send(url, { host, ...(origin && { origin }) })).status
    expect(await status('api.example:8080')).toBe(200)
    expect(await status('api.example:8081')).toBe(403)
    expect(await status('api.example')).toBe(403)
    expect(await status('localhost')).toBe(403)
    expect(await status('api.example:8080', 'https://app.example')).toBe(200)
    expect(await status('api.example:8080', 'https://app.example:444')).toBe(403)
    const { url: closed } = await serve(add, { allowedHosts: [] })
    expect((await send(closed, {})).status).toBe(403)
    const { url: noPages } = await serve(add, { allowedOrigins: [] })
    expect((await send(noPages, { origin: 'http://localhost' })).status).toBe(403)
  })

  it('are checked for every method and for the metadata, too', async () => {
    const { url } = await serve(add)
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT'])
      expect((await send(url, { host: 'evil.example' }, { method })).status).toBe(403)
    const wellKnown = new URL('/.well-known/oauth-protected-resource', url).href
    expect((await send(wellKnown, { host: 'evil.example' }, { method: 'GET' })).status).toBe(403)
  })
})

describe('a token', () => {
  it('is needed and compared whole', async () => {
    const { url } = await serve(add, { auth: { token: 'right-token' } })
    const status = async (authorization?: string): Promise<number> =>
      (await send(url, authorization === undefined ? {} : { authorization })).status
    expect(await status()).toBe(401)
    expect(await status('Bearer wrong-token')).toBe(401)
    expect(await status('Bearer right-toke')).toBe(401)
    expect(await status('Bearer right-token2')).toBe(401)
    expect(await status('Basic right-token')).toBe(401)
    expect(await status('Bearer right-token')).toBe(200)
    expect(await status('bearer right-token')).toBe(200)
    const client = await connected(url, { token: 'right-token' })
    expect((await client.listTools()).tools).toHaveLength(1)
    await client.close()
  })

  it('is not part of what a tool can see', async () => {
    const snoop = tool({
      name: 'snoop',
      description: 'Looks around',
      input: { type: 'object', properties: {} },
      execute: (_input: unknown, context) => JSON.stringify({ ...context, values: context.values }),
    })
    const { url } = await serve(snoop, { auth: { token: 'right-token' } })
    const { result } = await rpc(
      url,
      'tools/call',
      { name: 'snoop', arguments: {} },
      {
        headers: { authorization: 'Bearer right-token' },
      },
    )
    expect(JSON.stringify(result)).not.toContain('right-token')
  })

  it('of an authorization server is checked by the program, and those without learn where to get one', async () => {
    const resource = {
      url: 'https://tools.example/mcp',
      authorizationServers: ['https://auth.example'],
      scopes: ['tools'],
    }
    const verify = (token: string): Principal | undefined => {
      if (token === 'breaks') throw new Error('no key set')
      return token === 'good' ? { id: 'ada' } : undefined
    }
    const { url } = await serve(add, { auth: { verify, resource } })
    const refused = await send(url, {})
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp", scope="tools"',
    )
    for (const token of ['bad', 'breaks']) {
      const answer = await send(url, { authorization: `Bearer ${token}` })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
    }
    expect((await send(url, { authorization: 'Bearer good' })).status).toBe(200)
    for (const path of ['', '/mcp']) {
      const where = new URL(`/.well-known/oauth-protected-resource${path}`, url).href
      const { status, body } = await send(where, {}, { method: 'GET' })
      expect(status).toBe(200)
      expect(JSON.parse(body)).toEqual({
        resource: 'https://tools.example/mcp',
        authorization_servers: ['https://auth.example'],
        bearer_methods_supported: ['header'],
        scopes_supported: ['tools'],
      })
    }
  })
})

describe('garbage', () => {
  it.each([
    { what: 'no JSON', body: '{"jsonrpc":', code: -32700 },
    { what: 'nothing', body: '', code: -32700 },
    { what: 'too deep', body: '['.repeat(200) + ']'.repeat(200), code: -32600 },
    { what: 'a number', body: '7', code: undefined },
    { what: 'null', body: 'null', code: undefined },
  ])('that is $what is refused', async ({ body, code }) => {
    const { url } = await serve(add)
    const answer = await send(url, {}, { body })
    expect(answer.status).toBe(400)
    const { error } = JSON.parse(answer.body) as { error: { code: number } }
    if (code !== undefined) expect(error.code).toBe(code)
    // It still serves.
    expect((await send(url, {})).status).toBe(200)
  })

  it('of other types or sizes is refused before it is read', async () => {
    const { url } = await serve(add, { maxBodyBytes: 1000 })
    expect((await send(url, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send(url, {}, { body: `"${'x'.repeat(2000)}"` })).status).toBe(413)
    expect(
      (await send(url, { 'transfer-encoding': 'chunked' }, { body: 'x'.repeat(2000) })).status,
    ).toBe(413)
    expect((await send(new URL('/other', url).href, {})).status).toBe(404)
  })

  it('in the headers of the newer protocol is -32020, unknown versions -32022, unknown methods -32601', async () => {
    const { url } = await serve(add)
    const call = { name: 'add', arguments: { a: 1, b: 2 } }
    const wrong = await rpc(url, 'tools/call', call, { headers: { 'mcp-name': 'other' } })
    expect(wrong).toMatchObject({ status: 400, error: { code: -32020 } })
    const method = await rpc(url, 'tools/call', call, { headers: { 'mcp-method': 'tools/list' } })
    expect(method).toMatchObject({ status: 400, error: { code: -32020 } })
    const version = await rpc(
      url,
      'tools/list',
      {
        _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
      },
      { headers: { 'mcp-protocol-version': '2099-01-01' } },
    )
    expect(version).toMatchObject({
      status: 400,
      error: { code: -32022, data: { supported: ['2026-07-28'] } },
    })
    const unknown = await rpc(url, 'tools/undo', {})
    expect(unknown).toMatchObject({ status: 404, error: { code: -32601 } })
  })

  it('in arguments cannot reach prototypes', async () => {
    const echo = tool({
      name: 'echo',
      description: 'Echo',
      input: { type: 'object', properties: {}, additionalProperties: true },
      execute: (input: unknown) => String((Object(input) as { isAdmin?: boolean }).isAdmin),
    })
    const { url } = await serve(echo)
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"isAdmin":true}}}}'
    const answer = await send(url, {}, { body })
    expect(answer.status).toBe(200)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    expect(answer.body).not.toContain('"text":"true"')
  })
})

describe('many at once', () => {
  const echo = tool({
    name: 'echo',
    description: 'Says it after a while',
    input: { type: 'object', properties: { who: { type: 'number' } }, required: ['who'] },
    execute: async ({ who }: { who: number }) => {
      await new Promise((resolve) => setTimeout(resolve, (who * 7) % 13))
      return `for ${who}`
    },
  })

  it.each(['modern', 'legacy'] as const)(
    '100 %s clients with the same ids get their own answers',
    async (era) => {
      const { url } = await serve(echo)
      const callers = Array.from({ length: 100 }, (_each, who) => who)
      const answers = await Promise.all(
        callers.map(async (who) => {
          const params = { name: 'echo', arguments: { who } }
          if (era === 'modern') return textOfResult((await rpc(url, 'tools/call', params)).result!)
          const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
          return (await send(url, {}, { body })).body
        }),
      )
      for (const who of callers) expect(answers[who]).toMatch(new RegExp(`for ${who}\\b`))
    },
  )

  it('10 sessions with the same ids get their own answers', async () => {
    const { url } = await serve(echo)
    const clients = await Promise.all(
      Array.from({ length: 10 }, () => connected(url, { era: 'legacy' })),
    )
    const answers = await Promise.all(
      clients.map((client, who) => client.callTool({ name: 'echo', arguments: { who } })),
    )
    expect(answers.map(textOfResult)).toEqual(clients.map((_client, who) => `for ${who}`))
    await Promise.all(clients.map((client) => client.close()))
  })

  it('calls beyond the limit are refused, and room comes back', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let running = 0
    const slow = tool({
      name: 'slow',
      description: 'Waits',
      input: { type: 'object', properties: {} },
      execute: async () => {
        running++
        await held
        return 'done'
      },
    })
    const auth = { verify: (token: string): Principal => ({ id: token }) }
    const { url } = await serve(slow, { maxConcurrentCalls: 3, auth })
    const call = (who: string) =>
      rpc(
        url,
        'tools/call',
        { name: 'slow', arguments: {} },
        { headers: { authorization: `Bearer ${who}` } },
      )
    const flood = Array.from({ length: 20 }, () => call('eve'))
    const first = await Promise.race(flood)
    expect(first.result).toMatchObject({ isError: true })
    expect(textOfResult(first.result!)).toContain('at most 3 calls at once')
    const other = call('ada')
    await expect.poll(() => running).toBe(4)
    release()
    const texts = (await Promise.all(flood)).map(({ result }) => textOfResult(result!))
    expect(texts.filter((text) => text === 'done')).toHaveLength(3)
    expect(textOfResult((await other).result!)).toBe('done')
    expect(textOfResult((await call('eve')).result!)).toBe('done')
  })
})

describe('a session of the older protocol', () => {
  const INITIALIZE = JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    },
  })
  const idOf = ({ headers }: Answer): string => headers['mcp-session-id'] as string

  it('has a random id, counts for its caller, and ends', async () => {
    const auth = { verify: (token: string): Principal => ({ id: token }) }
    const { url } = await serve(add, { auth })
    const as = (who: string, id?: string) => ({
      authorization: `Bearer ${who}`,
      ...(id && { 'mcp-session-id': id }),
    })
    const opened = await send(url, as('ada'), { body: INITIALIZE })
    const another = await send(url, as('ada'), { body: INITIALIZE })
    const id = idOf(opened)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(idOf(another)).not.toBe(id)
    expect((await send(url, as('ada', id))).status).toBe(200)
    expect((await send(url, as('eve', id))).status).toBe(404)
    expect((await send(url, as('ada', crypto.randomUUID()))).status).toBe(404)
    expect((await send(url, { 'mcp-session-id': id })).status).toBe(401)
    expect((await send(url, as('eve', id), { method: 'DELETE' })).status).toBe(404)
    expect((await send(url, as('ada', id), { method: 'DELETE' })).status).toBe(200)
    expect((await send(url, as('ada', id))).status).toBe(404)
  })

  it('is one of few, and ends when it is idle', async () => {
    const clock = manualClock()
    const { url } = await serve(add, { clock, maxSessions: 2, sessionIdleMs: 60_000 })
    const first = await send(url, {}, { body: INITIALIZE })
    const header = { 'mcp-session-id': idOf(first) }
    await send(url, {}, { body: INITIALIZE })
    expect((await send(url, {}, { body: INITIALIZE })).status).toBe(503)
    await clock.advance(40_000)
    expect((await send(url, header)).status).toBe(200)
    await clock.advance(40_000)
    // The other one is idle by now.
    expect((await send(url, {}, { body: INITIALIZE })).status).toBe(200)
    expect((await send(url, header)).status).toBe(200)
    await clock.advance(60_001)
    expect((await send(url, header)).status).toBe(404)
  })
})
