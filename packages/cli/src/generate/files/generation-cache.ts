/**
 * Remembers the results of earlier runs, so that a run with nothing to do needs no compiler: for every
 * source without problems, its dependencies with a hash of their contents, and the hash of the generated
 * text or of its formatted form. It is stored in `node_modules/.cache` of the nearest package; losing it
 * only costs time.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentOf } from './content-of.ts'
import { hashOf, type FileHashes } from './file-hashes.ts'
import type { Generation, Problem } from '../generation.ts'
import { isSameCode } from './same-code.ts'
import { writeWhole } from './write-whole.ts'

interface Entry {
  /** Paths relative to the folder of the cache's package. */
  readonly dependencies: readonly string[]
  /** A hash of the dependencies and their contents. */
  readonly digest: string
  readonly output: string
  /** The hash of the text; null if the source has no tools. */
  readonly text: string | null
  /** Said again in every run, with paths relative to the folder of the cache's package. */
  readonly warnings: readonly Problem[]
}

interface CacheFile {
  /** A hash of the code that made the entries. */
  readonly version: string
  readonly entries: { readonly [source: string]: Entry }
}

/** What the cache knows about a source. */
export interface Remembered {
  readonly output: string
  readonly hasTools: boolean
  readonly warnings: readonly Problem[]
}

export interface CacheOptions {
  readonly cwd: string
  /** What else the text depends on: the generator's options. */
  readonly settings: string
}

/** A file's timestamp may differ slightly from the time of writing. */
const CLOCK_SLACK_MS = 20

export class GenerationCache {
  readonly #settings: string
  readonly #root: string
  readonly #file: string
  readonly #version = versionOfGenerator()
  readonly #entries: Map<string, Entry>
  readonly #changed = new Set<string>()

  constructor({ cwd, settings }: CacheOptions) {
    this.#settings = settings
    const root = folderAbove(cwd, 'package.json')
    this.#root = root ?? cwd
    this.#file = root
      ? join(root, 'node_modules/.cache/toolwright/generate.json')
      : join(tmpdir(), `toolwright-${userInfo().username}`, `${hashOf(cwd)}.json`)
    this.#entries = new Map(Object.entries(this.#read()))
  }

  /** Returns undefined if a dependency has changed, or if the generated file is not as it was written. */
  recall(source: string, hashes: FileHashes): Remembered | undefined {
    const entry = this.#entries.get(this.#short(source))
    if (entry === undefined) return undefined
    const output = resolve(this.#root, entry.output)
    const dependencies = entry.dependencies.map((file) => resolve(this.#root, file))
    if (this.#digest(source, dependencies, hashes) !== entry.digest) return undefined
    if (entry.text !== null && hashes.of(output) !== entry.text) return undefined
    const warnings = entry.warnings.map((one) => ({ ...one, file: resolve(this.#root, one.file) }))
    return { output, hasTools: entry.text !== null, warnings }
  }

  /**
   * Stores the result for a source, unless it has problems or a file changed after `since`: then the
   * generator may have seen either version.
   */
  remember(generation: Generation, since: number, hashes: FileHashes): void {
    const { source, output, text, problems, warnings, dependencies } = generation
    const key = this.#short(source)
    this.#changed.add(key)
    const files = [...new Set([source, ...dependencies])]
    if (problems.length > 0 || files.some((file) => changedAfter(file, since - CLOCK_SLACK_MS))) {
      this.#entries.delete(key)
      return
    }
    this.#entries.set(key, {
      dependencies: files.map((file) => this.#short(file)),
      digest: this.#digest(source, files, hashes),
      output: this.#short(output),
      text: text === undefined ? null : acceptedHash(output, text),
      warnings: warnings.map((one) => ({ ...one, file: this.#short(one.file) })),
    })
  }

  /** Keeps what other processes stored meanwhile, and drops sources that no longer exist. */
  save(): void {
    if (this.#changed.size === 0) return
    const entries = new Map(Object.entries(this.#read()))
    for (const key of this.#changed) {
      const entry = this.#entries.get(key)
      if (entry) entries.set(key, entry)
      else entries.delete(key)
    }
    for (const key of entries.keys()) if (!existsSync(resolve(this.#root, key))) entries.delete(key)
    this.#changed.clear()
    const content: CacheFile = { version: this.#version, entries: Object.fromEntries(entries) }
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      writeWhole(this.#file, JSON.stringify(content))
    } catch {
      // If the folder cannot be written to, the next run only takes longer.
    }
  }

  #read(): CacheFile['entries'] {
    try {
      const { version, entries } = JSON.parse(readFileSync(this.#file, 'utf8')) as CacheFile
      return version === this.#version && Object.values(entries).every(isEntry) ? entries : {}
    } catch {
      return {}
    }
  }

  /** Includes the path of the nearest configuration, so that a new, nearer one is noticed. */
  #digest(source: string, dependencies: readonly string[], hashes: FileHashes): string {
    const digest = createHash('sha256').update(this.#settings)
    for (const name of ['tsconfig.json', 'package.json'])
      digest.update(`\0${folderAbove(dirname(source), name)}`)
    for (const file of dependencies) digest.update(`\0${file}\0${hashes.of(file)}`)
    return digest.digest('base64url')
  }

  #short(file: string): string {
    return relative(this.#root, file)
  }
}

/** The hash of the file on disk if it differs from the text only in layout; otherwise of the text. */
function acceptedHash(output: string, text: string): string {
  const present = contentOf(output)
  return hashOf(present !== undefined && isSameCode(present, text) ? present : text)
}

const isEntry = (entry: Partial<Entry> | null): entry is Entry =>
  Array.isArray(entry?.dependencies) &&
  typeof entry.digest === 'string' &&
  typeof entry.output === 'string' &&
  Array.isArray(entry.warnings) &&
  (entry.text === null || typeof entry.text === 'string')

function changedAfter(file: string, time: number): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > time
}

/** The nearest folder, from this one upwards, that contains a file of that name. */
function folderAbove(folder: string, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : folderAbove(parent, name)
}

/** A hash of the code in `generate/` and of the compiler, so that no version number has to be raised by hand. */
function versionOfGenerator(): string {
  const here = fileURLToPath(new URL('..', import.meta.url))
  const digest = createHash('sha256')
  const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /(?<!\.test)\.[jt]s$/.test(name)).sort())
    digest.update(readFileSync(join(here, file)))
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  return digest.update(readFileSync(compiler)).digest('base64url')
}
