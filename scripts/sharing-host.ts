/**
 * Programs of one process that share what they have read: the libraries of TypeScript, the packages and our own
 * sources are parsed once, not once for each program. Files outside of the repository are read anew each time.
 */
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))
const registry = ts.createDocumentRegistry()
const shared = new Map<string, ts.SourceFile>()

/** For `ts.createProgram`, with the same options. */
export function sharingHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  // As in an editor: files that are read differently are not the same.
  const settings = `${String(options.strict)} ${registry.getKeyForCompilationSettings(options)}`
  return {
    ...host,
    getSourceFile(file, how, ...rest) {
      if (!file.startsWith(root)) return host.getSourceFile(file, how, ...rest)
      const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {}
      const key = [file, mtimeMs, size, JSON.stringify(how, plainly), settings].join('\n')
      const read = shared.get(key) ?? host.getSourceFile(file, how, ...rest)
      if (read) shared.set(key, read)
      return read
    },
  }
}

/** Functions of the options are the same for the same settings. */
const plainly = (_key: string, value: unknown): unknown =>
  typeof value === 'function' ? undefined : value
