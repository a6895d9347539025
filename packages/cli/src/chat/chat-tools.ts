/**
 * The tools of a chat, from files and MCP servers. Files are reloaded between turns when one, or a file it imports,
 * has changed; if a changed file cannot be loaded, its tools stay as they were. Servers are asked by each run.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ToolCallback, ToolSource } from 'toolwright'
import { CommandError } from '../command/command-error.ts'
import type { LoadedTools } from '../load/load-tools.ts'
import type { McpServers } from '../mcp/mcp-servers.ts'

const LONGEST_LISTING_MS = 5_000

export interface ChatToolsOptions {
  readonly files: readonly string[]
  readonly cwd: string
}

/** What changed since the last turn, to be reported. */
export type Reload =
  | { readonly kind: 'reloaded'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string }

export class ChatTools {
  readonly #options: ChatToolsOptions
  /** The command that opened them closes them. */
  servers: McpServers | undefined
  /** Puts the tools behind others that are offered instead. */
  behind: ((tools: readonly ToolSource[]) => readonly ToolSource[]) | undefined
  #loaded: readonly LoadedTools[] = []
  #fingerprint = ''
  /** Why the newest version could not be loaded. Loading is retried at every turn, but reported once. */
  #broken: string | undefined

  private constructor(options: ChatToolsOptions) {
    this.#options = options
  }

  static async load(options: ChatToolsOptions): Promise<ChatTools> {
    const tools = new ChatTools(options)
    await tools.#load()
    return tools
  }

  /** File by file. */
  get loaded(): readonly LoadedTools[] {
    return this.#loaded
  }

  /** Those of the files. */
  get own(): readonly ToolCallback[] {
    return this.#loaded.flatMap(({ tools }) => tools)
  }

  /** All, as they were last loaded and listed. */
  get tools(): readonly ToolCallback[] {
    return [...this.own, ...(this.servers?.tools ?? [])]
  }

  /** Asks the servers, if their lists have changed. One that does not answer soon does not hold the prompt. */
  async list(): Promise<readonly ToolCallback[]> {
    const signal = AbortSignal.timeout(LONGEST_LISTING_MS)
    await this.servers?.list({ signal, notice: () => {} }).catch(() => undefined)
    return this.tools
  }

  /** What a run is given. */
  get sources(): readonly ToolSource[] {
    const all = [...this.own, ...(this.servers ? [this.servers.source] : [])]
    return this.behind ? this.behind(all) : all
  }

  /** Checks the files again. Returns undefined if there is nothing to report. */
  async refresh(signal?: AbortSignal): Promise<Reload | undefined> {
    const changed = this.#broken !== undefined || (await this.#print()) !== this.#fingerprint
    if (this.#options.files.length === 0 || !changed) return undefined
    try {
      await this.#load(signal)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      return this.#sayBroken(error.message)
    }
    this.#broken = undefined
    return { kind: 'reloaded', message: `Tools changed and were loaded again: ${this.#names()}.` }
  }

  #sayBroken(message: string): Reload | undefined {
    if (message === this.#broken) return undefined
    this.#broken = message
    return { kind: 'broken', message: `${message} Until then the tools stay as they were.` }
  }

  async #load(signal?: AbortSignal): Promise<void> {
    const { files, cwd } = this.#options
    if (files.length === 0) return
    const { loadAll } = await import('../load/load-all.ts')
    this.#loaded = await loadAll(files, { cwd, signal })
    this.#fingerprint = await this.#print()
  }

  #names(): string {
    return this.own.map(({ definition }) => definition.name).join(', ')
  }

  async #print(): Promise<string> {
    const files = this.#loaded.flatMap((each) => each.files)
    const hash = createHash('sha256')
    for (const file of files) hash.update(`${file}\0`).update(await contentOf(file))
    return hash.digest('hex')
  }
}

/** A missing file differs from an empty one. */
const contentOf = (file: string): Promise<Uint8Array | string> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => `\0${error.code}`)
