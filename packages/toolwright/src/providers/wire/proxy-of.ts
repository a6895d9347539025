/**
 * Which proxy the environment names for an address, as curl and most programs read it: `HTTPS_PROXY`,
 * `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in small letters or capitals. The loopback never goes over a proxy.
 * Node only: its `fetch` knows no proxies before Node 24, and other runtimes look themselves.
 */
import type * as Net from 'node:net'
import { percentDecoded } from './percent-decoded.ts'

export interface Proxy {
  readonly protocol: 'http:' | 'https:'
  readonly hostname: string
  readonly port: number
  /** The value of `Proxy-Authorization`, from the user and password of the address. */
  readonly authorization: string | undefined
}

/** The environment names a proxy that cannot be used. `variable` says where; the value may hold a password. */
export interface UnusableProxy {
  readonly variable: string
  readonly why: string
}

type Environment = { readonly [name: string]: string | undefined }

export function proxyOf(
  url: URL,
  environment: Environment = process.env,
): Proxy | UnusableProxy | undefined {
  const names = [url.protocol === 'https:' ? 'https_proxy' : 'http_proxy', 'all_proxy']
  const found = names.map((name) => variable(environment, name)).find((each) => each !== undefined)
  if (found === undefined || isLoopback(url.hostname)) return undefined
  const [, exceptions = ''] = variable(environment, 'no_proxy') ?? []
  if (isExcepted(url, exceptions)) return undefined
  return parsed(...found)
}

/** Its name and value; a blank one is as good as none. */
function variable(environment: Environment, name: string): [string, string] | undefined {
  for (const spelling of [name, name.toUpperCase()]) {
    const value = environment[spelling]?.trim()
    if (value) return [spelling, value]
  }
  return undefined
}

function parsed(name: string, value: string): Proxy | UnusableProxy {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`
  if (!URL.canParse(address)) return { variable: name, why: 'it is no address' }
  const { protocol, hostname, port, username, password } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:')
    return { variable: name, why: `proxies of kind ${protocol.slice(0, -1)} are not supported` }
  return {
    protocol,
    hostname: bare(hostname),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    authorization: username === '' ? undefined : basic(username, password),
  }
}

function basic(username: string, password: string): string {
  const words = [username, password].map(percentDecoded).join(':')
  return `Basic ${Buffer.from(words).toString('base64')}`
}

const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** A host with its subdomains, perhaps with a port; an address; a range of addresses; or `*`. */
function isExcepted(url: URL, exceptions: string): boolean {
  const host = bare(url.hostname).replace(/\.$/, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return exceptions.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    if (entry.includes('/')) return isInRange(host, entry)
    const [, name = '', only = port] =
      /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIp(entry) ? `[${entry}]` : entry) ?? []
    const suffix = name.replace(/^\*?\.?/, '').toLowerCase()
    if (suffix === '' || only !== port) return false
    return host === suffix || host.endsWith(`.${suffix}`)
  })
}

function isInRange(host: string, range: string): boolean {
  const { BlockList } = net()
  const [start = '', length = ''] = range.split('/')
  const family = net().isIPv6(start) ? 'ipv6' : 'ipv4'
  if (!isIp(host) || net().isIPv6(host) !== (family === 'ipv6')) return false
  try {
    const list = new BlockList()
    list.addSubnet(start, Number(length), family)
    return list.check(host, family)
  } catch {
    return false
  }
}

const isIp = (host: string): boolean => net().isIP(host) !== 0
const net = (): typeof Net => process.getBuiltinModule('node:net')

/** node:http wants an IPv6 address without its brackets. */
export const bare = (hostname: string): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
