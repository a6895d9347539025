/** Where `toolwright mcp --port` listens, who may ask there, and under which names it is asked. */
import { hostname, networkInterfaces } from 'node:os'
import { CommandError } from '../command/command-error.ts'

export interface AddressOptions {
  readonly port?: string
  readonly host?: string
  readonly token?: string
}

export interface Address {
  readonly port: number
  readonly host: string
  readonly token: string | undefined
  /** Undefined: loopback names. */
  readonly allowedHosts: readonly string[] | undefined
}

const TOKEN = 'TOOLWRIGHT_MCP_TOKEN'
const LOOPBACK = '127.0.0.1'
const LARGEST_PORT = 65_535

/** Undefined: nothing is listened on. Throws `CommandError`; a token is in no message. */
export function addressOf(
  { port, host = LOOPBACK, token }: AddressOptions,
  env: { readonly [name: string]: string | undefined },
): Address | undefined {
  if (port === undefined) {
    const given = token === undefined ? host !== LOOPBACK && '--host' : '--token'
    if (given) throw new CommandError(`${given} goes with --port. Give both, or neither.`)
    return undefined
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > LARGEST_PORT)
    throw new CommandError(`--port takes a number from 0 to ${LARGEST_PORT}, not "${port}".`)
  const secret = token ?? (env[TOKEN] || undefined)
  if (secret?.trim() === '')
    throw new CommandError('--token is empty. Give it a text that is hard to guess.')
  if (!isLoopback(host) && secret === undefined)
    throw new CommandError(
      `On ${host} others can reach the tools, so that a token is needed. Set ${TOKEN}, or give --token.`,
    )
  return {
    port: Number(port),
    host,
    token: secret,
    allowedHosts: isLoopback(host) ? undefined : namesOf(host),
  }
}

const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/i.test(host)

/** Of every interface: the machine's own names. A name that others gave it stays refused. */
function namesOf(host: string): readonly string[] {
  const loopback = ['localhost', LOOPBACK, '[::1]']
  if (!/^(?:0\.0\.0\.0|\[?::\]?)$/.test(host)) return [...loopback, host]
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const own = addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  return [...new Set([...loopback, hostname(), ...own])]
}
