/**
 * A server as `.mcp.json` keeps it, in the shape that other MCP hosts use; what of it may be shown, and what
 * `mcpTools` takes for it. Secrets are in values of `env`, headers and queries, so these are never shown.
 */
import { resolve } from 'node:path'
import type { HttpServer, StdioServer } from '@toolwright/mcp'
import { CommandError } from '../command/command-error.ts'
import { showCommandLine } from './command-words.ts'
import { expandVariables, type Expanding } from './expand-variables.ts'

interface Texts {
  readonly [name: string]: string
}

interface ProgramEntry {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Texts
  readonly cwd?: string
}

interface AddressEntry {
  readonly type: 'http'
  readonly url: string
  readonly headers?: Texts
}

export type ServerEntry = ProgramEntry | AddressEntry

const ADDRESS_TYPES = ['http', 'streamable-http', 'streamableHttp']

/** Checks an entry that may be written by hand. Unknown fields are for other hosts, and are left out here. */
export function readEntry(name: string, value: unknown): ServerEntry {
  const { type, command, args, env, cwd, url, headers } = Object(value) as {
    readonly [field: string]: unknown
  }
  const wrong = (what: string): CommandError =>
    new CommandError(`The server "${name}" of .mcp.json ${what}. Mend it there, or add it anew.`)
  if (type === 'sse')
    throw wrong(
      'is of the type "sse", which is no longer spoken; most such servers have a url of the type "http" too',
    )
  if (typeof url === 'string' && url !== '') {
    if (type !== undefined && !ADDRESS_TYPES.includes(type as string))
      throw wrong('has a url, but its type is not "http"')
    if (headers !== undefined && !areTexts(headers)) throw wrong('has headers that are not texts')
    return { type: 'http', url, ...(headers && { headers }) }
  }
  if (typeof command !== 'string' || command === '') throw wrong('has neither command nor url')
  if (args !== undefined && !isTextList(args)) throw wrong('has args that are no list of texts')
  if (env !== undefined && !areTexts(env)) throw wrong('has an env whose values are not texts')
  if (cwd !== undefined && typeof cwd !== 'string') throw wrong('has a cwd that is no text')
  return { command, ...(args && { args }), ...(env && { env }), ...(cwd && { cwd }) }
}

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const areTexts = (value: unknown): value is Texts =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => typeof each === 'string')

/** What is started or asked, as it is written: variables stay variables, and of secrets only the names are there. */
export function showEntry(entry: ServerEntry): string {
  const isAddress = 'url' in entry
  const shown = isAddress
    ? showUrl(entry.url)
    : showCommandLine([entry.command, ...(entry.args ?? [])])
  const names = Object.keys((isAddress ? entry.headers : entry.env) ?? {})
  if (names.length === 0) return shown
  return `${shown} (${isAddress ? 'headers' : 'env'}: ${names.join(', ')})`
}

/** Values of a query may be keys; variables in it are no secrets. */
const showUrl = (url: string): string =>
  url.replace(/([?&][^=&#]+=)(?!\$\{)[^&#]+/g, '$1…').replace(/:\/\/[^/?#]*@/, '://…@')

export interface ToServerOptions extends Expanding {
  /** Where a relative `cwd` starts. */
  readonly cwd: string
  /** Nothing is a variable. */
  readonly isPlain?: boolean
}

export function toServer(entry: ServerEntry, options: ToServerOptions): StdioServer | HttpServer {
  const expanded = (text: string): string =>
    options.isPlain ? text : expandVariables(text, options)
  const all = (texts: Texts): Texts =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expanded(text)]))
  if ('url' in entry)
    return {
      url: checkedUrl(expanded(entry.url), options.server),
      ...(entry.headers && { headers: all(entry.headers) }),
    }
  return {
    command: expanded(entry.command),
    args: (entry.args ?? []).map(expanded),
    cwd: resolve(options.cwd, expanded(entry.cwd ?? '.')),
    ...(entry.env && { env: all(entry.env) }),
  }
}

/** An address that cannot be read is not quoted: it may have a password in it. */
function checkedUrl(url: string, server: string): string {
  if (!URL.canParse(url))
    throw new CommandError(
      `The url of the server "${server}" is not an address. Write it like https://example.com/mcp.`,
    )
  const { protocol, username, password } = new URL(url)
  if (!/^https?:$/.test(protocol))
    throw new CommandError(
      `The url of the server "${server}" begins with ${protocol}. Write one that begins with http: or https:.`,
    )
  if (username === '' && password === '') return url
  throw new CommandError(
    `The url of the server "${server}" has a user or password in it. Send it in a header: toolwright mcp add <name> <url> --header 'Authorization: Bearer \${TOKEN}'.`,
  )
}
