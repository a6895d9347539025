/**
 * Proxies that the environment names, over real connections: a proxy on the loopback, and behind it a provider
 * whose name only the proxy knows. What the proxy saw is written down.
 */
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { faultServer, type FaultServer } from '@toolwright/fault-server'
import { textOf, type ChatModel, type ChatResponse } from 'toolwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proxyOf } from '../../packages/toolwright/src/providers/wire/proxy-of.ts'
import { CERTIFICATE } from './certificate.ts'
import { EVERY_WAY, MODELS, type Mode, type ModelOptions } from './dialects.ts'

const KEY = 'the-key-of-the-provider-0123'
const PASSWORD = 'pass:word/of-the-proxy'
const PROXY_AUTHORIZATION = `Basic ${Buffer.from(`some user:${PASSWORD}`).toString('base64')}`
const VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
])

interface Seen {
  readonly line: string
  readonly authorization: string | undefined
}

let provider: FaultServer
let secureProvider: TlsServer
let proxy: Server
/** What the proxy was asked, and every byte that went through it to the provider. */
let seen: Seen[]
let bytes: string
/** What the proxy answers instead of doing its work. */
let refusal: number | undefined
let sockets: Set<Socket>
const environment = new Map<string, string | undefined>()

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
const note = ({ method, url, headers }: IncomingMessage): void =>
  void seen.push({ line: `${method} ${url}`, authorization: headers['proxy-authorization'] })
const isAllowed = ({ headers }: IncomingMessage): boolean =>
  refusal === undefined && headers['proxy-authorization'] === PROXY_AUTHORIZATION

function makeProxy(): Server {
  const server = createServer((asked, response) => {
    note(asked)
    bytes += JSON.stringify(asked.headers)
    if (!isAllowed(asked)) return void response.writeHead(refusal ?? 407).end()
    const { pathname, search } = new URL(asked.url!)
    const { method, headers } = asked
    const { 'proxy-authorization': _secret, ...others } = headers
    const host = { host: '127.0.0.1', port: new URL(provider.baseUrl).port }
    const options = { ...host, path: pathname + search, method, headers: others }
    const onward = httpRequest(options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    asked.pipe(onward)
  })
  server.on('connect', (asked: IncomingMessage, socket: Socket) => {
    note(asked)
    socket.on('error', () => {})
    if (!isAllowed(asked)) return void socket.end(`HTTP/1.1 ${refusal ?? 407} No\r\n\r\n`)
    const onward = connect(portOf(secureProvider), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.on('data', (chunk: Buffer) => (bytes += chunk.toString('latin1')))
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
  })
  server.on('connection', (socket) => sockets.add(socket))
  return server
}

const listening = (server: Server | TlsServer): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

beforeEach(async () => {
  for (const name of [...VARIABLES, 'NODE_TLS_REJECT_UNAUTHORIZED']) {
    environment.set(name, process.env[name])
    delete process.env[name]
  }
  seen = []
  bytes = ''
  refusal = undefined
  sockets = new Set()
  secureProvider = createTlsServer(CERTIFICATE, (socket) => {
    const onward = connect(Number(new URL(provider.baseUrl).port), '127.0.0.1')
    for (const side of [socket, onward]) side.on('error', () => {})
    socket.pipe(onward).pipe(socket)
  })
  secureProvider.on('connection', (socket: Socket) => sockets.add(socket))
  proxy = makeProxy()
  await Promise.all([listening(secureProvider), listening(proxy)])
})

afterEach(async () => {
  for (const [name, value] of environment) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  for (const socket of sockets) socket.destroy()
  proxy.closeAllConnections()
  proxy.close()
  secureProvider.close()
  await provider?.close()
})

const proxyUrl = (user = `some%20user:${encodeURIComponent(PASSWORD)}@`): string =>
  `http://${user}127.0.0.1:${portOf(proxy)}`

let hosts = 0
/** A host that nobody but the proxy can find. */
const newHost = (): string => `host${++hosts}.provider.test`

async function modelAt(
  dialect: keyof typeof MODELS,
  origin: string,
  more: Partial<ModelOptions> = {},
): Promise<ChatModel> {
  provider = await faultServer({ dialect, turns: [{ text: ['Hello ', 'there'] }] })
  const baseUrl = origin + new URL(provider.baseUrl).pathname.replace(/\/$/, '')
  return MODELS[dialect]({ baseUrl, apiKey: KEY, retry: false, ...more })
}

async function told(model: ChatModel, mode: Mode): Promise<string> {
  const prompt = { messages: [{ role: 'user', content: 'Hi' } as const] }
  if (mode === 'call') return textOf(await model.call(prompt))
  let response: ChatResponse | undefined
  for await (const event of model.stream(prompt))
    if (event.type === 'response') ({ response } = event)
  return textOf(response!)
}

async function ask(
  [dialect, mode]: readonly [keyof typeof MODELS, Mode],
  origin: string,
  more: Partial<ModelOptions> = {},
): Promise<string> {
  return told(await modelAt(dialect, origin, more), mode)
}

async function failure(work: Promise<unknown>): Promise<any> {
  const thrown: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(thrown).toBeInstanceOf(Error)
  return thrown
}

describe.each(EVERY_WAY)('%s behind a proxy, by %s', (...way) => {
  it('is asked through a tunnel over https: the proxy sees the host and no key', async () => {
    process.env.HTTPS_PROXY = proxyUrl()
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    const host = newHost()
    expect(await ask(way, `https://${host}`)).toBe('Hello there')
    expect(seen).toEqual([{ line: `CONNECT ${host}:443`, authorization: PROXY_AUTHORIZATION }])
    expect(bytes.length).toBeGreaterThan(100)
    expect(bytes).not.toContain(KEY)
    expect(provider.requests[0]!.headers).not.toHaveProperty('proxy-authorization')
    expect(JSON.stringify(provider.requests[0]!.headers)).toContain(KEY)
  })

  it('must still show that it is who it is, through the tunnel too', async () => {
    process.env.https_proxy = proxyUrl()
    const error = await failure(ask(way, `https://${newHost()}`))
    expect(error).toMatchObject({ code: 'provider-unreachable', retryable: false })
    expect(error.message).toMatch(/SELF_SIGNED/)
    expect(provider.requests).toEqual([])
  })

  it('is asked by its whole address over http', async () => {
    process.env.http_proxy = proxyUrl()
    const host = newHost()
    expect(await ask(way, `http://${host}:8080`)).toBe('Hello there')
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ authorization: PROXY_AUTHORIZATION })
    expect(seen[0]!.line).toMatch(new RegExp(`^POST http://${host}:8080/`))
    expect(provider.requests[0]!.headers.host).toBe(`${host}:8080`)
  })

  it.each([407, 403, 502, 503])(
    'is not reached when the proxy answers %i to a tunnel',
    async (status) => {
      process.env.ALL_PROXY = proxyUrl()
      refusal = status
      const error = await failure(ask(way, `https://${newHost()}`))
      expect(error).toMatchObject({ code: 'provider-unreachable', retryable: status >= 500 })
      expect(error.message).toContain(`the proxy 127.0.0.1:${portOf(proxy)} answered ${status}`)
      expect(provider.requests).toEqual([])
    },
  )

  it('is not reached when the proxy wants another password, and no password is told', async () => {
    for (const [protocol, variable] of [
      ['http', 'HTTP_PROXY'],
      ['https', 'HTTPS_PROXY'],
    ] as const) {
      process.env[variable] = proxyUrl('some-user:wrong-password@')
      const error = await failure(ask(way, `${protocol}://${newHost()}`))
      expect(error).toMatchObject({ code: 'provider-unreachable', retryable: false })
      expect(error.message).toContain(`the proxy 127.0.0.1:${portOf(proxy)} answered 407`)
      const told = JSON.stringify([error.message, error.stack, String(error.cause)])
      expect(told).not.toMatch(/wrong-password|some-user/)
      await provider.close()
    }
  })

  it('is not reached when there is no proxy', async () => {
    const url = proxyUrl()
    await new Promise((resolve) => proxy.close(resolve))
    process.env.ALL_PROXY = url
    for (const protocol of ['http', 'https']) {
      const error = await failure(ask(way, `${protocol}://${newHost()}`))
      expect(error).toMatchObject({ code: 'provider-unreachable', retryable: true })
      expect(error.message).toMatch(/ECONNREFUSED: at the proxy 127\.0\.0\.1:\d+/)
      expect(error.message).not.toMatch(/some.user|of-the-proxy/)
      await provider.close()
    }
  })

  it('is not waited for when the proxy falls silent', async () => {
    process.env.HTTPS_PROXY = proxyUrl()
    proxy.removeAllListeners('connect').on('connect', () => {})
    const error = await failure(ask(way, `https://${newHost()}`, { connectTimeoutMs: 50 }))
    expect(error).toMatchObject({ code: 'provider-unreachable', retryable: true })
    expect(error.message).toContain('no connection within 50 ms')
  })

  it.each([
    ['socks5://127.0.0.1:1', 'proxies of kind socks5 are not supported'],
    ['http://user:hush@:::', 'it is no address'],
  ])('is not asked when the proxy is %s', async (value, why) => {
    process.env.HTTPS_PROXY = value
    const error = await failure(ask(way, `https://${newHost()}`))
    expect(error).toMatchObject({ code: 'provider-unreachable', retryable: false })
    expect(error.message).toContain(`the proxy in HTTPS_PROXY cannot be used: ${why}`)
    expect(error.message).not.toContain('hush')
  })

  it('uses a tunnel again', async () => {
    process.env.HTTPS_PROXY = proxyUrl()
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    const model = await modelAt(way[0], `https://${newHost()}`)
    for (let round = 0; round < 3; round++) expect(await told(model, way[1])).toBe('Hello there')
    expect(provider.requests).toHaveLength(3)
    expect(seen).toHaveLength(1)
  })
})

describe('the proxy of an address', () => {
  const proxied = (url: string, env: Record<string, string>): string | undefined => {
    const found = proxyOf(new URL(url), env)
    return found && 'hostname' in found
      ? `${found.protocol}//${found.hostname}:${found.port}`
      : undefined
  }
  const HTTPS = 'https://api.example.com/v1'
  const HTTP = 'http://api.example.com/v1'

  it('is that of its protocol, in small letters or capitals, or the one for all', () => {
    expect(proxied(HTTPS, {})).toBeUndefined()
    expect(proxied(HTTPS, { HTTPS_PROXY: 'http://p:3128' })).toBe('http://p:3128')
    expect(proxied(HTTPS, { https_proxy: 'https://p' })).toBe('https://p:443')
    expect(proxied(HTTPS, { https_proxy: 'p:81', HTTPS_PROXY: 'q:81' })).toBe('http://p:81')
    expect(proxied(HTTPS, { HTTP_PROXY: 'http://p:3128' })).toBeUndefined()
    expect(proxied(HTTP, { http_proxy: 'http://p' })).toBe('http://p:80')
    expect(proxied(HTTP, { ALL_PROXY: 'http://[::1]:9' })).toBe('http://::1:9')
    expect(proxied(HTTP, { all_proxy: 'p:1', http_proxy: '' })).toBe('http://p:1')
  })

  it.each(['https://localhost:8000', 'https://127.0.0.9', 'https://[::1]:1', 'http://x.localhost'])(
    'is none on the loopback: %s',
    (url) => expect(proxied(url, { ALL_PROXY: 'p:1' })).toBeUndefined(),
  )

  it.each([
    ['other.org, .example.com', HTTPS, false],
    ['example.com', HTTPS, false],
    ['*.example.com', HTTPS, false],
    ['API.Example.COM', HTTPS, false],
    ['api.example.com:443', HTTPS, false],
    ['api.example.com:8443', HTTPS, true],
    ['api.example.com:80', HTTP, false],
    ['ample.com', HTTPS, true],
    ['*', HTTPS, false],
    ['', HTTPS, true],
    [' , ', HTTPS, true],
    ['10.0.0.0/8', 'https://10.1.2.3', false],
    ['10.0.0.0/8', 'https://11.1.2.3', true],
    ['10.0.0.0/800', 'https://10.1.2.3', true],
    ['fd00::/8', 'https://[fd12::1]', false],
    ['fd12::1', 'https://[fd12::1]', false],
    ['[fd12::1]:444', 'https://[fd12::1]', true],
    ['10.1.2.3', 'https://10.1.2.3', false],
  ])('respects NO_PROXY "%s" for %s', (exceptions, url, isProxied) => {
    for (const name of ['NO_PROXY', 'no_proxy'])
      expect(proxied(url, { ALL_PROXY: 'p:1', [name]: exceptions }) !== undefined).toBe(isProxied)
  })
})
