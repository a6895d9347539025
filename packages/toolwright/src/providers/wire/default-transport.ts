/** Which way a request takes: node:http where that is plain and quick, fetch everywhere else. */
import type { Transport } from '../../ports/transport.ts'
import { fetchTransport } from './fetch-transport.ts'
import { nodeTransport } from './node-transport.ts'

const overFetch = fetchTransport()
const choose: Transport = (request) => wayTo(request.url)(request)

/** Per address: asking the environment costs more than the rest of the choice. */
const ways = new Map<string, Transport>()

function wayTo(url: string): Transport {
  const known = ways.get(url)
  if (known !== undefined) return known
  const way = nodeTransport === undefined || proxyApplies(url) ? overFetch : nodeTransport
  if (ways.size >= 1024) ways.clear()
  ways.set(url, way)
  return way
}

export function defaultTransport(): Transport {
  return choose
}

/** Whether the environment names a proxy for this address. */
export function proxyApplies(url: string): boolean {
  const variables = (globalThis as { process?: { env?: Record<string, string | undefined> } })
    .process?.env
  if (variables === undefined) return false
  const secure = url.startsWith('https:')
  const proxy = secure
    ? (variables.HTTPS_PROXY ?? variables.https_proxy)
    : (variables.HTTP_PROXY ?? variables.http_proxy)
  const anyProxy = proxy ?? variables.ALL_PROXY ?? variables.all_proxy
  if (!anyProxy) return false
  const { hostname } = new URL(url)
  if (LOOPBACK.test(hostname)) return false
  return !isExcepted(hostname, variables.NO_PROXY ?? variables.no_proxy ?? '')
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function isExcepted(hostname: string, exceptions: string): boolean {
  return exceptions.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    const suffix = entry
      .replace(/^\*?\.?/, '')
      .replace(/:\d+$/, '')
      .toLowerCase()
    return suffix !== '' && (hostname === suffix || hostname.endsWith(`.${suffix}`))
  })
}
