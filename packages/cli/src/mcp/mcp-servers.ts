/**
 * The MCP servers of one command: connected together, asked for their tools, closed together. Names that clash get the
 * server's name before them. Should the process end otherwise, the library ends the programs that it started.
 */
import { basename } from 'node:path'
import type { McpTools } from '@toolwright/mcp'
import type { ToolCallback, ToolCallbackProvider, ToolListing } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { printable } from '../terminal/printable.ts'
import { chooseServers, type ChosenServer } from './choose-servers.ts'
import { serverError } from './server-error.ts'
import type { WantedServers } from './mcp-options.ts'

const LONGEST_PREFIX = 32
/** Of a name that models take. */
const LONGEST_NAME = 64

export interface OpenOptions {
  readonly io: CommandIo
  readonly signal?: AbortSignal | undefined
  /** Names of tools that the servers must leave alone. */
  readonly taken?: readonly string[]
}

/** A server that has answered. */
export interface OpenServer {
  readonly chosen: ChosenServer
  readonly source: McpTools
  readonly tools: readonly ToolCallback[]
}

export class McpServers {
  #open: readonly OpenServer[] = []
  readonly #sources = new Set<McpTools>()
  readonly #told = new Set<string>()
  readonly #wanted: WantedServers
  readonly #signal: AbortSignal | undefined

  private constructor(wanted: WantedServers, { signal }: OpenOptions) {
    this.#wanted = wanted
    this.#signal = signal
  }

  /** Says what is started, starts it, and asks for the tools. If one server fails, all are closed. */
  static async open(wanted: WantedServers, options: OpenOptions): Promise<McpServers> {
    const chosen = chooseServers(wanted.mcp, options.io)
    for (const each of chosen) options.io.stderr.write(`${startLine(each, options.io)}\n`)
    const servers = new McpServers(wanted, options)
    try {
      servers.#open = await servers.#apart(await servers.#connectAll(chosen), options.taken ?? [])
      return servers
    } catch (error) {
      await servers.close()
      throw error
    }
  }

  get all(): readonly OpenServer[] {
    return this.#open
  }

  /** As a run takes them: they are listed anew, so that changes are seen. What is wrong with a list is told once. */
  get sources(): readonly ToolCallbackProvider[] {
    return this.#open.map(({ source }) => ({
      toolCallbacks: (listing) => source.toolCallbacks(listing && this.#tellingOnce(listing)),
    }))
  }

  /** As they were when the servers were opened. */
  get tools(): readonly ToolCallback[] {
    return this.#open.flatMap(({ tools }) => tools)
  }

  /** `name: reason` of each tool that is not offered. */
  get quarantined(): readonly string[] {
    return this.#open.flatMap(({ source }) =>
      source.quarantined.map(({ name, reason }) => printable(`${name}: ${reason}`)),
    )
  }

  #tellingOnce(listing: ToolListing): ToolListing {
    return {
      ...listing,
      notice: (...told) => {
        const [, message] = told
        if (!this.#told.has(message)) listing.notice(...told)
        this.#told.add(message)
      },
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#sources].map((source) => source.close()))
  }

  async #connectAll(chosen: readonly ChosenServer[]): Promise<readonly OpenServer[]> {
    const results = await Promise.allSettled(chosen.map((each) => this.#connect(each)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    return results.map((result) => (result as PromiseFulfilledResult<OpenServer>).value)
  }

  async #connect(chosen: ChosenServer, rename?: Names): Promise<OpenServer> {
    const { mcpTools } = await import('@toolwright/mcp')
    const { trust, timeoutMs } = this.#wanted
    const source = mcpTools(chosen.server, {
      ...(chosen.name !== undefined && { name: chosen.name }),
      ...(rename !== undefined && { rename }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      trust: trust ? 'trusted' : 'untrusted',
    })
    this.#sources.add(source)
    try {
      const tools = await source.toolCallbacks({ signal: this.#signal, notice: () => {} })
      return { chosen, source, tools }
    } catch (error) {
      this.#signal?.throwIfAborted()
      throw serverError(error, chosen)
    }
  }

  /** Connects those anew some of whose names are taken, with other names for these tools. */
  async #apart(
    open: readonly OpenServer[],
    taken: readonly string[],
  ): Promise<readonly OpenServer[]> {
    const names = new Set(taken)
    const apart: OpenServer[] = []
    for (const each of open) {
      const rename = otherNames(each, names)
      const settled = rename === undefined ? each : await this.#again(each, rename)
      for (const { definition } of settled.tools) names.add(definition.name)
      apart.push(settled)
    }
    return apart
  }

  async #again({ chosen, source }: OpenServer, rename: Names): Promise<OpenServer> {
    await source.close()
    this.#sources.delete(source)
    return this.#connect(chosen, rename)
  }
}

interface Names {
  readonly [toolName: string]: string
}

/** Undefined if no name is taken. */
function otherNames({ chosen, tools }: OpenServer, taken: ReadonlySet<string>): Names | undefined {
  const own = tools.map(({ definition }) => definition.name)
  const used = new Set([...taken, ...own])
  const clashing = own.filter((name) => taken.has(name))
  if (clashing.length === 0) return undefined
  return Object.fromEntries(
    clashing.map((name) => {
      const other = freeName(prefixOf(chosen), name, used)
      used.add(other)
      return [name, other]
    }),
  )
}

function freeName(prefix: string, name: string, used: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const other = `${prefix}${number === 1 ? '' : number}_${name}`.slice(0, LONGEST_NAME)
    if (!used.has(other)) return other
  }
}

/** What tells the server from others, also when it has no name here. */
function prefixOf({ name, server }: ChosenServer): string {
  const own = 'url' in server ? new URL(server.url).hostname : basename(server.command)
  return (name ?? own).replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, LONGEST_PREFIX)
}

function startLine({ name, shown, server }: ChosenServer, { stderr }: CommandIo): string {
  const who = `MCP server${name === undefined ? '' : ` (${name})`}`
  const text = `${who}${'command' in server ? ', started here' : ''}: ${shown}`
  return stderr.isTTY ? printable(text) : text
}
