/**
 * One POST over node:http(s) with connections kept alive: a third of the CPU that global fetch needs.
 * Only what is plain goes this way; where a proxy applies `defaultTransport` asks fetch instead.
 * Redirects are returned as they are, never followed: the next host must not get the key.
 */
import type * as Http from 'node:http'
import type * as Https from 'node:https'
import type { Transport, TransportRequest, TransportResponse } from '../../ports/transport.ts'
import { bodyBytes } from './body-bytes.ts'
import { decodedBody } from './decoded-body.ts'
import { IncomingBody } from './incoming-body.ts'
import { keptAliveAgent } from './kept-alive-agent.ts'
import { onAbort } from '../../internal/on-abort.ts'
import { systemCode, timedOut, unreachable } from './transport-errors.ts'

/** A connection that went stale while idle may be replaced once; a fresh one may not. */
type Connection = 'kept alive' | 'fresh'

/** What stays the same over all requests of one model to one address. */
interface Route {
  readonly url: string
  readonly idleTimeoutMs: number
  readonly request: typeof Http.request
  readonly options: Http.RequestOptions
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
    const outgoing = open(request, connection)
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
      fail(stale ? STALE : unreachable(request, thrown, 'before the answer'))
    })
    outgoing.on('response', (incoming) => {
      release?.()
      body = new IncomingBody(request, incoming)
      resolve(answer(request, incoming, body))
    })
    outgoing.end(bodyBytes(request.body))
  })
}

const STALE_CODES = new Set<string | undefined>(['ECONNRESET', 'EPIPE'])

function open(request: TransportRequest, connection: Connection): Http.ClientRequest {
  const route = routeOf(request)
  return route.request(connection === 'fresh' ? { ...route.options, agent: false } : route.options)
}

function routeOf(request: TransportRequest): Route {
  const { url, headers, idleTimeoutMs } = request
  const known = routes.get(headers)
  if (known?.url === url && known.idleTimeoutMs === idleTimeoutMs) return known
  const parsed = new URL(url)
  const { protocol, hostname, port, pathname, search, username, password } = parsed
  const route: Route = {
    url,
    idleTimeoutMs,
    request: moduleOf(protocol).request as typeof Http.request,
    options: {
      protocol,
      // node:http wants an IPv6 address without its brackets.
      hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
      port: port === '' ? undefined : port,
      path: pathname + search,
      auth:
        username === ''
          ? undefined
          : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
      method: 'POST',
      headers: { 'accept-encoding': 'identity', 'user-agent': 'toolwright', ...headers },
      agent: agentFor(parsed, idleTimeoutMs),
      // Spares a plain connection the search for a TLS name.
      ...(protocol === 'http:' && { servername: '' }),
      // Also covers name lookup and connecting, unlike setTimeout on the request.
      timeout: idleTimeoutMs,
    },
  }
  routes.set(headers, route)
  return route
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

/** One agent per origin and timeout. Idle sockets are unref'd by Node itself, so they hold no process open. */
function agentFor({ protocol, host }: URL, idleTimeoutMs: number): Http.Agent {
  const key = `${protocol}//${host} ${idleTimeoutMs}`
  const known = agents.get(key)
  if (known !== undefined) return known
  const agent = keptAliveAgent(moduleOf(protocol), idleTimeoutMs)
  // What is forgotten here closes its connections when they have been idle.
  if (agents.size >= 1024) agents.clear()
  agents.set(key, agent)
  return agent
}

function moduleOf(protocol: string): typeof Http | typeof Https {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
}

function isNode(): boolean {
  const { process, navigator } = globalThis as {
    process?: { getBuiltinModule?: unknown }
    navigator?: { userAgent?: string }
  }
  if (typeof process?.getBuiltinModule !== 'function') return false
  return navigator === undefined || (navigator.userAgent ?? '').startsWith('Node.js')
}
