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
    const outgoing = open(route, connection)
    let body: IncomingBody | undefined
    const fail = (thrown: unknown): void => {
      release?.()
      reject(thrown)
      outgoing.destroy()
    }
    const release = signal && onAbort(signal, () => fail(signal.reason))
    outgoing.on('timeout', () => {
      if (body === undefined) fail(timedOut(request, 'before the answer'))
      else body.onSilence()
    })
    // Stays for the life of the socket: an error nobody listens for would end the process.
    outgoing.on('error', (thrown) => {
      // From here on the body knows better: bytes after its end, say, cost nothing of it.
      if (body !== undefined) return
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
      body = new IncomingBody(request, incoming)
      resolve(answer(request, incoming, body))
    })
    outgoing.end(bodyBytes(request.body))
  })
}

const STALE_CODES = new Set<string | undefined>(['ECONNRESET', 'EPIPE'])

function open({ line, request, options }: Route, connection: Connection): Http.ClientRequest {
  return request(connection === 'fresh' ? { ...options, agent: freshAgent(line) } : options)
}

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
    request: moduleOf(line.isSecure).request,
    plainProxy,
    options: {
      ...addressed(target, plainProxy),
      method: 'POST',
      // An object, although a list would be quicker: tracers that wrap http.request copy it as one.
      headers: { ...baseHeaders(target, plainProxy), ...headers },
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
  const { protocol, hostname, port, pathname, search, username, password, host } = target
  const auth =
    username === '' ? undefined : `${percentDecoded(username)}:${percentDecoded(password)}`
  if (proxy !== undefined) {
    const path = `${protocol}//${host}${pathname}${search}`
    return { protocol: proxy.protocol, hostname: proxy.hostname, port: proxy.port, path, auth }
  }
  return {
    protocol,
    hostname: bare(hostname),
    port: port === '' ? undefined : port,
    path: pathname + search,
    auth,
  }
}

function baseHeaders({ host }: URL, proxy: Proxy | undefined): { readonly [name: string]: string } {
  return {
    'accept-encoding': 'identity',
    'user-agent': 'toolwright',
    ...(proxy !== undefined && { host }),
    ...(proxy?.authorization !== undefined && { 'proxy-authorization': proxy.authorization }),
  }
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
