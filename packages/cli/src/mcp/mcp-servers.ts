/**
 * The MCP servers of one command: connected together, asked for their tools, closed together. Names that clash get the
 * server's name before them. Should the process end otherwise, the library ends the programs that it started.
 */
import type { McpTools } from '@toolwright/mcp'
import type { ToolCallback, ToolCallbackProvider, ToolListing } from 'toolwright'
import type { CommandIo } from '../command/command.ts'
import { printable } from '../terminal/printable.ts'
import { chooseServers, type ChosenServer } from './choose-servers.ts'
import type { WantedServers } from './mcp-options.ts'
import { serverError } from './server-error.ts'
import { tellApart } from './tell-apart.ts'

export interface OpenOptions {
  readonly io: CommandIo
  readonly signal?: AbortSignal | undefined
  /** Tools whose names the servers' must differ from, as they are now. Default: none. */
  readonly own?: () => readonly ToolCallback[]
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
  readonly #clashed = new Set<string>()
  readonly #wanted: WantedServers
  readonly #options: OpenOptions

  private constructor(wanted: WantedServers, options: OpenOptions) {
    this.#wanted = wanted
    this.#options = options
  }

  /** Says what is started, starts it, and asks for the tools. If one server fails, all are closed. */
  static async open(wanted: WantedServers, options: OpenOptions): Promise<McpServers> {
    const chosen = chooseServers(wanted.mcp, options.io)
    for (const each of chosen) options.io.stderr.write(`${startLine(each, options.io)}\n`)
    const servers = new McpServers(wanted, options)
    try {
      servers.#name(await servers.#connectAll(chosen))
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
  get source(): ToolCallbackProvider {
    return { toolCallbacks: (listing) => this.list(listing && this.#tellingOnce(listing)) }
  }

  /** As they are now: what has not changed is not asked again. */
  async list(listing?: ToolListing): Promise<readonly ToolCallback[]> {
    const listed = this.#open.map(async (each) => ({
      ...each,
      tools: await each.source.toolCallbacks(listing),
    }))
    this.#name(await Promise.all(listed))
    return this.tools
  }

  /** As they were last listed. */
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

  #name(open: readonly OpenServer[]): void {
    const lists = open.map(({ source, tools }) => ({ label: source.servers[0]!, tools }))
    const own = this.#options.own?.() ?? []
    const taken = new Set(own.map(({ definition }) => definition.name))
    const named = tellApart(lists, { taken, clashed: this.#clashed })
    this.#open = open.map((each, at) => ({ ...each, tools: named[at]! }))
  }

  async #connect(chosen: ChosenServer): Promise<OpenServer> {
    const { signal } = this.#options
    const { mcpTools } = await import('@toolwright/mcp')
    const { trust, timeoutMs } = this.#wanted
    const source = mcpTools(chosen.server, {
      ...(chosen.name !== undefined && { name: chosen.name }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      trust: trust ? 'trusted' : 'untrusted',
    })
    this.#sources.add(source)
    try {
      const tools = await source.toolCallbacks({ signal, notice: () => {} })
      return { chosen, source, tools }
    } catch (error) {
      signal?.throwIfAborted()
      throw serverError(error, chosen)
    }
  }
}

function startLine({ name, shown, server }: ChosenServer, { stderr }: CommandIo): string {
  const who = `MCP server${name === undefined ? '' : ` (${name})`}`
  const text = `${who}${'command' in server ? ', started here' : ''}: ${shown}`
  return stderr.isTTY ? printable(text) : text
}
