/**
 * Loads modules of the user's project: TypeScript or JavaScript, ES modules or CommonJS, with the project's
 * own tsconfig. Each loader loads everything again, so changed files are seen.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { offerOwnCopy } from './own-copy.ts'

export type Exports = { readonly [name: string]: unknown }

export interface ModuleLoader {
  /** Loads an absolute path. Modules of one loader share what they import. */
  load(file: string): Promise<Exports>
  /** Every loaded file outside of packages, as absolute paths. */
  files(): Promise<readonly string[]>
}

/** An empty module. When the hooks' thread has reported it, all earlier reports have arrived. */
const LAST = 'data:text/javascript,export{}'
/** How many turns of the event loop to wait. If the hooks run in this thread, no wait is needed. */
const PATIENCE = 1000

/** How tsx separates the modules of one loader from those of another. */
const MARK = '?namespace='

/** A loader for this file and those beside it. */
export async function moduleLoader(file: string): Promise<ModuleLoader> {
  // Standard decorators store their metadata there. Node 20 does not define it, and compilers rely on it.
  ;(Symbol as { metadata?: symbol }).metadata ??= Symbol.for('Symbol.metadata')
  offerOwnCopy()
  const tsconfig = nearest('tsconfig.json', file)
  return isCommonJs(file) ? commonJsLoader(tsconfig) : esmLoader(tsconfig)
}

async function esmLoader(tsconfig: string | undefined): Promise<ModuleLoader> {
  const { register } = await import('tsx/esm/api')
  const urls: string[] = []
  const namespace = randomUUID()
  // ES modules that require CommonJS modules need both.
  await registerCommonJs(namespace, tsconfig)
  const tsx = register({
    namespace,
    ...(tsconfig && { tsconfig }),
    onImport: (url) => void urls.push(url),
  })
  return {
    load: (file) => tsx.import(pathToFileURL(file).href, import.meta.url),
    async files() {
      await tsx.import(LAST, import.meta.url)
      for (let turn = 0; turn < PATIENCE && !urls.some((url) => url.startsWith(LAST)); turn++)
        await setImmediate()
      return ownFiles(
        urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url)),
      )
    },
  }
}

async function commonJsLoader(tsconfig: string | undefined): Promise<ModuleLoader> {
  const namespace = randomUUID()
  const tsx = await registerCommonJs(namespace, tsconfig)
  const { cache } = createRequire(import.meta.url)
  // Node caches what a relative path resolved to, regardless of the namespace, while the module is in its
  // cache.
  for (const key of Object.keys(cache)) if (key.includes(MARK)) delete cache[key]
  return {
    load: async (file) => tsx.require(file, import.meta.url) as Exports,
    files: async () => ownFiles(Object.keys(cache).filter((key) => key.endsWith(MARK + namespace))),
  }
}

async function registerCommonJs(namespace: string, tsconfig: string | undefined) {
  const { register } = await import('tsx/cjs/api')
  // tsx only takes the tsconfig path from the environment, and reads it at once.
  const { TSX_TSCONFIG_PATH: before } = process.env
  if (tsconfig) process.env.TSX_TSCONFIG_PATH = tsconfig
  try {
    return register({ namespace })
  } finally {
    if (before === undefined) delete process.env.TSX_TSCONFIG_PATH
    else process.env.TSX_TSCONFIG_PATH = before
  }
}

const ownFiles = (paths: readonly string[]): readonly string[] => [
  ...new Set(
    paths
      .map((path) => path.replace(/\?.*$/, ''))
      .filter((path) => !/[\\/]node_modules[\\/]/.test(path)),
  ),
]

function isCommonJs(file: string): boolean {
  const extension = extname(file)
  if (/^\.m[jt]s$/.test(extension)) return false
  if (/^\.c[jt]s$/.test(extension)) return true
  const manifest = nearest('package.json', file)
  return manifest === undefined || !isModuleType(manifest)
}

function isModuleType(manifest: string): boolean {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { type?: unknown }).type === 'module'
  } catch {
    return false
  }
}

/** The file of this name in the folder of `file` or the nearest folder above it. */
export function nearest(name: string, file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const candidate = join(folder, name)
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) return undefined
  }
}
