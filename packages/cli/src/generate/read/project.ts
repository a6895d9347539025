/**
 * The files that share one tsconfig.json, as one program that is kept: later calls only read files that
 * changed on disk. It loads only the requested sources, what they import and the project's global
 * declarations, and type-checks only what is asked for.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** The strict defaults for sources without a tsconfig.json. */
const DEFAULTS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  allowImportingTsExtensions: true,
}

/** Options that are the same in every project: types are read, nothing is written. */
const FIXED: ts.CompilerOptions = {
  noEmit: true,
  skipLibCheck: true,
  skipDefaultLibCheck: true,
  incremental: false,
  composite: false,
  declaration: false,
  tsBuildInfoFile: undefined,
  // Without this, `string | undefined` could not be told from `string`.
  strictNullChecks: true,
}

interface KnownFile {
  readonly stamp: string
  readonly file: ts.SourceFile
}

export class Project {
  readonly configFile: string | undefined
  readonly options: ts.CompilerOptions
  /** The tsconfig files and manifests that were read. */
  readonly manifests: ReadonlySet<string>
  /**
   * Paths where imports were looked for and not found: a file that appears there changes the imports'
   * meaning.
   */
  readonly absent: ReadonlySet<string>
  /** The project's own global declarations. */
  readonly globals: readonly string[]
  readonly #manifests = new Set<string>()
  readonly #absent = new Set<string>()
  readonly #configs = new Map<string, string | undefined>()
  readonly #known = new Map<string, KnownFile>()
  readonly #host: ts.CompilerHost
  #program: ts.Program | undefined

  constructor(configFile: string | undefined, folder: string) {
    this.configFile = configFile
    this.manifests = this.#manifests
    this.absent = this.#absent
    const { options, globals } = this.#readConfig(configFile)
    this.options = options
    this.globals = globals
    this.#host = this.#makeHost(folder)
  }

  /** Returns this project, or undefined if its configuration, or what its imports resolve to, has changed. */
  fresh(): this | undefined {
    const isSame = [...this.#configs].every(([path, stamp]) => stampOf(path) === stamp)
    return isSame && ![...this.#absent].some((path) => existsSync(path)) ? this : undefined
  }

  /** The program of these sources as they are on disk now. */
  program(sources: readonly string[]): ts.Program {
    this.#program = ts.createProgram({
      rootNames: [...sources, ...this.globals],
      options: this.options,
      host: this.#host,
      ...(this.#program && { oldProgram: this.#program }),
    })
    return this.#program
  }

  #readConfig(configFile: string | undefined): {
    options: ts.CompilerOptions
    globals: readonly string[]
  } {
    if (configFile === undefined) return { options: { ...DEFAULTS, ...FIXED }, globals: [] }
    const parsed = ts.getParsedCommandLineOfConfigFile(configFile, FIXED, {
      ...ts.sys,
      readFile: (path) => {
        this.#manifests.add(path)
        this.#configs.set(path, stampOf(path))
        return ts.sys.readFile(path)
      },
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    })
    return {
      options: { ...parsed?.options, ...FIXED },
      globals: parsed?.fileNames.filter((name) => /\.d\.[cm]?ts$/.test(name)) ?? [],
    }
  }

  #makeHost(folder: string): ts.CompilerHost {
    const host = ts.createCompilerHost(this.options, true)
    return {
      ...host,
      getCurrentDirectory: () => folder,
      fileExists: (path) => this.#looked(path, host.fileExists(path)),
      directoryExists: (path) => this.#looked(path, host.directoryExists!(path)),
      getSourceFile: (path, target) => this.#sourceFile(path, target),
      readFile: (path) => {
        if (path.endsWith('package.json') && !path.startsWith(dirname(libraryFolder)))
          this.#manifests.add(path)
        return host.readFile(path)
      },
    }
  }

  /**
   * Packages change by installation, and the nearest manifest is looked up separately, so these paths are
   * not recorded.
   */
  #looked(path: string, isThere: boolean): boolean {
    if (!isThere && !/[\\/]node_modules\b|[\\/]package\.json$/.test(path)) this.#absent.add(path)
    return isThere
  }

  #sourceFile(
    path: string,
    target: ts.ScriptTarget | ts.CreateSourceFileOptions,
  ): ts.SourceFile | undefined {
    const shared = libraryFile(path, target)
    if (shared) return shared
    const stamp = stampOf(path)
    const cached = this.#known.get(path)
    if (cached && cached.stamp === stamp) return cached.file
    const content = stamp === undefined ? undefined : ts.sys.readFile(path)
    if (content === undefined || stamp === undefined) return undefined
    const file = ts.createSourceFile(path, content, target, true)
    this.#known.set(path, { stamp, file })
    return file
  }
}

/** The compiler's own library is read once for all projects. */
const library = new Map<string, ts.SourceFile>()
const libraryFolder = dirname(ts.sys.getExecutingFilePath())

function libraryFile(
  path: string,
  target: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.SourceFile | undefined {
  if (dirname(path) !== libraryFolder) return undefined
  const { languageVersion } = typeof target === 'object' ? target : { languageVersion: target }
  const key = `${languageVersion} ${path}`
  const content = library.has(key) ? undefined : ts.sys.readFile(path)
  if (content !== undefined) library.set(key, ts.createSourceFile(path, content, target, true))
  return library.get(key)
}

function stampOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stats?.isFile() ? `${stats.mtimeNs} ${stats.size} ${stats.ino}` : undefined
}

/** The nearest tsconfig.json above a file. */
export function configOf(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const config = join(folder, 'tsconfig.json')
    if (ts.sys.fileExists(config)) return config
    if (folder === dirname(folder)) return undefined
  }
}
