/** The tools of a playground: those of files, which are loaded again when they change, and those of MCP servers. */
import { dirname, relative } from 'node:path'
import { setInterval } from 'node:timers/promises'
import type { OfferedTool, PlaygroundTools } from '@toolwright/playground'
import type { ToolSource } from 'toolwright'
import type { ChatTools } from '../chat/chat-tools.ts'
import { CommandError } from '../command/command-error.ts'
import { FolderWatch } from '../generate/files/folder-watch.ts'

export interface WatchedToolsOptions {
  readonly cwd: string
  readonly signal: AbortSignal
  warn(message: string): void
}

/** What a server has told of is asked for after so long, and nothing else is. */
const SERVERS_LOOK_MS = 1000

export class WatchedTools implements PlaygroundTools {
  readonly #tools: ChatTools
  readonly #options: WatchedToolsOptions
  readonly #listeners = new Set<() => void>()
  #problem: string | undefined

  constructor(tools: ChatTools, options: WatchedToolsOptions) {
    this.#tools = tools
    this.#options = options
  }

  get sources(): readonly string[] {
    const files = this.#tools.loaded.map(({ file }) => this.#shown(file))
    return [...files, ...(this.#tools.servers?.all ?? []).map(({ chosen }) => chosen.shown)]
  }

  get problem(): string | undefined {
    return this.#problem
  }

  get quarantined(): readonly string[] {
    return this.#tools.servers?.quarantined ?? []
  }

  async list(): Promise<readonly OfferedTool[]> {
    await this.#tools.list()
    const own = this.#tools.loaded.map(({ file, tools }) => ({ source: this.#shown(file), tools }))
    const served = (this.#tools.servers?.all ?? []).map(({ chosen, tools }) => ({
      source: chosen.shown,
      tools,
    }))
    return [...own, ...served].flatMap(({ source, tools }) =>
      tools.map((callback) => ({ callback, source })),
    )
  }

  runSources(): readonly ToolSource[] {
    return this.#tools.sources
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Until the signal, too: a page that is open hears of the tools that a server has now. */
  async watchServers(): Promise<void> {
    const { servers } = this.#tools
    if (!servers) return
    const { signal } = this.#options
    const defined = (): string => JSON.stringify(servers.tools.map(({ definition }) => definition))
    let before = defined()
    try {
      for await (const _ of setInterval(SERVERS_LOOK_MS, undefined, { signal })) {
        await this.#tools.list()
        if (defined() === before) continue
        before = defined()
        this.#tell()
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  /** Until the signal. What cannot be watched is told about once; the tools stay as they are then. */
  async watch(): Promise<void> {
    const { signal, warn } = this.#options
    const watch = new FolderWatch(signal)
    try {
      let mustLook = watch.cover(this.#folders())
      while (mustLook || (await watch.changed())) {
        await this.#refresh()
        mustLook = watch.cover(this.#folders())
      }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      warn(error.message)
    }
  }

  async #refresh(): Promise<void> {
    const reload = await this.#tools.refresh()
    if (!reload) return
    this.#problem = reload.kind === 'broken' ? reload.message : undefined
    this.#options.warn(reload.message)
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  #folders(): readonly string[] {
    return this.#tools.loaded.flatMap(({ files }) => files.map((file) => dirname(file)))
  }

  #shown(file: string): string {
    return relative(this.#options.cwd, file) || file
  }
}
