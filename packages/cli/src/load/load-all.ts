/** Loads the tools of several files. The same file twice counts once; two tools of one name are an error. */
import { relative, resolve } from 'node:path'
import { CommandError } from '../command/command-error.ts'
import { loadTools, type LoadedTools, type LoadOptions } from './load-tools.ts'

export async function loadAll(
  paths: readonly string[],
  options: LoadOptions,
): Promise<readonly LoadedTools[]> {
  const files = paths.map((path) => resolve(options.cwd, path))
  // Each as it was first written.
  const distinct = paths.filter((_path, at) => files.indexOf(files[at]!) === at)
  const loaded: LoadedTools[] = []
  for (const path of distinct) loaded.push(await loadTools(path, options))
  refuseDuplicates(loaded, options.cwd)
  return loaded
}

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
