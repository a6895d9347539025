/**
 * Finds files from the words of the command line: globs, folders and names, quoted or already expanded by
 * the shell. It only reads files that look generated, to see whether their source still exists.
 */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { escapePath, globSync, isDynamicPattern } from 'tinyglobby'
import { CommandError } from '../../command/command-error.ts'
import { contentOf, unreadable } from './content-of.ts'
import { generatedFrom, isOutputName } from './generated-file.ts'

export interface FoundSources {
  /** Absolute paths, sorted, each once. */
  readonly sources: readonly string[]
  /** Generated files without a source. */
  readonly orphans: readonly string[]
}

export interface Where {
  /** Globs, folders and files; those that start with `!` are excluded. */
  readonly words: readonly string[]
  readonly cwd: string
}

const LEFT_OUT_FOLDERS = ['**/node_modules/**', '**/dist/**']
const LEFT_OUT = 'node_modules, dist, .d.ts, .test.ts, .spec.ts and .tools.ts files are left out'

/** Every word must match something: a misspelt glob is an error, not an empty run. */
export function findSources(where: Where): FoundSources {
  const filesOfSearches = searchesOf(where).map((search) => {
    const files = filesOf(search, where)
    if (files.length === 0) throw nothingFound(search, where)
    return files
  })
  return sorted(filesOfSearches.flat())
}

/** The same, but matching nothing is not an error: while watching, files come and go. */
export const findSourcesNow = (where: Where): FoundSources =>
  sorted(searchesOf(where).flatMap((search) => filesOf(search, where)))

/** Every folder where a matching file could appear. */
export function foldersOf(where: Where): readonly string[] {
  const folders = searchesOf(where).flatMap((search) => {
    if (search.kind === 'files') return search.patterns.map((name) => dirname(unescaped(name)))
    const base = baseOf(search.patterns[0]!)
    const subfolders = globbed([`${base}/**`], where, { onlyDirectories: true })
    return [unescaped(base), ...subfolders]
  })
  return [...new Set(folders.map((folder) => resolve(where.cwd, folder)))]
}

/**
 * Named files are searched together, and excluded ones among them are not an error, because the shell names
 * them all.
 */
interface Search {
  readonly kind: 'files' | 'folder' | 'glob'
  readonly word: string
  readonly patterns: readonly string[]
}

function searchesOf({ words, cwd }: Where): Search[] {
  const included = words.filter((word) => !word.startsWith('!'))
  const kinds = included.map((word) => ({ word, kind: kindOf(word, cwd) }))
  const files = kinds.filter(({ kind }) => kind === 'file').map(({ word }) => word)
  const others = kinds
    .filter(({ kind }) => kind !== 'file')
    .map(({ word, kind }): Search => {
      if (kind === 'glob') return { kind, word, patterns: [word] }
      return { kind: 'folder', word, patterns: [join(escapePath(word), '**')] }
    })
  if (files.length === 0) return others
  return [{ kind: 'files', word: files.join(', '), patterns: files.map(escapePath) }, ...others]
}

function kindOf(word: string, cwd: string): 'file' | 'folder' | 'glob' {
  try {
    const stats = word === '' ? undefined : statSync(resolve(cwd, word), { throwIfNoEntry: false })
    if (stats === undefined) return 'glob'
    return stats.isDirectory() ? 'folder' : 'file'
  } catch (error) {
    throw unreadable(word, error)
  }
}

const filesOf = ({ patterns }: Search, where: Where): string[] =>
  globbed(patterns, where).filter(
    (file) => isSource(file) || (isOutputName(file) && sourceNameOf(file) !== undefined),
  )

function globbed(
  patterns: readonly string[],
  { words, cwd }: Where,
  options: { readonly onlyDirectories?: boolean } = {},
): string[] {
  const without = words.filter((word) => word.startsWith('!')).map((word) => word.slice(1))
  const ignore = [...LEFT_OUT_FOLDERS, ...without]
  return globSync(
    patterns.filter((pattern) => pattern !== ''),
    { cwd, ignore, absolute: true, expandDirectories: false, ...options },
  ).map((path) => resolve(path))
}

const isSource = (file: string): boolean =>
  /\.[cm]?tsx?$/.test(file) &&
  !isOutputName(file) &&
  !/\.(d|test|spec)\.[cm]?tsx?$/.test(file) &&
  !/\.d\.\w+\.ts$/.test(file)

/** A generated file stands for its source, so that `generate src/*.tools.ts` works too. */
function sorted(files: readonly string[]): FoundSources {
  const [sources, orphans] = [new Map<string, string>(), new Set<string>()]
  for (const file of [...files].sort()) {
    const source = isOutputName(file) ? join(dirname(file), sourceNameOf(file)!) : file
    if (!existsSync(source)) {
      orphans.add(file)
      continue
    }
    // A file that several links lead to counts once.
    const real = realpathSync(source)
    if (!sources.has(real)) sources.set(real, source)
  }
  return { sources: [...sources.values()].sort(), orphans: [...orphans] }
}

const sourceNameOf = (output: string): string | undefined => {
  const name = generatedFrom(contentOf(output) ?? '')
  return name === undefined ? undefined : basename(name)
}

function nothingFound({ kind, word }: Search, { cwd }: Where): CommandError {
  const message = {
    files: `There is nothing to generate from in ${word}: ${LEFT_OUT}.`,
    folder: `There is no TypeScript file in ${word} (${LEFT_OUT}).`,
    glob: `No TypeScript file matches "${word}" in ${cwd} (${LEFT_OUT}).`,
  }[kind]
  return new CommandError(`${message} Give a glob, a folder or a file: toolwright generate src.`)
}

/** The part of a glob before its first special character. */
function baseOf(pattern: string): string {
  const parts = pattern.split('/')
  const special = parts.findIndex((part) => isDynamicPattern(part))
  return (
    parts.slice(0, special === -1 ? -1 : special).join('/') || (pattern.startsWith('/') ? '/' : '.')
  )
}

const unescaped = (pattern: string): string => pattern.replaceAll(/\\(.)/g, '$1')
