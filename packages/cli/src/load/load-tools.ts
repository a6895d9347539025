/**
 * Loads the tools of a file: every exported tool source, expanded by the library's own rules. Classes are
 * instantiated, generated files are found beside their sources, and other exports are ignored. Errors tell
 * the user what to do.
 */
import { relative } from 'node:path'
import type { ToolCallback } from 'toolwright'
import { CommandError } from '../command/command-error.ts'
import { orEnded, type Ending } from '../command/ended-process.ts'
import { expandSources } from './expand-sources.ts'
import { exportedSources } from './exported-sources.ts'
import { findToolsFile } from './find-tools-file.ts'
import { factoriesOf, pairOf } from './generated-tools.ts'
import { loadError } from './load-error.ts'
import { moduleLoader, type Exports } from './module-loader.ts'

export interface LoadedTools {
  /** Absolute path of the requested file. */
  readonly file: string
  /** In the order of the module's exports. */
  readonly tools: readonly ToolCallback[]
  /** The export of each tool, by the tool's name. */
  readonly exportNames: ReadonlyMap<string, string>
  /** What the requested module exports. */
  readonly exports: Exports
  /** Whether a generated file makes tools of what it exports. */
  readonly isGenerated: boolean
  /** Every loaded file outside of packages: if one changes, load again. */
  readonly files: readonly string[]
}

export interface LoadOptions {
  /** Where relative paths start. */
  readonly cwd: string
  /** Stops waiting for a file that takes too long; the file itself cannot be stopped. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Loads the tools of a file. Loading again reads everything again; tools loaded earlier stay valid. Throws
 * `CommandError`.
 */
export async function loadTools(path: string, { cwd, signal }: LoadOptions): Promise<LoadedTools> {
  const file = findToolsFile(path, cwd)
  const pair = pairOf(file, cwd)
  const loader = await moduleLoader(file)
  const load = (each: string): Promise<Exports> =>
    orEnded(endedLoading(relative(cwd, each)), () =>
      unlessAborted(
        loader.load(each).catch((error: unknown) => {
          throw loadError(error, { file: each, cwd })
        }),
        signal,
      ),
    )
  const exports = await load(pair.source)
  const generated = pair.generated === undefined ? {} : await load(pair.generated)
  const sources = [
    ...exportedSources(exports, factoriesOf(exports, generated)),
    ...exportedSources(generated),
  ]
  const name = relative(cwd, file)
  const found = await expandSources(sources, name)
  if (found.tools.length === 0) throw noTools(name, { ...exports, ...generated })
  const isGenerated = pair.generated !== undefined
  return { file, ...found, exports, isGenerated, files: await loader.files() }
}

const endedLoading = (file: string): Ending => ({
  by: `${file} ended the process while it was loaded`,
  exitCode: 2,
})

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function noTools(file: string, exports: Exports): CommandError {
  const kinds = Object.entries(exports).map(([name, value]) => `${name} (${kindOf(value)})`)
  const has = kinds.length === 0 ? 'nothing' : kinds.join(', ')
  return new CommandError(
    `${file} exports no tools. It exports ${has}. What counts: tools made by tool(), arrays and records of them, providers, objects and classes with @Tool methods or static tools. For functions and methods tagged @tool run toolwright generate ${file}.`,
  )
}

function kindOf(value: unknown): string {
  if (typeof value === 'function') return /^class\b/.test(String(value)) ? 'class' : 'function'
  if (Array.isArray(value)) return value.length === 0 ? 'empty array' : 'array'
  return value === null ? 'null' : typeof value
}
