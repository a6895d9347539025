/** Finds the file to load from the path on the command line. */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, relative, resolve } from 'node:path'
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'

const LOADABLE = /^\.[cm]?[jt]sx?$/

/** Returns the absolute path. Throws `CommandError` if nothing can be loaded from there. */
export function findToolsFile(path: string, cwd: string): string {
  if (path.trim() === '')
    throw new CommandError('The file has no name. Name one that exports tools.')
  const file = resolve(cwd, path)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) throw missing(path, file)
  if (stats.isDirectory()) throw isFolder(path, file, cwd)
  if (LOADABLE.test(extname(file))) return file
  throw new CommandError(
    `${path} is no TypeScript or JavaScript file. Name a file that ends in .ts, .mts, .cts, .js, .mjs or .cjs.`,
  )
}

function missing(path: string, file: string): CommandError {
  const folder = dirname(file)
  const suggestion = didYouMean(basename(file), loadableIn(folder))
  const where = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? `There is no file ${path}.`
    : `There is no file ${path}: its folder does not exist either.`
  return new CommandError(`${where}${suggestion} Name a file that exports tools.`)
}

function isFolder(path: string, folder: string, cwd: string): CommandError {
  const files = loadableIn(folder).map((name) => relative(cwd, resolve(folder, name)))
  const few = files.slice(0, 5).join(', ') + (files.length > 5 ? ', ...' : '')
  const such = few === '' ? 'It has no TypeScript or JavaScript file in it' : `In it: ${few}`
  return new CommandError(`${path} is a folder. ${such}. Name a file that exports tools.`)
}

function loadableIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => LOADABLE.test(extname(name)))
  } catch {
    return []
  }
}
