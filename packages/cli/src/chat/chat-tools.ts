/**
 * The tools of a chat, from one or more files. They are reloaded between turns when a file, or a file it
 * imports, has changed. If a changed file cannot be loaded, the tools stay as they were.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { ToolCallback } from 'toolwright'
import { CommandError } from '../command/command-error.ts'
import type { LoadedTools } from '../load/load-tools.ts'

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

  get tools(): readonly ToolCallback[] {
    return this.#loaded.flatMap(({ tools }) => tools)
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
    const { loadTools } = await import('../load/load-tools.ts')
    const loaded: LoadedTools[] = []
    for (const file of distinctFiles(this.#options))
      loaded.push(await loadTools(file, { cwd, signal }))
    refuseDuplicates(loaded, cwd)
    this.#loaded = loaded
    this.#fingerprint = await this.#print()
  }

  #names(): string {
    return this.tools.map(({ definition }) => definition.name).join(', ')
  }

  async #print(): Promise<string> {
    const files = this.#loaded.flatMap((each) => each.files)
    const hash = createHash('sha256')
    for (const file of files) hash.update(`${file}\0`).update(await contentOf(file))
    return hash.digest('hex')
  }
}

/** Each file once, as it was first written. */
function distinctFiles({ files, cwd }: ChatToolsOptions): readonly string[] {
  const paths = files.map((file) => resolve(cwd, file))
  return files.filter((_file, at) => paths.indexOf(paths[at]!) === at)
}

/** A missing file differs from an empty one. */
const contentOf = (file: string): Promise<Uint8Array | string> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => `\0${error.code}`)

function refuseDuplicates(loaded: readonly LoadedTools[], cwd: string): void {
  const files = new Map<string, string>()
  for (const { file, tools } of loaded) {
    for (const { definition } of tools) {
      const other = files.get(definition.name)
      if (other !== undefined)
        throw new CommandError(
          `Two tools are called "${definition.name}": one of ${relative(cwd, other)}, one of ${relative(cwd, file)}. Rename one, or give only one of the files.`,
        )
      files.set(definition.name, file)
    }
  }
}
