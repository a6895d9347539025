/**
 * A connection to a host through a proxy: CONNECT, then TLS to the host itself. The proxy sees the host's name
 * and the bytes of TLS, and never a header of the request, such as a key.
 */
import type * as Http from 'node:http'
import type * as Https from 'node:https'
import type { Socket } from 'node:net'
import type * as Tls from 'node:tls'
import type { Proxy } from './proxy-of.ts'

export interface TunnelTarget {
  readonly hostname: string
  readonly port: number
}

/** What went wrong at the proxy; `code` says whether another try may help, as those of the system do. */
export class ProxyFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** How a proxy is called in words: without user and password. */
const nameOf = ({ hostname, port }: Proxy): string => `the proxy ${hostname}:${port}`

/** The failure that a proxy's own answer means. */
export function refusedBy(proxy: Proxy, status: number, words = ''): ProxyFailure {
  const said = `${status} ${words.replace(/[^\x20-\x7e]/g, '').slice(0, 60)}`.trim()
  // Without the right password or permission another try is of no use.
  const code = status >= 500 ? 'EPROXY' : 'EPROXYREFUSED'
  return new ProxyFailure(code, `${nameOf(proxy)} answered ${said}`)
}

export interface Opening {
  /** Resolves with a connection that is ready to use. */
  readonly socket: Promise<Socket>
  /** Gives up: `socket` rejects with this. */
  destroy(thrown: Error): void
}

export function openTunnel(proxy: Proxy, target: TunnelTarget): Opening {
  let current: { destroy(thrown: Error): unknown } | undefined
  const hold = <Held extends { destroy(thrown: Error): unknown }>(held: Held): Held => {
    current = held
    return held
  }
  const opening = connected(hold(connectRequest(proxy, target)), proxy)
  return {
    socket: opening.then((socket) => secured(hold(overTls(socket, target)))),
    destroy: (thrown) => void current?.destroy(thrown),
  }
}

function connectRequest(proxy: Proxy, { hostname, port }: TunnelTarget): Http.ClientRequest {
  const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
  const { authorization } = proxy
  const request = moduleOf(proxy.protocol).request({
    method: 'CONNECT',
    host: proxy.hostname,
    port: proxy.port,
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    },
  })
  request.end()
  return request
}

function connected(request: Http.ClientRequest, proxy: Proxy): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // Stays for the life of the connection: an error nobody listens for would end the process.
    request.on('error', (thrown) => reject(failedAt(proxy, thrown)))
    request.once('connect', ({ statusCode = 0, statusMessage }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy()
        return reject(refusedBy(proxy, statusCode, statusMessage))
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
  })
}

function overTls(socket: Socket, { hostname }: TunnelTarget): Tls.TLSSocket {
  const isIp = process.getBuiltinModule('node:net').isIP(hostname) !== 0
  return process
    .getBuiltinModule('node:tls')
    .connect({ socket, host: hostname, ...(!isIp && { servername: hostname }) })
}

function secured(socket: Tls.TLSSocket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

/** The same failure, with the proxy named: it need not be the provider's. */
export function failedAt(proxy: Proxy, thrown: NodeJS.ErrnoException): ProxyFailure {
  return new ProxyFailure(thrown.code ?? 'EPROXY', `at ${nameOf(proxy)}: ${thrown.message}`)
}

function moduleOf(protocol: string): typeof Http | typeof Https {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
}
