/** Compiles sources with the installed TypeScript, as programs that import toolwright. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { sharingHost } from '../../scripts/sharing-host.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A folder for programs, in which the packages of this repository are found. */
export function programFolder(name: string): {
  readonly folder: string
  readonly remove: () => void
} {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** The diagnostics of each source; all are compiled as one program. */
export function diagnosticsOf(
  folder: string,
  sources: readonly string[],
  options: ts.CompilerOptions,
): readonly (readonly string[])[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const files = sources.map((source, index) => {
    const file = join(folder, `case-${index}.ts`)
    writeFileSync(file, source)
    return file
  })
  const all = { ...parsed.options, noUnusedLocals: false, types: [], ...options }
  const program = ts.createProgram(files, all, sharingHost(all))
  return files.map((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  )
}
