/**
 * Host and Origin of every request over HTTP, against web pages that reach for servers of this machine: by a name that
 * they let point here, or simply by sending. What is not on a list is refused, and so is what cannot be read.
 */
import type { ServeToolsOptions } from './serve-tools-options.ts'

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export interface AllowedPlaces {
  /** Lower-case names, with a port where only that one counts. */
  readonly hosts: ReadonlySet<string>
  /** Whole origins; undefined: those of this machine. */
  readonly origins: ReadonlySet<string> | undefined
}

/** `listening`: an address that the server itself was told to listen at. */
export function allowedPlaces(options: ServeToolsOptions, listening?: string): AllowedPlaces {
  const { allowedHosts, allowedOrigins } = options
  const own = listening === undefined ? [] : [bracketed(listening)]
  const hosts = (allowedHosts ?? [...LOOPBACK_NAMES, ...own]).map((host) => host.toLowerCase())
  const origins = allowedOrigins?.map((origin) => origin.toLowerCase().replace(/\/$/, ''))
  return { hosts: new Set(hosts), origins: origins && new Set(origins) }
}

/** An IPv6 address as it stands in addresses and headers. */
export const bracketed = (host: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]` : host

/** Says what is wrong with the request, undefined if nothing. */
export function misplaced(
  { hosts, origins }: AllowedPlaces,
  host: string | null | undefined,
  origin: string | null | undefined,
): string | undefined {
  if (!isAllowedHost(hosts, host))
    return 'This Host is not allowed here. Add it to allowedHosts if it is yours.'
  if (origin === null || origin === undefined) return undefined
  if (!isAllowedOrigin(origins, origin))
    return 'This Origin is not allowed here. Add it to allowedOrigins if it is yours.'
  return undefined
}

/** A name, a dotted or a bracketed address, and maybe a port. Nothing else is a host. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d{1,5}))?$/

function isAllowedHost(hosts: ReadonlySet<string>, given: string | null | undefined): boolean {
  const host = given?.toLowerCase() ?? ''
  const [, name] = HOST.exec(host) ?? []
  return name !== undefined && (hosts.has(name) || hosts.has(host))
}

function isAllowedOrigin(origins: ReadonlySet<string> | undefined, given: string): boolean {
  const origin = given.toLowerCase()
  if (origins) return origins.has(origin)
  const [, host = ''] = /^https?:\/\/(.+)$/.exec(origin) ?? []
  return isAllowedHost(new Set(LOOPBACK_NAMES), host)
}

export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host.toLowerCase()) || /^127(?:\.\d{1,3}){3}$/.test(host)
