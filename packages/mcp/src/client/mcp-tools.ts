/** `mcpTools()`: the tools of MCP servers, as a source of tools. */
import { checkOptions, ConfigurationError, type ToolCallback, type ToolListing } from 'toolwright'
import { cleanName, isNameForModels, prefixed } from '../remote/tool-names.ts'
import { isClient } from './connection.ts'
import { addressOf } from './http-transport.ts'
import type { McpServer, McpSource, McpTools, McpToolsOptions } from './mcp-tools-options.ts'
import type { OfferableTool } from './offerable-tools.ts'
import { ServerTools } from './server-tools.ts'

/**
 * Offers the tools of a server, or of several. Nothing is started or asked before a run needs the tools.
 *
 * @example
 * await using files = mcpTools({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] })
 * await ChatClient.create(model).prompt('What is in this folder?').tools(files).call().content()
 */
export function mcpTools(server: McpServer, options?: McpToolsOptions): McpTools
/**
 * The tools of several servers. Names that clash get the server's name before them.
 *
 * @example
 * mcpTools([{ command: 'weather-server' }, { url: 'https://maps.example/mcp', trust: 'trusted' }])
 */
export function mcpTools(servers: readonly McpSource[]): McpTools
export function mcpTools(
  given: McpServer | readonly McpSource[],
  options: McpToolsOptions = {},
): McpTools {
  const sources = Array.isArray(given)
    ? (given as readonly McpSource[]).map(fromSource)
    : [{ server: given as McpServer, options }]
  if (sources.length === 0) throw invalid('takes at least one server')
  for (const source of sources) check(source.server, source.options)
  return new SeveralServers(sources.map(({ server, options }) => new ServerTools(server, options)))
}

interface Source {
  readonly server: McpServer
  readonly options: McpToolsOptions
}

const fromSource = (source: McpSource): Source => ({
  server: 'client' in source ? source.client : source,
  options: source,
})

class SeveralServers implements McpTools {
  readonly #servers: readonly ServerTools[]

  constructor(servers: readonly ServerTools[]) {
    this.#servers = servers
  }

  get servers(): readonly string[] {
    return this.#servers.map(({ label }) => label)
  }

  get quarantined(): McpTools['quarantined'] {
    return this.#servers.flatMap(({ quarantined }) => quarantined)
  }

  get instructions(): string | undefined {
    const all = this.#servers.map(({ instructions }) => instructions).filter((words) => words)
    return all.length === 0 ? undefined : all.join('\n\n')
  }

  /** A server that cannot be asked does not hide the others; if none can be asked, that is an error. */
  async toolCallbacks(listing?: ToolListing): Promise<readonly ToolCallback[]> {
    const lists = await Promise.allSettled(this.#servers.map((server) => server.tools(listing)))
    const failed = lists.filter((list) => list.status === 'rejected')
    if (failed.length > 0 && failed.length === lists.length) throw failed[0]!.reason
    listing?.signal?.throwIfAborted()
    for (const { reason } of failed) {
      const why = reason instanceof Error ? reason.message : String(reason)
      listing?.notice('mcp-list', `The tools of a server are not offered: ${why}`)
    }
    return named(
      lists.map((list) => (list.status === 'fulfilled' ? list.value : [])),
      this.#prefixes(),
    )
  }

  refresh(): void {
    for (const server of this.#servers) server.refresh()
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Each server's own, also if two are called the same. */
  #prefixes(): readonly string[] {
    const labels = this.#servers.map(({ label }) => cleanName(label) || 'mcp')
    return labels.map((label, index) =>
      labels.indexOf(label) === index ? label : `${label}${index + 1}`,
    )
  }
}

/** A name that two servers have is given to neither. A prefix that makes another tool's name gets a hash as well. */
function named(
  lists: readonly (readonly OfferableTool[])[],
  prefixes: readonly string[],
): readonly ToolCallback[] {
  const counts = new Map<string, number>()
  for (const { name } of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const nameOf = ({ name, isRenamed }: OfferableTool, index: number): string => {
    if (counts.get(name) === 1 || isRenamed) return name
    const full = prefixed(prefixes[index]!, name)
    return counts.has(full) ? prefixed(prefixes[index]!, `${name}.`) : full
  }
  return lists.flatMap((tools, index) => tools.map((tool) => tool.as(nameOf(tool, index))))
}

const OPTIONS = [
  'name', 'prefix', 'include', 'exclude', 'rename', 'context', 'trust', 'pins', 'timeoutMs', 'era', 'sampling', 'roots',
  'traceContext',
] as const // prettier-ignore
const OF_PROGRAMS = ['command', 'args', 'env', 'cwd']
const OF_ADDRESSES = ['url', 'headers', 'auth', 'fetch']

function check(server: McpServer, options: McpToolsOptions): void {
  const isServer = typeof server === 'object' && server !== null
  if (!isServer || !('command' in server || 'url' in server || isClient(server)))
    throw invalid('takes a server first: { command }, { url } or a connected client of the SDK')
  if ('command' in server && 'url' in server) throw invalid('takes a command or a url, not both')
  if ('command' in server && (typeof server.command !== 'string' || server.command === ''))
    throw invalid('command is the name or path of a program')
  if ('url' in server) addressOf(server)
  checkKeys(server, options)
  const { timeoutMs, trust, era, rename = {}, prefix } = options
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw invalid('timeoutMs is a number of milliseconds above 0')
  if (trust !== undefined && !['untrusted', 'trusted'].includes(trust))
    throw invalid("trust is 'untrusted' or 'trusted'")
  if (era !== undefined && !['auto', 'legacy', 'modern'].includes(era))
    throw invalid("era is 'auto', 'legacy' or 'modern'")
  for (const name of [...Object.values(rename), ...(prefix === undefined ? [] : [prefix])])
    if (!isNameForModels(name))
      throw invalid(`"${name}" is no name for models: up to 64 letters, digits, _ and -`)
}

/** Of a list each server has its options beside it; otherwise they stand apart. */
function checkKeys(server: McpServer, options: McpToolsOptions): void {
  const isInList = (options as object) === server || 'client' in options
  const ofServer = isClient(server) ? ['client'] : 'url' in server ? OF_ADDRESSES : OF_PROGRAMS
  if (isInList) return checkOptions('A server of mcpTools()', options, [...ofServer, ...OPTIONS])
  checkOptions('mcpTools()', options, OPTIONS)
  if (isClient(server)) return
  const misplaced = Object.keys(server).find((key) => (OPTIONS as readonly string[]).includes(key))
  if (misplaced !== undefined)
    throw invalid(`takes ${misplaced} in its options: mcpTools(server, { ${misplaced} })`)
  checkOptions('The server of mcpTools()', server, ofServer)
}

const invalid = (what: string): ConfigurationError =>
  new ConfigurationError('invalid-option', `mcpTools() ${what}.`)
