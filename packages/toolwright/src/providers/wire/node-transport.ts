/**
 * One POST over node:http(s) with connections kept alive: a third of the CPU that global fetch needs. Where the
 * environment names a proxy it goes through that: a tunnel for https, the whole address for http.
 * Redirects are returned as they are, never followed: the next host must not get the key.
 */
import type * as Http from 'node:http'
import type { Transport, TransportRequest, TransportResponse } from '../../ports/transport.ts'
import { bodyBytes } from './body-bytes.ts'
import { decodedBody } from './decoded-body.ts'
import { IncomingBody } from './incoming-body.ts'
import { freshAgent, keptAliveAgent, type Line } from './kept-alive-agent.ts'
import { onAbort } from '../../internal/on-abort.ts'
import { percentDecoded } from './percent-decoded.ts'
import { bare, proxyOf, type Proxy, type UnusableProxy } from './proxy-of.ts'
import { failedAt, openTunnel, ProxyFailure, refusedBy, type TunnelTarget } from './proxy-tunnel.ts'
import { firstByteMs, systemCode, timedOut, unreachable } from './transport-errors.ts'

/** A connection that went stale while idle may be replaced once; a fresh one may not. */
type Connection = 'kept alive' | 'fresh'

/** What stays the same over all requests of one model to one address. */
interface Route {
  readonly url: string
  readonly timeouts: Timeouts
  readonly line: Line
  readonly request: typeof Http.request
  readonly options: Http.RequestOptions
  /**
   * Names and values by turns: Node writes such a list at once, and keeps no table of it. Measured on Node 20:
   * an exchange takes 52 µs instead of 58.
   */
  readonly headers: readonly string[]
  /** The proxy that answers itself where it refuses: one that plain HTTP goes through. */
  readonly plainProxy: Proxy | undefined
}

/** By the headers of a request: a model sends the same object each time. */
const routes = new WeakMap<object, Route>()
const agents = new Map<string, Http.Agent>()

/** Absent outside Node: Bun, Deno, workers and browsers have a fast fetch of their own. */
export const nodeTransport: Transport | undefined = isNode() ? post : undefined

async function post(request: TransportRequest): Promise<TransportResponse> {
  try {
    return await send(request, 'kept alive')
  } catch (thrown) {
    if (thrown === STALE) return send(request, 'fresh')
    throw thrown
  }
}

const STALE = Symbol('stale')

function send(request: TransportRequest, connection: Connection): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const { signal } = request
    if (signal?.aborted) return reject(signal.reason)
    const route = routeOf(request)
    const body = bodyBytes(request.body)
    const outgoing = open(route, connection, body)
    let answered: IncomingBody | undefined
    const fail = (thrown: unknown): void => {
      release?.()
      reject(thrown)
      outgoing.destroy()
    }
    const release = signal && onAbort(signal, () => fail(signal.reason))
    outgoing.on('timeout', () => {
      if (answered === undefined) fail(timedOut(request, 'before the answer'))
      else answered.onSilence()
    })
    // Stays for the life of the socket: an error nobody listens for would end the process.
    outgoing.on('error', (thrown) => {
      // From here on the body knows better: bytes after its end, say, cost nothing of it.
      if (answered !== undefined) return
      const stale = outgoing.reusedSocket && STALE_CODES.has(systemCode(thrown))
      const { plainProxy } = route
      const failed = plainProxy === undefined ? thrown : failedAt(plainProxy, thrown)
      fail(stale ? STALE : unreachable(request, failed, 'before the answer'))
    })
    outgoing.on('response', (incoming) => {
      if (route.plainProxy !== undefined && incoming.statusCode === 407)
        return fail(unreachable(request, refusedBy(route.plainProxy, 407), 'before the answer'))
      release?.()
      const { idleTimeoutMs, firstByteTimeoutMs } = route.timeouts
      if (idleTimeoutMs !== firstByteTimeoutMs) incoming.socket.setTimeout(idleTimeoutMs)
      answered = new IncomingBody(request, incoming)
      resolve(answer(request, incoming, answered))
    })
    outgoing.end(body)
  })
}

const STALE_CODES = new Set<string | undefined>(['ECONNRESET', 'EPIPE'])

function open(
  { line, request, options, headers }: Route,
  connection: Connection,
  body: string | Uint8Array,
): Http.ClientRequest {
  const sent = { ...options, headers: [...headers, 'content-length', String(byteLength(body))] }
  return request(connection === 'fresh' ? { ...sent, agent: freshAgent(line) } : sent)
}

const byteLength = (body: string | Uint8Array): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length

function routeOf(request: TransportRequest): Route {
  const { url, headers } = request
  const timeouts = timeoutsOf(request)
  const known = routes.get(headers)
  if (known?.url === url && isSame(known.timeouts, timeouts)) return known
  const target = new URL(url)
  const proxy = proxyOf(target)
  if (proxy !== undefined && 'why' in proxy)
    throw unreachable(request, unusable(proxy), 'before the answer')
  const isTunnel = proxy !== undefined && target.protocol === 'https:'
  const plainProxy = isTunnel ? undefined : proxy
  const line: Line = {
    ...timeouts,
    isSecure: (plainProxy ?? target).protocol === 'https:',
    open: isTunnel ? () => openTunnel(proxy, endOf(target)) : undefined,
  }
  const via =
    proxy === undefined
      ? ''
      : `${proxy.protocol}//${proxy.hostname}:${proxy.port} ${proxy.authorization}`
  const route: Route = {
    url,
    timeouts,
    line,
    headers: headerList({ ...baseHeaders(target, plainProxy), ...headers }),
    request: moduleOf(line.isSecure).request,
    plainProxy,
    options: {
      ...addressed(target, plainProxy),
      method: 'POST',
      // Replaced for each request; here so that the copy has the same shape.
      headers: [],
      agent: agentFor(
        `${target.protocol}//${target.host} ${Object.values(timeouts).join()} ${via}`,
        line,
      ),
      // Spares a plain connection the search for a TLS name.
      ...(!line.isSecure && { servername: '' }),
      timeout: timeouts.firstByteTimeoutMs,
    },
  }
  routes.set(headers, route)
  return route
}

type Timeouts = Pick<Line, 'connectTimeoutMs' | 'firstByteTimeoutMs' | 'idleTimeoutMs'>

function timeoutsOf(request: TransportRequest): Timeouts {
  const { idleTimeoutMs, connectTimeoutMs = idleTimeoutMs } = request
  return { connectTimeoutMs, firstByteTimeoutMs: firstByteMs(request), idleTimeoutMs }
}

const isSame = (one: Timeouts, other: Timeouts): boolean =>
  one.idleTimeoutMs === other.idleTimeoutMs &&
  one.firstByteTimeoutMs === other.firstByteTimeoutMs &&
  one.connectTimeoutMs === other.connectTimeoutMs

function endOf({ hostname, port }: URL): TunnelTarget {
  return { hostname: bare(hostname), port: port === '' ? 443 : Number(port) }
}

/** Where a request goes. A proxy of plain HTTP is told the whole address. */
function addressed(target: URL, proxy: Proxy | undefined): Http.RequestOptions {
  const { protocol, hostname, port, pathname, search, host } = target
  if (proxy !== undefined) {
    const path = `${protocol}//${host}${pathname}${search}`
    return { protocol: proxy.protocol, hostname: proxy.hostname, port: proxy.port, path }
  }
  return {
    protocol,
    hostname: bare(hostname),
    port: port === '' ? undefined : port,
    path: pathname + search,
  }
}

function baseHeaders(target: URL, proxy: Proxy | undefined): { readonly [name: string]: string } {
  const { host, username, password } = target
  const auth = `${percentDecoded(username)}:${percentDecoded(password)}`
  return {
    host,
    'accept-encoding': 'identity',
    'user-agent': 'toolwright',
    ...(username !== '' && { authorization: `Basic ${Buffer.from(auth).toString('base64')}` }),
    ...(proxy?.authorization !== undefined && { 'proxy-authorization': proxy.authorization }),
  }
}

/** The last of several that differ in case only counts, as where Node keeps a table. */
function headerList(headers: { readonly [name: string]: string }): readonly string[] {
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [name, value]]),
  )
  return [...byName.values()].flat()
}

function unusable({ variable, why }: UnusableProxy): Error {
  return new ProxyFailure('EPROXYREFUSED', `the proxy in ${variable} cannot be used: ${why}`)
}

function answer(
  request: TransportRequest,
  incoming: Http.IncomingMessage,
  raw: IncomingBody,
): TransportResponse {
  const { headers } = incoming
  const encoding = headers['content-encoding']
  return {
    status: incoming.statusCode ?? 0,
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    body:
      encoding === undefined || encoding === 'identity' ? raw : decodedBody(request, encoding, raw),
  }
}

/** One agent per origin, proxy and timeouts. Idle sockets are unref'd by Node itself, so they hold no process open. */
function agentFor(key: string, line: Line): Http.Agent {
  const known = agents.get(key)
  if (known !== undefined) return known
  const agent = keptAliveAgent(line)
  // What is forgotten here closes its connections when they have been idle.
  if (agents.size >= 1024) agents.clear()
  agents.set(key, agent)
  return agent
}

function moduleOf(isSecure: boolean): Pick<typeof Http, 'request'> {
  return process.getBuiltinModule(isSecure ? 'node:https' : 'node:http')
}

function isNode(): boolean {
  const { process, navigator } = globalThis as {
    process?: { getBuiltinModule?: unknown }
    navigator?: { userAgent?: string }
  }
  if (typeof process?.getBuiltinModule !== 'function') return false
  return navigator === undefined || (navigator.userAgent ?? '').startsWith('Node.js')
}
