/** Who is answered: pages with the token, on this host, and nobody else. */
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { served, type Page, type RawRequest } from './served.ts'

const tokenOf = ({ playground }: Page) => new URL(playground.url).searchParams.get('token')!
const ROUTES = ['/', '/page.js', '/page.css', '/api/session', '/api/news', '/api/tools', '/nothing']

describe('the host', () => {
  it.each([
    ['evil.test', 403],
    ['evil.test:PORT', 403],
    ['localhost.evil:PORT', 403],
    ['127.0.0.1.evil.test:PORT', 403],
    ['127.0.0.1', 403],
    ['127.0.0.1:1', 403],
    ['localhost.:PORT', 403],
    ['0.0.0.0:PORT', 403],
    ['127.0.0.2:PORT', 403],
    ['user@127.0.0.1:PORT', 403],
    ['', 403],
    ['127.0.0.1:PORT', 200],
    ['localhost:PORT', 200],
    ['LOCALHOST:PORT', 200],
    ['[::1]:PORT', 200],
  ])('%s is answered with %d', async (host, status) => {
    const page = await served()
    const headers = {
      host: host.replace('PORT', String(page.playground.port)),
      'x-toolwright-token': tokenOf(page),
    }
    expect((await page.raw({ path: '/api/session', headers })).status).toBe(status)
    if (status !== 403) return
    for (const path of ROUTES) {
      const reply = await page.raw({ path: `${path}?token=${tokenOf(page)}`, headers })
      expect([path, reply.status, reply.body.error.code]).toEqual([path, 403, 'foreign'])
    }
  })

  it('is named once', async () => {
    const page = await served()
    const { port } = page.playground
    const lines = `GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.test\r\nX-Toolwright-Token: ${tokenOf(page)}\r\nConnection: close\r\n\r\n`
    expect(await spoken(port, lines)).toMatch(/^HTTP\/1.1 40[03] /)
    expect(await spoken(port, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 403 /)
  })
})

describe('the origin', () => {
  it.each([
    ['null', 403],
    ['http://evil.test', 403],
    ['https://127.0.0.1:PORT', 403],
    ['http://127.0.0.1', 403],
    ['http://127.0.0.1:1', 403],
    ['http://localhost.evil:PORT', 403],
    ['http://localhost.:PORT', 403],
    ['http://127.0.0.1:PORT/', 403],
    ['', 403],
    ['http://127.0.0.1:PORT', 200],
    ['http://localhost:PORT', 200],
    ['http://[::1]:PORT', 200],
  ])('%s is answered with %d', async (named, status) => {
    const page = await served()
    const origin = named.replace('PORT', String(page.playground.port))
    const headers = { origin, 'x-toolwright-token': tokenOf(page) }
    const reply = await page.raw({ path: '/api/session', headers })
    expect(reply.status).toBe(status)
    expect(Object.keys(reply.headers).filter((name) => name.includes('allow'))).toEqual([])
  })

  it.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 200],
    ['none', 200],
  ])('sec-fetch-site %s is answered with %d', async (site, status) => {
    const page = await served()
    const headers = { 'sec-fetch-site': site, 'x-toolwright-token': tokenOf(page) }
    expect((await page.raw({ path: '/api/session', headers })).status).toBe(status)
  })
})

describe('the token', () => {
  it('is another at each start, and long', async () => {
    const tokens = [tokenOf(await served()), tokenOf(await served())]
    expect(new Set(tokens).size).toBe(2)
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  })

  it('is needed for each address of the api, in the header', async () => {
    const page = await served()
    const token = tokenOf(page)
    const wrong: NonNullable<RawRequest['headers']>[] = [
      {},
      { 'x-toolwright-token': '' },
      { 'x-toolwright-token': `${token}x` },
    ]
    for (const headers of [...wrong, { cookie: `token=${token}`, authorization: token }])
      for (const path of [`/api/session?token=${token}`, '/api/news', '/api/nothing']) {
        const reply = await page.raw({ path, headers })
        expect([path, reply.status, reply.body.error.code]).toEqual([path, 401, 'no-token'])
      }
  })

  it('opens the page, which is locked and empty without it', async () => {
    const files = { type: 'text/html; charset=utf-8', content: Buffer.from('<p>page') }
    const isThere = (path: string) => path === '/' || path === '/page.js'
    const read = async (path: string) => (isThere(path) ? files : undefined)
    const page = await served({ ports: { page: { read } } })
    for (const path of ['/', '/?token=', '/?token=wrong', '/index.html']) {
      const reply = await page.raw({ path })
      expect(reply.status).toBe(path === '/index.html' ? 404 : 401)
      expect(reply.text).not.toMatch(/<script|<link|<p>page/)
    }
    const opened = await page.raw({ path: `/?token=${tokenOf(page)}` })
    expect([opened.status, opened.text]).toEqual([200, '<p>page'])
    expect((await page.raw({ path: '/page.js' })).status).toBe(200)
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/page.js/', '//page.js'])
      expect((await page.raw({ path })).status).toBe(404)
  })
})

describe('an answer', () => {
  it('has the headers of safety, whatever it is', async () => {
    const page = await served()
    const headers = { 'x-toolwright-token': tokenOf(page) }
    const asked: readonly RawRequest[] = [
      { path: '/' },
      { path: '/api/session' },
      { path: '/api/session', headers },
      { path: '/api/nothing', headers },
      { path: '/', headers: { host: 'evil.test' } },
    ]
    for (const request of asked) {
      const reply = await page.raw(request)
      expect(reply.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      })
      const policy = reply.headers['content-security-policy']
      expect(policy).toMatch(/default-src 'none'/)
      expect(policy).toMatch(/frame-ancestors 'none'/)
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
    }
  })

  it('refuses other methods, OPTIONS among them, without a word of CORS', async () => {
    const page = await served()
    const headers = { 'x-toolwright-token': tokenOf(page) }
    for (const method of ['OPTIONS', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await page.raw({ method, path: '/api/session', headers })
      expect(reply.status).toBe(405)
      expect(Object.keys(reply.headers).join()).not.toMatch(/access-control|allow/)
    }
    expect((await page.raw({ method: 'POST', path: '/' })).status).toBe(405)
    expect((await page.raw({ method: 'OPTIONS', path: '/api/session' })).status).toBe(401)
  })
})

describe('a body', () => {
  const path = '/api/calls'
  const call = { requestId: 'r', tool: 'add', input: {} }

  it.each([
    ['no JSON', 'no json', /not valid JSON/],
    ['a list', '[]', /\$ expected object/],
    ['a field too many', JSON.stringify({ ...call, url: 'http://x' }), /\$\.url/],
    ['a field too few', JSON.stringify({ ...call, tool: undefined }), /\$\.tool/],
    ['a field of another kind', JSON.stringify({ ...call, requestId: 1 }), /\$\.requestId/],
    ['__proto__', '{"requestId":"r","tool":"t","input":{"__proto__":{"x":1}}}', /__proto__/],
    [
      'a prototype',
      '{"requestId":"r","tool":"t","input":{"constructor":{"prototype":{}}}}',
      /prototype/,
    ],
    ['a key twice', '{"requestId":"r","tool":"t","tool":"u","input":{}}', /twice/],
    [
      'a number that is rounded',
      '{"requestId":"r","tool":"t","input":12345678901234567890}',
      /exactly/,
    ],
    [
      'a nest',
      `{"requestId":"r","tool":"t","input":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      /nested/,
    ],
  ])('with %s is refused in words', async (_what, body, words) => {
    const page = await served()
    const headers = { 'x-toolwright-token': tokenOf(page), 'content-type': 'application/json' }
    const reply = await page.raw({ method: 'POST', path, headers, body })
    expect(reply.status).toBe(400)
    expect(reply.body.error.message).toMatch(words)
    expect(page.warnings).toEqual([])
  })

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'of type %s is refused',
    async (type) => {
      const page = await served()
      const headers = { 'x-toolwright-token': tokenOf(page), ...(type && { 'content-type': type }) }
      const reply = await page.raw({ method: 'POST', path, headers, body: JSON.stringify(call) })
      expect([reply.status, reply.body.error.code]).toEqual([415, 'wrong-type'])
    },
  )

  it('that is too large is refused before it is read, with and without its length', async () => {
    const page = await served()
    const headers = { 'x-toolwright-token': tokenOf(page), 'content-type': 'application/json' }
    const body = JSON.stringify({ ...call, input: 'x'.repeat(1024 * 1024) })
    const whole = await page.raw({ method: 'POST', path, headers, body })
    expect([whole.status, whole.body.error.code]).toEqual([413, 'too-large'])
    const { port } = page.playground
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Toolwright-Token: ${tokenOf(page)}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`
    expect(await spoken(port, head + piece.repeat(17))).toMatch(/^HTTP\/1.1 413 /)
  })

  it('that does not arrive is not waited for', async () => {
    const page = await served({ ports: { bodyMs: 20 } })
    const { port } = page.playground
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Toolwright-Token: ${tokenOf(page)}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
    const answer = await spoken(port, head)
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(answer).toMatch(/connection: close/i)
  })
})

/** What is answered to these bytes until the connection ends. */
function spoken(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (piece) => (answer += String(piece)))
    socket.on('error', () => resolve(answer))
    socket.on('close', () => resolve(answer))
    socket.write(text)
  })
}
